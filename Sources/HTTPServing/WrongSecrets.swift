import Synchronization

/// Limits the number of wrong keys, wrong tokens and wrong link addresses that one IP address may try.
///
/// An address may try `burst` different wrong secrets at once, and one more each second. Above this limit, every new secret from this
/// address gets the same refusal, so the answer does not reveal whether the secret is right. A repeated secret is not a new attempt.
package final class WrongSecrets: Sendable {
    /// The number of wrong secrets that one address may try at once after a pause.
    package static let burst = 100
    /// The time after which an address may try one more secret, in seconds.
    package static let secondsPerAttempt = 1
    /// The maximum number of remembered addresses, and of remembered secrets. When it is reached, at least half are removed.
    package static let remembered = 10_000

    /// The result of checking a secret that a caller has sent.
    package enum Verdict: Hashable, Sendable {
        case right
        case wrong
        /// Too many wrong secrets came from this address. `seconds` is the time until the next allowed attempt, 1 or more.
        case tooMany(seconds: Int)
    }

    /// A secret that an address has sent. Only a hash of the secret is stored, so that the secret itself is not in memory.
    private struct Shown: Hashable {
        let address: CallerAddress
        let hash: Int
    }

    private struct State {
        /// For each address, the time from which it may again try the full number of secrets at once.
        var moments: [CallerAddress: ContinuousClock.Instant] = [:]
        var shown: Set<Shown> = []
    }

    private let now: @Sendable () -> ContinuousClock.Instant
    private let state = Mutex(State())

    /// - Parameter now: returns the current time of a clock that never goes back.
    package init(now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }) { self.now = now }

    /// The number of addresses that are remembered now.
    package var count: Int { state.withLock { $0.moments.count } }

    /// Returns the result for a secret. A wrong secret is counted, unless this address has sent it before or has reached the limit.
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

    /// Removes the addresses that may again try the full number of secrets. If more than ``remembered`` / 2 addresses are left, removes all
    /// of them, so that this method runs rarely.
    private static func forget(_ moments: inout [CallerAddress: ContinuousClock.Instant], _ now: ContinuousClock.Instant) {
        moments = moments.filter { $0.value > now }
        if moments.count > remembered / 2 { moments = [:] }
    }
}
