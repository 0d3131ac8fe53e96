import FleetEngine

/// Address of an engine, and whether the connection to it uses TLS.
public struct ServerEndpoint: Hashable, Sendable, CustomStringConvertible {
    /// Whether a connection uses TLS, and with which root certificates.
    public enum Security: Hashable, Sendable {
        /// No TLS. A token is sent without TLS only to this machine.
        case plaintext
        /// TLS with the system's root certificates, or with the certificates of a PEM file instead.
        case tls(caFile: String?)
    }

    /// Google's Fleet Engine, with the system's root certificates.
    public static let google = ServerEndpoint(host: "fleetengine.googleapis.com", port: 443, security: .tls(caFile: nil))

    /// Host name or address, without brackets round an IPv6 address.
    public let host: String
    /// Port, 1 to 65,535.
    public let port: Int
    /// Whether the connection uses TLS, and with which root certificates.
    public let security: Security

    init(host: String, port: Int, security: Security) {
        self.host = host
        self.port = port
        self.security = security
    }

    /// Reads `HOST:PORT`, `HOST` (port 443) or `[IPv6]:PORT`.
    /// - Throws: `ServerEndpointError` that shows the accepted form.
    public init(_ text: String, security: Security) throws(ServerEndpointError) {
        let parts = try Self.split(text)
        guard let port = parts.port.map(Int.init) ?? 443, (1...65_535).contains(port) else {
            throw ServerEndpointError(description: "the port of '\(text)' is not a number from 1 to 65535")
        }
        guard !parts.host.isEmpty, parts.host.utf8.count <= 255,
            parts.host.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && !"/[]".utf8.contains($0) })
        else { throw ServerEndpointError(description: "'\(text)' is not a server address; use HOST:PORT, such as 127.0.0.1:50051") }
        self.init(host: parts.host, port: port, security: security)
    }

    private static func split(_ text: String) throws(ServerEndpointError) -> (host: String, port: String?) {
        if text.hasPrefix("["), let end = text.firstIndex(of: "]") {
            let host = String(text[text.index(after: text.startIndex)..<end])
            let rest = text[text.index(after: end)...]
            if rest.isEmpty { return (host, nil) }
            guard rest.hasPrefix(":") else {
                throw ServerEndpointError(description: "'\(text)' is not a server address; for IPv6, use [ADDRESS]:PORT")
            }
            return (host, String(rest.dropFirst()))
        }
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        if parts.count > 2 { return (text, nil) }
        return (String(parts[0]), parts.count == 2 ? String(parts[1]) : nil)
    }

    /// Whether the host is this machine, so that data sent to it does not leave the machine.
    public var isLoopback: Bool { LoopbackHost.contains(host) }

    /// Whether the host is Google's own server, which limits the rate of calls.
    public var isGoogle: Bool { host == "googleapis.com" || host.hasSuffix(".googleapis.com") }

    public var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
}

/// The error for text that is not the address of a server.
public struct ServerEndpointError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The fault in the text, and the accepted form.
    public let description: String
}
