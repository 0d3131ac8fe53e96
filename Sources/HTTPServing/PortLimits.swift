package import NIOCore

/// The limits of a port.
public struct PortLimits: Hashable, Sendable {
    /// Maximum number of simultaneous connections.
    public var connections = 1_000
    /// Maximum number of connections of one address. Nil stands for a quarter of `connections`, and for no limit for this machine's own
    /// addresses.
    public var connectionsPerAddress: Int?
    /// Maximum size of an HTTP request's path, header names and header values together, bytes.
    public var headerBytes = 16 * 1_024
    /// Maximum time from accept, or from the last answer, to a complete header, and between two parts of a body, seconds.
    public var headerSeconds = 30.0

    /// Creates limits of 1,000 connections, and of 16 KiB and 30 s for a header.
    public init() {}
}

extension TimeAmount {
    package init(seconds: Double) { self = .nanoseconds(Int64((min(max(seconds, 0), 1e9) * 1e9).rounded())) }
}
