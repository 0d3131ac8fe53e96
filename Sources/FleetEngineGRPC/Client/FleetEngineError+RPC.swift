import FleetEngine
import FleetEngineWire
import FoundationEssentials
import GRPCCore
import GRPCProtobuf

extension FleetEngineError {
    /// Creates the error of a failed call: the server's status, or the reason why no status arrived.
    ///
    /// - Parameters:
    ///   - server: the server of the call; nil for a transport that the caller provides. If nil, every status is treated as sent by a
    ///     server.
    ///   - now: the time of the local clock, which is compared with the server's `date`.
    init(_ error: any Error, from server: AskedServer?, now: Date) {
        switch error {
        case let error as FleetEngineError: self = error
        case let error as AccessTokenError: self = error.fleetEngineError
        case is CancellationError: self = .cancelledHere
        case let error as RPCError:
            let answer = server == nil ? .grpc : AnswerMark.Status(error.metadata)
            self = answer.map { FleetEngineError(error, answer: $0, now: now) } ?? .withoutAnswer(error, server)
        default: self = .unreachable(CauseChain(error), server)
        }
    }

    private static var cancelledHere: FleetEngineError { FleetEngineError(code: .cancelled, message: "cancelled here", origin: .local) }

    /// Creates the error for a status that the server sent.
    private init(_ error: RPCError, answer: AnswerMark.Status, now: Date) {
        self.init(code: StatusCode(number: error.code.rawValue), message: error.message)
        if case .http(let number) = answer {
            httpStatus = number
            message = "the server answered with HTTP \(number) instead of gRPC"
        } else if let status = try? error.unpackGoogleRPCStatus() {
            details = status.details.compactMap(ErrorDetail.init)
            requestID = status.details.compactMap(\.requestInfo?.requestID).first { !$0.isEmpty }
        }
        requestID = requestID ?? error.metadata[stringValues: "x-request-id"].first { _ in true }
        if let text = error.metadata[stringValues: "date"].first(where: { _ in true }), let date = HTTPDate.parse(text) {
            clockOffsetSeconds = now.timeIntervalSince(date)
        }
    }

    /// Converts the gRPC library's error for a call that got no status from the server.
    private static func withoutAnswer(_ error: RPCError, _ server: AskedServer?) -> FleetEngineError {
        let causes = CauseChain(error)
        switch error.code {
        case .unavailable: return .unreachable(causes, server)
        case .unknown where causes.isDeeper: return .unreachable(causes, server)
        case .cancelled: return .cancelledHere
        case .deadlineExceeded:
            return FleetEngineError(code: .deadlineExceeded, message: "no answer within \(GRPCLimits.deadlineSeconds) s", origin: .local)
        default:
            let reason =
                causes.isAboutSize
                ? ": it is larger than \(GRPCLimits.largestMessageBytes) bytes"
                : causes.isAboutParts ? ": it has more than \(MessageParts.most) parts" : ""
            return FleetEngineError(code: .internal, message: "the server's answer could not be read" + reason, origin: .local)
        }
    }

    private static func unreachable(_ causes: CauseChain, _ server: AskedServer?) -> FleetEngineError {
        if let trouble = causes.certificateTrouble { return FleetEngineError(code: .unavailable, message: trouble, origin: .tls) }
        if let server, causes.isOtherProtocol(server) {
            return FleetEngineError(code: .unimplemented, message: causes.words(server), origin: .network)
        }
        let message = server.map(causes.words) ?? "no connection to the server"
        return FleetEngineError(code: .unavailable, message: message, origin: .network)
    }
}

extension ErrorDetail {
    init?(_ details: ErrorDetails) {
        if let info = details.retryInfo {
            self = .retryInfo(delaySeconds: info.delay.seconds)
        } else if let info = details.quotaFailure {
            self = .quotaFailure(info.violations.map { .init(subject: $0.subject, description: $0.violationDescription) })
        } else if let info = details.errorInfo {
            self = .errorInfo(reason: info.reason, domain: info.domain, metadata: info.metadata)
        } else if let info = details.badRequest {
            self = .badRequest(info.violations.map { .init(field: $0.field, description: $0.violationDescription) })
        } else if let info = details.preconditionFailure {
            self = .preconditionFailure(
                info.violations.map { .init(type: $0.type, subject: $0.subject, description: $0.violationDescription) })
        } else if let info = details.help {
            self = .help(info.links.map { .init(description: $0.linkDescription, url: $0.url) })
        } else if let info = details.localizedMessage {
            self = .localizedMessage(locale: info.locale, message: info.message)
        } else {
            return nil
        }
    }
}
