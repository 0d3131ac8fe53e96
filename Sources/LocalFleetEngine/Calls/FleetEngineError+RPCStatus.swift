import FleetEngine
import GRPCCore
import GRPCProtobuf

extension FleetEngineError {
    /// Returns the gRPC status for an error that a method has thrown.
    static func rpcError(_ error: any Error) -> RPCError {
        switch error {
        case let error as FleetEngineError: RPCError(error.rpcStatus)
        default: RPCError(code: .unknown, message: "an internal error in the engine ended the call")
        }
    }

    /// The error as the status message that gRPC sends.
    var rpcStatus: GoogleRPCStatus {
        let code = Status.Code(rawValue: code.rawValue).flatMap { RPCError.Code($0) } ?? .unknown
        return GoogleRPCStatus(code: code, message: message, details: details.compactMap(\.rpcDetail))
    }
}

extension ErrorDetail {
    fileprivate var rpcDetail: ErrorDetails? {
        switch self {
        case .badRequest(let violations):
            .badRequest(violations: violations.map { .init(field: $0.field, description: $0.description) })
        case .preconditionFailure(let violations):
            .preconditionFailure(violations: violations.map { .init(type: $0.type, subject: $0.subject, description: $0.description) })
        case .quotaFailure(let violations):
            .quotaFailure(violations: violations.map { .init(subject: $0.subject, description: $0.description) })
        case .errorInfo(let reason, let domain, let metadata): .errorInfo(reason: reason, domain: domain, metadata: metadata)
        case .retryInfo(let seconds): .retryInfo(delay: .seconds(min(max(seconds.isNaN ? 0 : seconds, 0), 86_400)))
        case .help(let links): .help(links: links.map { .init(url: $0.url, description: $0.description) })
        case .localizedMessage(let locale, let message): .localizedMessage(locale: locale, message: message)
        }
    }
}
