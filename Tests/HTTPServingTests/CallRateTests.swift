import FleetEngine
import Synchronization
import Testing

@testable import HTTPServing

@Suite("The call rate of one caller", .timeLimit(.minutes(1)))
struct CallRateTests {
    /// A clock that only moves when the test advances it.
    private final class Clock: Sendable {
        private let moment = Mutex(ContinuousClock.now)

        var now: ContinuousClock.Instant { moment.withLock { $0 } }

        func advance(by duration: Duration) { moment.withLock { $0 += duration } }
    }

    /// Makes calls until one is refused.
    /// - Returns: the number of accepted calls, and the error of the refused call.
    private func calls(_ rate: CallRate<String>, _ caller: String) -> (taken: Int, refusal: FleetEngineError) {
        var taken = 0
        while true {
            do throws(FleetEngineError) {
                try rate.take(caller)
                taken += 1
            } catch {
                return (taken, error)
            }
        }
    }

    @Test("after a rest, a caller may make the calls of two seconds at once, and then as many as its rate allows")
    func pace() {
        let clock = Clock()
        let rate = CallRate<String>(perSecond: 10) { clock.now }
        let (taken, refusal) = calls(rate, "a")
        #expect(taken == 20 && refusal.code == .resourceExhausted && refusal.message.contains("10 calls a second"))
        #expect(refusal.retryDelaySeconds == 0.1)
        clock.advance(by: .milliseconds(350))
        #expect(calls(rate, "a").taken == 3)
        clock.advance(by: .seconds(60))
        #expect(calls(rate, "a").taken == 20)
    }

    @Test("a refused caller does not keep others from their calls, and a check uses up no call")
    func others() throws {
        let clock = Clock()
        let rate = CallRate<String>(perSecond: 1) { clock.now }
        try rate.check("a")
        #expect(calls(rate, "a").taken == 2)
        #expect(throws: FleetEngineError.self) { try rate.check("a") }
        #expect(calls(rate, "b").taken == 2)
    }

    @Test("callers who rest are forgotten; if there are too many callers to remember, some are forgotten too")
    func memory() throws {
        let clock = Clock()
        let rate = CallRate<String>(perSecond: 1) { clock.now }
        for number in 0..<rate.remembered { try rate.take("\(number)") }
        #expect(rate.count == rate.remembered)
        clock.advance(by: .seconds(1))
        #expect(calls(rate, "a").taken == 2 && rate.count == 1)
        for number in 0..<rate.remembered { try rate.take("\(number)") }
        #expect(rate.count < rate.remembered)
    }
}
