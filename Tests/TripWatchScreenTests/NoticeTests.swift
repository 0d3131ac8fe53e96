import TerminalCanvas
import Testing
import TripWatchWords

@testable import TripWatchScreen
@testable import TripWatchSettings

@Suite("Notices and questions that need more than one row")
struct NoticeTests {
    private static let notice =
        "Not exported: 7f3a-northgate.geojson cannot be written, since the disk is full or the folder belongs to somebody else."

    /// Returns the visible text as a single line.
    private func words(_ scenario: Scenario) -> String {
        let theme = Theme(name: "plain", looks: [:], depth: .none)
        return AppView().canvas(scenario.state, theme: theme).text().split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }

    @Test(
        "a notice is shown completely on every screen that has room for it", arguments: [(40, 15), (36, 8), (60, 16), (80, 24), (120, 40)],
        ["", "L"])
    func notice(size: (columns: Int, rows: Int), keys: String) throws {
        var scenario = try #require(Scenario.named("several", size: Size(columns: size.columns, rows: size.rows)))
        if !keys.isEmpty { scenario.press(keys) }
        scenario.send(.notice(Self.notice))
        if size.columns == 120, keys.isEmpty {
            // Words about the connection may come between the lines of the notice, so each word is checked alone.
            for word in Self.notice.split(separator: " ") { #expect(words(scenario).contains(word), "\(word)") }
        } else {
            #expect(words(scenario).contains(Self.notice), "\(words(scenario))")
        }
        scenario.send(.noticeEnded(scenario.state.notice?.number ?? 0))
        #expect(!words(scenario).contains("Not exported"))
    }

    @Test("a notice is not shown twice", arguments: [(40, 15), (60, 16), (80, 24)])
    func once(columns: Int, rows: Int) throws {
        var scenario = try #require(Scenario.named("approaching", size: Size(columns: columns, rows: rows)))
        scenario.send(.notice(Self.notice))
        #expect(words(scenario).split(separator: "Not exported").count == 2, "\(words(scenario))")
    }

    @Test("nothing is asked, chosen or answered if there is no room to show it", arguments: ["x tab enter", "L D", "? q"])
    func unseen(keys: String) throws {
        let size = Size(columns: 19, rows: 3)
        var scenario = try #require(Scenario.named("several", size: size, options: Scenario.options { $0.cancelling = .available }))
        let count = scenario.state.pages.count
        scenario.press(keys)
        #expect(scenario.state.overlay == nil && scenario.state.list == nil && scenario.state.pages.count == count)
        #expect(!scenario.effects.contains { if case .cancelTrip = $0 { true } else { false } })

        // If the terminal becomes too small, an open question is kept, but cannot be answered.
        scenario.send(.resize(Size(columns: 80, rows: 24)))
        scenario.press("x tab")
        scenario.send(.resize(size))
        scenario.press("enter")
        #expect(words(scenario).contains("needs 20x3"), "\(words(scenario))")
        scenario.send(.resize(Size(columns: 80, rows: 24)))
        #expect(words(scenario).contains("Cancel this trip?"), "\(words(scenario))")
        #expect(!scenario.effects.contains { if case .cancelTrip = $0 { true } else { false } })
    }

    @Test(
        "the question before cancelling, and the reason of its failure, are shown completely in a corner of a screen",
        arguments: [(40, 15), (44, 20), (80, 24)])
    func question(columns: Int, rows: Int) throws {
        var scenario = try #require(
            Scenario.named(
                "approaching", size: Size(columns: columns, rows: rows), options: Scenario.options { $0.cancelling = .available }))
        scenario.press("x")
        let asked = words(scenario)
        for part in ["Cancel this trip?", "The provider may charge a fee."] { #expect(asked.contains(part), "\(asked)") }
        for word in ["Tab", "chooses", "Enter", "confirms", "Esc", "goes", "back"] { #expect(asked.contains(word), "\(asked)") }
        #expect(!asked.contains("⋯"), "\(asked)")
        let name = try #require(scenario.state.page?.name)
        scenario.press("tab enter")
        let reason = "the provider says that the car has been waiting for ten minutes and that nothing can be cancelled any more."
        scenario.send(.cancelResult(.failed(reason), for: name))
        let failed = words(scenario).filter { !"⡇⢸".contains($0) }.split(separator: " ").joined(separator: " ")
        for word in reason.split(separator: " ") { #expect(failed.contains(word), "\(word): \(failed)") }
    }
}
