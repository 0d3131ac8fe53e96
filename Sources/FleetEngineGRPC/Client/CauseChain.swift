import GRPCCore
import Glibc
import HTTPCalls
import NIOCore
import NIOHTTP2

/// The server that a call goes to, as far as a failure is to be told in words.
struct AskedServer: Hashable, Sendable {
    let endpoint: ServerEndpoint
    /// Whether it has ever spoken HTTP/2 to us.
    let wasConnected: Bool
    /// Whether the last connection was given up because nothing came over it any more.
    var isSilent = false
}

/// The reason of a failed connection hides behind general words: walk the causes.
struct CauseChain {
    /// From the outermost to the one that began it.
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

    /// Whether anything stands behind the outermost error.
    var isDeeper: Bool { errors.count > 1 }

    /// Whether an answer was larger than we want to read. The transport turns its error into text before anyone sees it.
    var isAboutSize: Bool { errors.contains { ($0 as? RPCError)?.message.contains("maximum payload size") == true } }

    /// Why the certificate of the other side was refused; nil where it was not.
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

    /// Whether the other side has spoken, and something else than what it is asked in: trying again will not help.
    func isOtherProtocol(_ server: AskedServer) -> Bool {
        guard !server.wasConnected else { return false }
        return switch server.endpoint.security {
        case .plaintext: errors.contains { $0 is any NIOHTTP2Error }
        case .tls: errors.contains { TLSTrouble.isOtherProtocol($0) }
        }
    }

    /// Why there is no connection. Before the first one these words name the server, and what may be wrong with the way it is asked.
    func words(_ server: AskedServer) -> String {
        let reason = errors.lazy.compactMap(Self.reason).first
        if server.wasConnected { return reason ?? (server.isSilent ? "no sign of life from it any more" : "the connection was cut") }
        if let reason { return "\(server.endpoint): \(reason)" }
        let isPastTLS = errors.contains { $0 is any NIOHTTP2Error || TLSTrouble($0) == .brokenConnection }
        switch server.endpoint.security {
        case .plaintext: return "\(server.endpoint) does not answer in plaintext; is --plaintext wrong?"
        case .tls where isPastTLS: return "\(server.endpoint) does not answer as a Fleet Engine"
        case .tls: return "\(server.endpoint) does not answer with TLS; is --plaintext missing?"
        }
    }

    /// What kept a connection from being made; nil for an error that says nothing of it.
    private static func reason(_ error: any Error) -> String? {
        switch error {
        case let error as IOError: reason(errorNumber: error.errnoCode)
        case ChannelError.connectTimeout: "no answer to the connection attempt"
        default: isAboutName(error) ? "the server's name is not known" : nil
        }
    }

    private static func reason(errorNumber: CInt) -> String? {
        switch errorNumber {
        case ECONNREFUSED: "connection refused"
        case ENETUNREACH, ENETDOWN, EADDRNOTAVAIL: "the network is unreachable"
        case EHOSTUNREACH, EHOSTDOWN: "no route to the server"
        case ETIMEDOUT: "no answer to the connection attempt"
        case EMFILE, ENFILE: "this computer has no more connections to give"
        default: nil
        }
    }

    /// The transport's error for an unknown name is nobody else's to name but by its type's name.
    private static func isAboutName(_ error: any Error) -> Bool { "\(type(of: error))" == "GetAddrInfoError" }
}
