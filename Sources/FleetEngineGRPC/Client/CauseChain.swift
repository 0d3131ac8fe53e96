import GRPCCore
import Glibc
import HTTPCalls
import NIOCore
import NIOHTTP2

/// The server that a call was sent to, with the facts that an error message needs.
struct AskedServer: Hashable, Sendable {
    let endpoint: ServerEndpoint
    /// Whether the server has ever answered this client over HTTP/2.
    let wasConnected: Bool
    /// Whether the last connection was closed because the server sent no data for too long.
    var isSilent = false
}

/// The causes of an error. The transport's outermost error is too general to say why a connection failed.
struct CauseChain {
    /// The errors, from the outermost error to the first cause.
    private let errors: [any Error]
    private static let deepest = 16

    init(_ error: any Error) {
        var errors: [any Error] = []
        var next: (any Error)? = error
        while let current = next, errors.count < Self.deepest {
            errors.append(current)
            next = (current as? RPCError)?.cause ?? (current as? RuntimeError)?.cause
        }
        self.errors = errors
    }

    /// Whether the outermost error has a deeper cause.
    var isDeeper: Bool { errors.count > 1 }

    /// Whether an answer was larger than this client accepts. The transport reports this only in the text of the error.
    var isAboutSize: Bool { errors.contains { ($0 as? RPCError)?.message.contains("maximum payload size") == true } }

    /// Whether an answer had too many parts.
    var isAboutParts: Bool { errors.contains { $0 is TooManyParts } }

    /// The reason why the server's certificate was not accepted; nil if the certificate was not the cause.
    var certificateTrouble: String? {
        for error in errors {
            switch TLSTrouble(error) {
            case .untrustedCertificate: return "the server's certificate was not accepted (unknown issuer, expired or not yet valid)"
            case .foreignCertificate: return "the server's certificate is for another host"
            case .noHandshake, .brokenConnection, nil: continue
            }
        }
        return nil
    }

    /// Whether the server speaks a different protocol from the one that this client expects. If so, a retry would not help.
    func isOtherProtocol(_ server: AskedServer) -> Bool {
        guard !server.wasConnected else { return false }
        return switch server.endpoint.security {
        case .plaintext: errors.contains { $0 is any NIOHTTP2Error }
        case .tls: errors.contains { TLSTrouble.isOtherProtocol($0) }
        }
    }

    /// Returns the reason why the connection failed. If no connection has ever succeeded, the text also names the server.
    func words(_ server: AskedServer) -> String {
        let reason = errors.lazy.compactMap(Self.reason).first
        if server.wasConnected { return reason ?? (server.isSilent ? "the server no longer answers" : "the connection was cut") }
        if let reason { return "\(server.endpoint): \(reason)" }
        if server.isSilent { return "\(server.endpoint) does not answer" }
        let isPastTLS = errors.contains { $0 is any NIOHTTP2Error || TLSTrouble($0) == .brokenConnection }
        switch server.endpoint.security {
        case .plaintext: return "\(server.endpoint) does not answer in plaintext; is --plaintext wrong?"
        case .tls where isPastTLS: return "\(server.endpoint) does not answer like a Fleet Engine server"
        case .tls: return "\(server.endpoint) does not answer with TLS; is --plaintext missing?"
        }
    }

    /// Returns the reason why a connection failed; nil for an error that does not show the reason.
    private static func reason(_ error: any Error) -> String? {
        switch error {
        case let error as IOError: reason(errorNumber: error.errnoCode)
        case ChannelError.connectTimeout: "no answer to the connection attempt"
        default: isAboutName(error) ? "the server's name cannot be resolved" : nil
        }
    }

    private static func reason(errorNumber: CInt) -> String? {
        switch errorNumber {
        case ECONNREFUSED: "connection refused"
        case ENETUNREACH, ENETDOWN, EADDRNOTAVAIL: "the network is unreachable"
        case EHOSTUNREACH, EHOSTDOWN: "no route to the server"
        case ETIMEDOUT: "no answer to the connection attempt"
        case EMFILE, ENFILE: "too many files are open on this computer"
        default: nil
        }
    }

    /// Whether the transport could not resolve a host name. The type of this error is not public, so its name is compared.
    private static func isAboutName(_ error: any Error) -> Bool { "\(type(of: error))" == "GetAddrInfoError" }
}
