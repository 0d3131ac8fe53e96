import FleetEngine
package import NIOCore

/// The limits of a port.
public struct PortLimits: Hashable, Sendable {
    /// The default limit on calls per second from one caller, for a port that other machines can reach.
    static let outsideCalls = 100

    /// The maximum number of simultaneous connections.
    public var connections = 1_000
    /// The maximum number of connections from one address. Nil means a quarter of `connections`, and no limit for this machine's own
    /// addresses.
    public var connectionsPerAddress: Int?
    /// The maximum total size of an HTTP request's path, header names and header values, in bytes. A token that names the 500 tasks of a
    /// batch needs nearly half of it.
    public var headerBytes = 64 * 1_024
    /// The maximum time until a header is complete, in seconds. The time starts when the connection is accepted, and starts again
    /// after each answer. The same limit applies to the time between two pieces of a body.
    public var headerSeconds = 30.0

    /// Creates the default limits: 1,000 connections, and 64 KiB and 30 s for a header.
    public init() {}

    /// Returns the default limit on calls per second from one caller. Nil, which means no limit, if only this machine can reach the port.
    package static func callsPerSecond(listening host: String) -> Int? { LoopbackHost.contains(host) ? nil : outsideCalls }
}

extension TimeAmount {
    package init(seconds: Double) { self = .nanoseconds(Int64((min(max(seconds, 0), 1e9) * 1e9).rounded())) }
}
