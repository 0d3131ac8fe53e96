/// The address at which a server listens.
public struct ServerAddress: Hashable, Sendable, CustomStringConvertible {
    /// The IP address.
    public var host: String
    /// The port, from 0 to 65,535; 0 until the system has chosen one.
    public var port: Int

    /// The host and port, such as `127.0.0.1:50051` or `[::1]:50051`.
    public var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }

    /// Whether a server can listen at this host: an IPv4 or IPv6 address, with or without brackets, or `localhost`.
    public static func isListenable(_ host: String) -> Bool { ServerPort.found(host, port: 0) != nil }
}

/// The reason why a server cannot listen, in one sentence.
public struct ListenError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The sentence. It names the address or file that failed, and says why.
    public let description: String
    /// Whether another program is already using the port.
    public var isPortTaken = false
    /// Whether the port is below 1024 and this account is not allowed to use it.
    public var isPortPrivileged = false

    package init(description: String, isPortTaken: Bool = false, isPortPrivileged: Bool = false) {
        self.description = description
        self.isPortTaken = isPortTaken
        self.isPortPrivileged = isPortPrivileged
    }
}
