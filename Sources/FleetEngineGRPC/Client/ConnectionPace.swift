import NIOCore

/// A connection is not tried yet: the one before it ended without an answer.
struct UnansweredConnection: Error {}

/// When the next connection may be tried after one that could be used but brought no answer.
///
/// The transport paces connections that fail before HTTP/2 is up. It connects again at once after one that ends later, so that a server
/// that sends SETTINGS and then GOAWAY would be asked without a pause. An attempt that comes too early fails here, and the transport then
/// waits as after any other failure.
struct ConnectionPace {
    private static let shortestRest = TimeAmount.seconds(1)
    private static let longestRest = TimeAmount.seconds(5)

    private var rest = shortestRest
    private var restsUntil: NIODeadline?
    private var isTrying = false

    /// Whether a connection may be tried. No other one is tried until it can be used or has failed: the transport may want two at once.
    mutating func tries(at now: NIODeadline) -> Bool {
        guard !isTrying, restsUntil.map({ now >= $0 }) ?? true else { return false }
        isTrying = true
        return true
    }

    /// A connection failed before it could be used. The transport paces the next one by itself, and tries another address at once.
    mutating func failed() { isTrying = false }

    /// A connection can be used, and counts as failed until a call is answered.
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
