import NIOCore

/// A connection is not tried yet, because the one before it ended without an answer.
struct UnansweredConnection: Error {}

/// Pause before the next connection, after a usable one that brought no answer.
///
/// The transport paces connections that fail before HTTP/2 is up, but after a later end it connects again at once. It would reconnect
/// without a pause to a server that sends SETTINGS and then GOAWAY. An attempt that comes too early fails here, and the transport then
/// waits as after any other failure.
struct ConnectionPace {
    private static let shortestRest = TimeAmount.seconds(1)
    private static let longestRest = TimeAmount.seconds(5)

    private var rest = shortestRest
    private var restsUntil: NIODeadline?
    private var isTrying = false

    /// Whether a connection may be tried. No second one is tried until this one is usable or has failed: the transport may want two at
    /// once.
    mutating func tries(at now: NIODeadline) -> Bool {
        guard !isTrying, restsUntil.map({ now >= $0 }) ?? true else { return false }
        isTrying = true
        return true
    }

    /// Records that a connection failed before it was usable. The transport paces the next one, and tries another address at once.
    mutating func failed() { isTrying = false }

    /// Records that a connection is usable. It counts as failed until a call is answered.
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
