import FoundationEssentials
import Testing

@testable import WebRouting

@Suite("The pause after a router's failure")
struct RouterRestTests {
    private let start = Date(timeIntervalSince1970: 1_000)
    private let cause = WebRoutingError.noAnswer("does not answer (connection refused)")

    @Test("after a failure no request is sent, then one, then all")
    func onlyOne() throws {
        var rest = RouterRest(seed: 1)
        try rest.enter(now: start)
        let seconds = rest.didFail(cause, now: start)
        #expect((4...6).contains(seconds))
        #expect {
            try rest.enter(now: start + 1)
        } throws: { error in
            guard let refusal = error as? RouterRest.Refusal else { return false }
            return refusal.cause == cause && abs(refusal.seconds - (seconds - 1)) < 1e-6
        }
        let end = start + seconds + 0.001
        try rest.enter(now: end)
        #expect(throws: RouterRest.Refusal(cause: cause, seconds: 1)) { try rest.enter(now: end) }
        rest.didAnswer()
        try rest.enter(now: end)
        try rest.enter(now: end)
    }

    @Test("failures of simultaneous requests count once; successive failures lengthen the pause, up to about a minute")
    func longer() throws {
        var rest = RouterRest(seed: 1)
        let first = rest.didFail(cause, now: start)
        #expect(abs(rest.didFail(cause, now: start) - first) < 1e-6)
        var now = start + first + 0.001
        var last = first
        for _ in 0..<12 {
            try rest.enter(now: now)
            last = rest.didFail(cause, now: now)
            now += last + 0.001
        }
        #expect((48...72).contains(last))
    }

    @Test("the pause is as long as the router asks, up to an hour, and never shorter than otherwise")
    func asked() {
        func seconds(_ asked: Double) -> Double {
            var rest = RouterRest(seed: 1)
            return rest.didFail(.refused(status: 429, "", askedSeconds: asked), now: start)
        }
        #expect(seconds(600) == 600)
        #expect(seconds(1e9) == 3_600)
        #expect((4...6).contains(seconds(1)))
        var rest = RouterRest(seed: 1)
        _ = rest.didFail(cause, now: start)
        #expect(rest.didFail(.refused(status: 503, "", askedSeconds: 60), now: start + 1) == 60, "of two answers the longer wait counts")
        #expect(throws: RouterRest.Refusal.self) { try rest.enter(now: start + 60) }
    }

    @Test("if the trial request is given up without an answer, the next request is the trial")
    func stopped() throws {
        var rest = RouterRest(seed: 1)
        let seconds = rest.didFail(cause, now: start)
        try rest.enter(now: start + seconds + 0.001)
        rest.didStop()
        try rest.enter(now: start + seconds + 0.001)
    }
}
