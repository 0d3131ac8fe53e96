import FoundationEssentials
import TerminalCanvas
import Testing

@testable import TripWatchApp

@Suite("When frames are drawn")
struct FramePacerTests {
    private func start(_ name: String = "approaching") throws -> Scenario {
        try #require(Scenario.named(name, size: Size(columns: 80, rows: 24)))
    }

    @Test("equal states are not drawn twice, changed ones at most ten times a second")
    func pace() throws {
        var scenario = try start()
        var pacer = FramePacer(isRemote: false)
        var drawn: [Bool] = []
        func draw(after seconds: Double, isUrgent: Bool = false) {
            drawn.append(pacer.claimFrame(scenario.state, now: scenario.state.now.addingTimeInterval(seconds), isUrgent: isUrgent))
        }
        draw(after: 0)
        draw(after: 0)
        scenario.press("right")
        draw(after: 0.05)
        draw(after: 0.1)
        scenario.press("left")
        draw(after: 0.1)
        draw(after: 0.1, isUrgent: true)
        #expect(drawn == [true, false, false, true, false, true])
    }

    @Test("a quiet screen changes once a second, because of an age; a finished one once a minute")
    func standing() throws {
        for (name, frames) in [("quiet", 10), ("complete", 1)] {
            var scenario = try start(name)
            var pacer = FramePacer(isRemote: false)
            let begin = scenario.state.now
            var count = 0
            for step in 0..<100 {
                scenario.tick(at: begin.addingTimeInterval(Double(step) / 10))
                if pacer.claimFrame(scenario.state, now: scenario.state.now) { count += 1 }
            }
            #expect(count <= frames + 1, "\(name): \(count)")
        }
    }

    /// The last dot of a dotted line may come a moment late; nothing else may.
    @Test("what is not drawn would have looked the same", arguments: ["approaching", "riding", "offline", "here", "not-live"])
    func nothingMissed(name: String) throws {
        var scenario = try start(name)
        var pacer = FramePacer(isRemote: false)
        let view = AppView()
        let theme = ThemeCatalog().load("harbour-dark", depth: .palette256).theme
        let begin = scenario.state.now
        var shown: Canvas?
        for step in 0..<70 {
            scenario.tick(at: begin.addingTimeInterval(Double(step) / 5))
            let canvas = view.canvas(scenario.state, theme: theme)
            if pacer.claimFrame(scenario.state, now: scenario.state.now) { shown = canvas }
            let (old, new) = (shown?.text().split(separator: "\n") ?? [], canvas.text().split(separator: "\n"))
            let differences = zip(old, new).flatMap { zip($0, $1).filter { $0 != $1 } }
            #expect(old.count == new.count && differences.count <= 1, "step \(step): \(differences)")
        }
    }

    @Test("the clock ticks with the car, else with the seconds")
    func ticks() throws {
        var scenario = try start()
        let pacer = FramePacer(isRemote: true)
        scenario.tick("14:07:16")
        #expect(scenario.state.page?.isGliding == true)
        #expect((0.5...1).contains(pacer.tickSeconds(scenario.state)))
        let near = FramePacer(isRemote: false)
        let glide = near.tickSeconds(scenario.state)
        #expect((0.1...0.6).contains(glide))
        for _ in 0..<30 { scenario.press("+") }
        #expect(near.tickSeconds(scenario.state) == 0.1)
        let waiting = try start("here")
        #expect(pacer.tickSeconds(waiting.state) == 1)
    }
}
