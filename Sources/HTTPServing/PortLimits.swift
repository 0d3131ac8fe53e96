package import NIOCore

/// What a port takes from the network.
public struct PortLimits: Hashable, Sendable {
    /// Connections that it serves at the same time.
    public var connections = 1_000
    /// Connections that it serves of one address. Nil: a quarter of `connections`, and of this machine's own addresses all.
    public var connectionsPerAddress: Int?
    /// Names and values of an HTTP request's header and its path together, bytes.
    public var headerBytes = 16 * 1_024
    /// Until an HTTP request's header is complete, from accept or from the last answer; and between two parts of a body. Seconds.
    public var headerSeconds = 30.0

    /// 1,000 connections, headers of 16 KiB within 30 s.
    public init() {}
}

extension TimeAmount {
    package init(seconds: Double) { self = .nanoseconds(Int64((min(max(seconds, 0), 1e9) * 1e9).rounded())) }
}
