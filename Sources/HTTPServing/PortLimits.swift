package import NIOCore

/// The limits of a port.
public struct PortLimits: Hashable, Sendable {
    /// The most connections at the same time.
    public var connections = 1_000
    /// The most connections of one address; nil for a quarter of `connections`, and for all of them for this machine.
    public var connectionsPerAddress: Int?
    /// The most bytes of an HTTP request's path, header names and header values together.
    public var headerBytes = 16 * 1_024
    /// The longest time from accept, or from the last answer, to a complete header, and between two parts of a body. Seconds.
    public var headerSeconds = 30.0

    /// 1,000 connections, headers of 16 KiB within 30 s.
    public init() {}
}

extension TimeAmount {
    package init(seconds: Double) { self = .nanoseconds(Int64((min(max(seconds, 0), 1e9) * 1e9).rounded())) }
}
