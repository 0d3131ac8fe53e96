import NIOCore

/// The error of a connection attempt that has to wait: the last connection brought no answer, or another attempt is under way.
struct UnansweredConnection: Error {}

/// Pause before the next connection, after a usable connection on which no call was answered.
///
/// The transport paces connections that fail before HTTP/2 is up, but when a connection ends later, the transport reconnects at once. To a
/// server that sends SETTINGS and then GOAWAY, it would reconnect without a pause. An attempt that comes too early fails here, and the
/// transport then waits as after any other failure.
struct ConnectionPace {
    private static let shortestRest = TimeAmount.seconds(1)
    private static let longestRest = TimeAmount.seconds(5)

    private var rest = shortestRest
    private var restsUntil: NIODeadline?
    private var isTrying = false

    /// Whether a connection may be tried now. No second connection is tried until the first is usable or has failed, because the transport
    /// may try two at once.
    mutating func tries(at now: NIODeadline) -> Bool {
        guard !isTrying, restsUntil.map({ now >= $0 }) ?? true else { return false }
        isTrying = true
        return true
    }

    /// Records that a connection failed before it was usable. The transport paces the next attempt, and tries another address at once.
    mutating func failed() { isTrying = false }

    /// Records that a connection is usable. The connection counts as failed until a call is answered.
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
