import FoundationEssentials
import JourneySharing
import TerminalCanvas
import Testing

@testable import TripWatchApp

@Suite("Frames that are known before their time")
struct ForesightTests {
    private let theme = ThemeCatalog().load("harbour-dark", depth: .palette256).theme

    private func scenario(_ name: String) throws -> Scenario {
        try #require(Scenario.named(name, size: Size(columns: 80, rows: 24)), "\(name)")
    }

    @Test(
        "what is foreseen is what comes, for as long as time makes no news",
        arguments: ["approaching", "riding", "quiet", "not-live", "offline", "here", "overdue"])
    func same(name: String) throws {
        var lived = try scenario(name)
        let (view, other) = (AppView(), AppView())
        var foreseen = 0
        for _ in 0..<40 {
            guard let next = lived.state.nextChange(stepSeconds: 0.1) else { break }
            let moment = max(next, lived.state.now.addingTimeInterval(0.1))
            let seen = lived.state.foreseen(at: moment)
            let further = seen.flatMap { state in state.nextChange(stepSeconds: 0.1).flatMap { state.foreseen(at: max($0, moment + 0.1)) } }
            lived.tick(at: moment)
            if let seen {
                #expect(view.canvas(seen, theme: theme) == other.canvas(lived.state, theme: theme), "\(name) at \(moment)")
                foreseen += 1
            }
            guard let further else { continue }
            lived.tick(at: further.now)
            #expect(view.canvas(further, theme: theme) == other.canvas(lived.state, theme: theme), "\(name) at \(further.now)")
            foreseen += 1
        }
        #expect(foreseen > 10, "\(name)")
    }

    @Test("nothing is foreseen under what lies over the map, of several trips, of the past, nor beyond the next news")
    func nothing() throws {
        let scenario = try scenario("approaching")
        let (state, next) = (scenario.state, scenario.state.now + 1)
        #expect(state.foreseen(at: next) != nil && state.foreseen(at: state.now) == nil && state.foreseen(at: state.now - 1) == nil)
        for key in ["?", "L", "b"] {
            var covered = scenario
            covered.press(key)
            #expect(covered.state.foreseen(at: next) == nil, "\(key)")
        }
        #expect(try self.scenario("several").state.foreseen(at: next) == nil)
        let news = try #require(state.newsDueAt)
        #expect(state.foreseen(at: news) == nil && state.foreseen(at: news + 1) == nil)
    }

    @Test("nothing is foreseen beyond the next answer, while that is to come")
    func answer() throws {
        let state = try scenario("approaching").state
        let journey = try #require(state.page?.journey)
        let next = try #require(journey.lastAnswerAt) + journey.pollIntervalSeconds
        #expect(next > state.now && state.foreseen(at: next) != nil && state.foreseen(at: next + 0.1) == nil)
        // One that is late is not waited for.
        var late = try scenario("approaching")
        late.tick(at: next + 1)
        #expect(late.state.foreseen(at: next + 2) != nil)
    }
}
