package import FleetEngine
import Synchronization

/// Limits the rate of each caller's calls, and refuses calls above it.
///
/// A caller may make `perSecond` calls per second. After a pause, it may make twice this number at once. For each caller, the
/// limiter stores the time at which the caller's allowance is full again.
package final class CallRate<Caller: Hashable & Sendable>: Sendable {
    /// Maximum number of callers that are stored. When it is reached, callers with a full allowance are removed. If more than half of
    /// the maximum number remain, all are removed.
    let remembered = 10_000

    private let perSecond: Int
    private let interval: Duration
    /// The longest time by which a caller may run ahead of its rate. It limits the size of a burst.
    private let lead: Duration
    private let now: @Sendable () -> ContinuousClock.Instant
    private let moments = Mutex<[Caller: ContinuousClock.Instant]>([:])

    /// - Parameters:
    ///   - perSecond: calls per second of one caller, at least 1.
    ///   - now: a clock that never goes back.
    package init(perSecond: Int, now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }) {
        self.perSecond = max(1, perSecond)
        self.now = now
        interval = .seconds(1) / self.perSecond
        lead = .seconds(2) - interval
    }

    /// Number of callers that are stored now.
    var count: Int { moments.withLock { $0.count } }

    /// Counts a call.
    /// - Throws: RESOURCE_EXHAUSTED with the time after which the caller may call again. A refused call is not counted.
    package func take(_ caller: Caller) throws(FleetEngineError) {
        let now = now()
        let wait = moments.withLock { moments -> Duration in
            let known = moments[caller]
            let moment = max(known ?? now, now)
            let wait = now.duration(to: moment) - lead
            guard wait <= .zero else { return wait }
            if known == nil, moments.count >= remembered { Self.forget(&moments, now, above: remembered / 2) }
            moments[caller] = moment.advanced(by: interval)
            return wait
        }
        try refuse(after: wait)
    }

    /// Refuses a caller whose allowance is used up. Counts nothing.
    /// - Throws: RESOURCE_EXHAUSTED, as `take` does.
    package func check(_ caller: Caller) throws(FleetEngineError) {
        let now = now()
        guard let moment = moments.withLock({ $0[caller] }) else { return }
        try refuse(after: now.duration(to: moment) - lead)
    }

    private func refuse(after wait: Duration) throws(FleetEngineError) {
        guard wait > .zero else { return }
        throw FleetEngineError(
            code: .resourceExhausted,
            message: "this server accepts at most \(perSecond) calls a second from one caller: try again in a moment",
            details: [.retryInfo(delaySeconds: wait / .seconds(1))])
    }

    /// Removes callers with a full allowance. If more than `half` callers remain, removes all, so that this function runs rarely.
    private static func forget(_ moments: inout [Caller: ContinuousClock.Instant], _ now: ContinuousClock.Instant, above half: Int) {
        moments = moments.filter { $0.value > now }
        if moments.count > half { moments = [:] }
    }
}
