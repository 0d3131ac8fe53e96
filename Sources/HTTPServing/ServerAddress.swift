/// Where a server listens.
public struct ServerAddress: Hashable, Sendable, CustomStringConvertible {
    /// An IP address.
    public var host: String
    /// 0 to 65,535; 0 only while the system has not chosen one yet.
    public var port: Int

    /// `127.0.0.1:50051`, `[::1]:50051`.
    public var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }

    /// Whether a server can be told to listen there: on an IPv4 or IPv6 address, with or without brackets, or `localhost`.
    public static func isListenable(_ host: String) -> Bool { ServerPort.found(host, port: 0) != nil }
}

/// Why a server does not listen. The text is one sentence.
public struct ListenError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Which address cannot be listened on, or which file cannot be used, and why.
    public let description: String
    /// Whether another program has the port.
    public var isPortTaken = false

    package init(description: String, isPortTaken: Bool = false) {
        self.description = description
        self.isPortTaken = isPortTaken
    }
}
