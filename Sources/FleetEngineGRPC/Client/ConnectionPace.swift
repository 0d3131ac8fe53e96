import NIOCore

/// The error of a connection attempt that is made too early; see ``ConnectionPace/tries(at:)``.
struct UnansweredConnection: Error {}

/// The pause before the next connection attempt, if the last connection was usable but no call on it was answered.
///
/// The transport itself pauses only if a connection fails before HTTP/2 is set up. If a server sends SETTINGS and then GOAWAY,
/// the transport reconnects at once. `ConnectionPace` makes this attempt fail, because the transport then pauses.
struct ConnectionPace {
    private static let shortestRest = TimeAmount.seconds(1)
    private static let longestRest = TimeAmount.seconds(5)

    private var rest = shortestRest
    private var restsUntil: NIODeadline?
    private var isTrying = false

    /// Begins a connection attempt. Returns false during the pause, and while another attempt is in progress.
    mutating func tries(at now: NIODeadline) -> Bool {
        guard !isTrying, restsUntil.map({ now >= $0 }) ?? true else { return false }
        isTrying = true
        return true
    }

    /// Notes that a connection failed before it was usable. The transport itself then pauses, or tries another address at once.
    mutating func failed() { isTrying = false }

    /// Notes that a connection is usable, and starts the pause. An answered call ends it.
    mutating func connected(at now: NIODeadline) {
        isTrying = false
        restsUntil = now + rest
        rest = min(.nanoseconds(rest.nanoseconds / 5 * 8), Self.longestRest)
    }

    mutating func answered() {
        rest = Self.shortestRest
        restsUntil = nil
    }
}
