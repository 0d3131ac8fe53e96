import Synchronization

/// Limits the wrong keys and link addresses that one caller's address may try.
///
/// An address may try `burst` different wrong secrets at once, and one more each second. Beyond it, every secret that is new from this
/// address gets the same refusal, so that the answer does not reveal a right one. A repeated secret does not count as a new attempt.
package final class WrongSecrets: Sendable {
    /// Number of wrong secrets that one address may try at once after a rest.
    package static let burst = 100
    /// Time after which an address may try one more secret, seconds.
    package static let secondsPerAttempt = 1
    /// Maximum number of remembered addresses, and of remembered secrets. Beyond it, they are forgotten.
    package static let remembered = 10_000

    /// The result for a secret that a caller has sent.
    package enum Verdict: Hashable, Sendable {
        case right
        case wrong
        /// Too many wrong secrets came from this address. `seconds` is the time until the next attempt, 1 or more.
        case tooMany(seconds: Int)
    }

    /// A secret that an address has sent. Only a hash of it is kept, so that the secret itself is not in memory.
    private struct Shown: Hashable {
        let address: CallerAddress
        let hash: Int
    }

    private struct State {
        /// The time at which an address has its full allowance again.
        var moments: [CallerAddress: ContinuousClock.Instant] = [:]
        var shown: Set<Shown> = []
    }

    private let now: @Sendable () -> ContinuousClock.Instant
    private let state = Mutex(State())

    /// - Parameter now: a clock that never goes back.
    package init(now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }) { self.now = now }

    /// Number of addresses that are remembered now.
    package var count: Int { state.withLock { $0.moments.count } }

    /// Judges a secret, and counts it if it is wrong and new from this address.
    ///
    /// - Parameters:
    ///   - secret: the text that the caller has sent.
    ///   - isRight: whether the secret is valid.
    ///   - address: address of the caller; nil for a caller without a limit.
    package func verdict(on secret: some StringProtocol, isRight: Bool, from address: CallerAddress?) -> Verdict {
        let plain = isRight ? Verdict.right : .wrong
        guard let address else { return plain }
        let shown = Shown(address: address, hash: String(secret).hashValue)
        let now = now()
        return state.withLock { state in
            if state.shown.contains(shown) { return plain }
            let moment = max(state.moments[address] ?? now, now)
            let wait = now.duration(to: moment) - .seconds((Self.burst - 1) * Self.secondsPerAttempt)
            guard wait <= .zero else { return .tooMany(seconds: max(1, Int((wait / .seconds(1)).rounded(.up)))) }
            if state.shown.count >= Self.remembered { state.shown = [] }
            state.shown.insert(shown)
            guard !isRight else { return plain }
            if state.moments[address] == nil, state.moments.count >= Self.remembered { Self.forget(&state.moments, now) }
            state.moments[address] = moment.advanced(by: .seconds(Self.secondsPerAttempt))
            return plain
        }
    }

    /// Keeps at most half of the maximum number, so that this runs rarely.
    private static func forget(_ moments: inout [CallerAddress: ContinuousClock.Instant], _ now: ContinuousClock.Instant) {
        moments = moments.filter { $0.value > now }
        if moments.count > remembered / 2 { moments = [:] }
    }
}
