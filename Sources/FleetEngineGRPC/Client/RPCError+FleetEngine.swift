import FleetEngine
import FoundationEssentials
import GRPCCore
import GRPCProtobuf

extension FleetEngineError {
    /// What the transport or the server said, in the domain's terms.
    /// - Parameter now: to compare with the server's `date`.
    init(_ error: any Error, now: Date) {
        switch error {
        case let error as FleetEngineError: self = error
        case let error as AccessTokenError: self = error.fleetEngineError
        case is CancellationError: self.init(code: .cancelled, message: "cancelled here", origin: .connection)
        case let error as RPCError: self.init(error, now: now)
        default: self.init(code: .unavailable, message: String(describing: error), origin: .connection)
        }
    }

    private init(_ error: RPCError, now: Date) {
        let causes = CauseChain(error)
        self.init(code: StatusCode(number: error.code.rawValue), message: error.message)
        if let reason = causes.certificateTrouble {
            origin = .certificate
            message = reason
        } else if let reason = causes.connectionTrouble {
            origin = .connection
            message = reason
        } else if causes.isTooLarge {
            // The limit is ours, not the server's: waiting for quota would not help.
            self.init(code: .internal, message: "the server's answer is larger than \(GRPCLimits.largestMessageBytes) bytes")
        } else if let status = try? error.unpackGoogleRPCStatus() {
            details = status.details.compactMap(ErrorDetail.init)
            requestID = status.details.compactMap(\.requestInfo?.requestID).first { !$0.isEmpty }
        }
        requestID = requestID ?? error.metadata[stringValues: "x-request-id"].first { _ in true }
        if let text = error.metadata[stringValues: "date"].first(where: { _ in true }), let date = HTTPDate.parse(text) {
            clockOffsetSeconds = now.timeIntervalSince(date)
        }
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

/// The reason of a failed connection hides behind general words: walk the causes.
private struct CauseChain {
    private let texts: [String]
    private static let deepest = 16

    init(_ error: RPCError) {
        var texts: [String] = [error.message]
        var cause = error.cause
        for _ in 0..<Self.deepest {
            guard let current = cause else { break }
            if let error = current as? RPCError {
                texts.append(error.message)
                cause = error.cause
            } else if let error = current as? RuntimeError {
                texts.append(error.message)
                cause = error.cause
            } else {
                texts.append(String(describing: current))
                cause = nil
            }
        }
        self.texts = texts
    }

    var certificateTrouble: String? {
        let all = texts.joined(separator: " ")
        if all.contains("CERTIFICATE_VERIFY_FAILED") {
            return "the server's certificate was not accepted (unknown issuer, expired or not yet valid)"
        }
        if all.contains("unableToValidateCertificate") || all.contains("noCertificateToValidate")
            || all.contains("failedToValidateHostname")
        {
            return "the server's certificate is for another host"
        }
        let notTLS = ["WRONG_VERSION_NUMBER", "HTTP_REQUEST", "handshakeFailed", "BoringSSLError", "NIOSSLError", "NIOSSLExtraError"]
        if notTLS.contains(where: all.contains) { return "no secure connection: the other side does not speak TLS, or refuses ours" }
        return nil
    }

    var connectionTrouble: String? {
        guard texts.count > 1 else { return nil }
        let all = texts.joined(separator: " ")
        if all.contains("Connection refused") || all.contains("ECONNREFUSED") || all.contains("errno: 111") { return "connection refused" }
        if all.contains("NoAddressesResolved") || all.contains("getaddrinfo") || all.contains("Name or service not known") {
            return "the server's name is not known"
        }
        if all.contains("Network is unreachable") || all.contains("errno: 101") { return "the network is unreachable" }
        if all.contains("No route to host") || all.contains("errno: 113") { return "no route to the server" }
        if all.contains("connectTimeout") || all.contains("timed out") { return "no answer to the connection attempt" }
        if all.contains("Connection reset") || all.contains("errno: 104") || all.contains("Broken pipe") { return "the connection was cut" }
        if all.contains("transient failure") || all.contains("connect") { return "no connection to the server" }
        return nil
    }

    var isTooLarge: Bool { texts.contains { $0.contains("exceeded the configured maximum payload size") } }
}

/// `Sun, 06 Nov 1994 08:49:37 GMT`, the one form of an HTTP date that may be sent (RFC 9110, 5.6.7).
enum HTTPDate {
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    static func parse(_ text: String) -> Date? {
        let parts = text.split(separator: " ")
        guard parts.count == 6, parts[5] == "GMT", let day = Int(parts[1]), (1...31).contains(day),
            let month = months.firstIndex(of: String(parts[2])),
            let year = Int(parts[3]), (1970...9999).contains(year)
        else { return nil }
        let clock = parts[4].split(separator: ":").compactMap { Int($0) }
        guard clock.count == 3, clock.allSatisfy((0...60).contains) else { return nil }
        let parsed = DateComponents(
            calendar: Calendar(identifier: .gregorian), timeZone: .gmt, year: year, month: month + 1, day: day, hour: clock[0],
            minute: clock[1], second: clock[2])
        return parsed.isValidDate ? parsed.date : nil
    }
}
