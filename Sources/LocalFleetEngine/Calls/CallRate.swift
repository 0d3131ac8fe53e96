import FleetEngine
import Synchronization

/// Counts how fast each caller makes calls, and refuses those that come too fast.
///
/// A caller may make `perSecond` calls a second, and twice as many at once after a rest. Of each caller one moment is remembered: when all its
/// calls are given back. A caller whose moment has passed is forgotten.
final class CallRate: Sendable {
    /// Callers that are remembered. Where more are there at once, all begin anew.
    static let remembered = 10_000

    private let perSecond: Int
    private let interval: Duration
    /// What a caller may be ahead of its pace.
    private let lead: Duration
    private let now: @Sendable () -> ContinuousClock.Instant
    private let moments = Mutex<[Caller: ContinuousClock.Instant]>([:])

    /// - Parameters:
    ///   - perSecond: 1 or more.
    ///   - now: a clock that never goes back.
    init(perSecond: Int, now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }) {
        self.perSecond = max(1, perSecond)
        self.now = now
        interval = .seconds(1) / self.perSecond
        lead = .seconds(2) - interval
    }

    /// Callers that are remembered now.
    var count: Int { moments.withLock { $0.count } }

    /// Takes a call.
    /// - Throws: RESOURCE_EXHAUSTED with the time until the caller may make the next one; then none is taken.
    func take(_ caller: Caller) throws(FleetEngineError) {
        let now = now()
        let wait = moments.withLock { moments -> Duration in
            let known = moments[caller]
            let moment = max(known ?? now, now)
            let wait = now.duration(to: moment) - lead
            guard wait <= .zero else { return wait }
            if known == nil, moments.count >= Self.remembered { Self.forget(&moments, now) }
            moments[caller] = moment.advanced(by: interval)
            return wait
        }
        try refuse(after: wait)
    }

    /// Refuses a caller that has no call left.
    /// - Throws: RESOURCE_EXHAUSTED, as `take` does.
    func check(_ caller: Caller) throws(FleetEngineError) {
        let now = now()
        guard let moment = moments.withLock({ $0[caller] }) else { return }
        try refuse(after: now.duration(to: moment) - lead)
    }

    private func refuse(after wait: Duration) throws(FleetEngineError) {
        guard wait > .zero else { return }
        throw FleetEngineError(
            code: .resourceExhausted, message: "this server takes \(perSecond) calls a second of one caller: try again in a moment",
            details: [.retryInfo(delaySeconds: wait / .seconds(1))])
    }

    /// Makes room for a good while, so that this is seldom done.
    private static func forget(_ moments: inout [Caller: ContinuousClock.Instant], _ now: ContinuousClock.Instant) {
        moments = moments.filter { $0.value > now }
        if moments.count > remembered / 2 { moments = [:] }
    }
}
