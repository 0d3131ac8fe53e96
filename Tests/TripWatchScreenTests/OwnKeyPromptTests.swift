import FleetEngine
import TerminalCanvas
import Testing
import TripWatchWords

@testable import TripWatchScreen
@testable import TripWatchSettings

@Suite("Texts that name a key name the user's own key")
struct OwnKeyPromptTests {
    private static let plain = Theme(name: "plain", looks: [:], depth: .none)

    private func own(_ keys: [AppAction: String]) throws -> [OwnKeys] {
        try keys.sorted { $0.key.rawValue < $1.key.rawValue }
            .map { action, word in
                if word.isEmpty { return OwnKeys(action, []) }
                return OwnKeys(action, [try #require(Key(word))])
            }
    }

    /// Returns the hint below the driver's headline.
    private func hint(_ shift: MadeUpShift) -> String? { shift.state.driveWords?.eta.stopwatch }

    private func text(_ state: AppState) -> String { AppView().canvas(state, theme: Self.plain).text() }

    private func shift(_ keys: [AppAction: String], size: Size = Size(columns: 80, rows: 24)) throws -> MadeUpShift {
        let own = try own(keys)
        var shift = try MadeUpShift(size: size) { options, _ in options.ownKeys = own }
        shift.wait()
        return shift
    }

    private func rider(_ scenario: String, _ keys: [AppAction: String], _ columns: Int = 80, _ rows: Int = 24) throws -> Scenario {
        let own = try own(keys)
        let options = Scenario.options {
            $0.ownKeys = own
            $0.noLinkReason = nil
        }
        return try #require(Scenario.named(scenario, size: Size(columns: columns, rows: rows), options: options))
    }

    @Test("on the driver's screen")
    func driver() throws {
        var shift = try shift([.quit: "Q", .accept: "A", .decline: "X", .arrived: "V", .goOn: "N"])
        try shift.offer()
        #expect(hint(shift) == "A accept  X decline")
        try shift.approach()
        try shift.press("N")
        #expect(text(shift.state).contains("Report your arrival first (V)."))
        try shift.press("V")
        #expect(text(shift.state).contains("Press V again to report your arrival."))
        try shift.press("Q")
        #expect(text(shift.state).contains("A trip is under way. Press Q again to end the shift."))
        shift.arrive()
        #expect(hint(shift) == "V: arrived")
        try shift.stand()
        #expect(hint(shift) == "N: rider on board")
        try shift.press("V")
        #expect(text(shift.state).contains("Press N to continue."))
        try shift.press("Q Q")
        #expect(shift.effects.last == .quit(code: 0))
    }

    @Test("on a driver's screen that is too small for panels, beside a trip under way too")
    func smallDriver() throws {
        let size = Size(columns: 15, rows: 5)
        var moved = try shift([.accept: "A"], size: size)
        try moved.offer()
        #expect(text(moved.state).contains("A accept"), "\(text(moved.state))")
        try moved.approach()
        try moved.offer()
        #expect(text(moved.state).contains("NEW TRIP: A"), "\(text(moved.state))")
        var removed = try shift([.accept: ""], size: size)
        try removed.offer()
        #expect(!text(removed.state).contains("accept"), "\(text(removed.state))")
        try removed.approach()
        try removed.offer()
        #expect(text(removed.state).contains("NEW TRIP") && !text(removed.state).contains("NEW TRIP:"), "\(text(removed.state))")
    }

    @Test("an action without a key is not offered; if quitting has no key, Ctrl-C is named")
    func noKeys() throws {
        var shift = try shift([.decline: "", .goOn: ""])
        try shift.offer()
        #expect(hint(shift) == "a accept")
        try shift.stand()
        #expect(hint(shift) == "")
        try shift.press("v")
        #expect(shift.state.notice?.text == "You have already arrived.")
        var scenario = try rider("approaching", [.quit: ""])
        scenario.press("L D")
        #expect(scenario.state.notice?.text.hasPrefix("This is the only trip; press Ctrl-C to quit.") == true)
    }

    @Test("in the corner and in the panels of small screens")
    func small() throws {
        let keys: [AppAction: String] = [.quit: "Q", .help: "H", .back: "z"]
        #expect(text(try rider("approaching", keys, 20, 3).state).contains(" H  Q"))
        var wider = try rider("approaching", keys, 30, 6)
        #expect(text(wider.state).contains("H help  Q quit"), "\(text(wider.state))")
        wider.press("H")
        #expect(text(wider.state).contains("KEYS  z "), "\(text(wider.state))")
        wider.press("z")
        #expect(!text(wider.state).contains("KEYS"))
        var removed = try rider("approaching", [.quit: "", .back: ""], 30, 6)
        #expect(text(removed.state).contains("?  Ctrl-C") && !text(removed.state).contains("quit"), "\(text(removed.state))")
        removed.press("?")
        #expect(text(removed.state).contains("KEYS  ") && !text(removed.state).contains("Esc"), "\(text(removed.state))")
        let silent = try rider("approaching", [.help: ""], 20, 3)
        #expect(text(silent.state).contains(" q") && !text(silent.state).contains("?"), "\(text(silent.state))")
    }

    @Test("in the list of trips")
    func list() throws {
        var scenario = try rider("approaching", [.quit: "Q", .openMarker: "o", .details: "z"])
        scenario.press("L")
        scenario.fail("14:07:31", Scenario.expired, retryIn: 30, attempt: 1)
        #expect(ListWords(scenario.state, rows: 10).summary.hasSuffix("needs attention: press o, then z."))
        scenario.press("D")
        #expect(scenario.state.notice?.text.hasPrefix("This is the only trip; press Q to quit.") == true)
        scenario.press("f")
        #expect(scenario.state.notice?.text == "The list has no map; press o to open the page.")
        scenario.press("S")
        #expect(scenario.state.notice?.text == "This works only on a trip's page; press o to open it.")
    }

    @Test("in the banner of a failure, and in the panel of a link")
    func page() throws {
        let stopped = try rider("stopped", [.refresh: "R"])
        #expect(text(stopped.state).contains("Then press R."))
        let silent = try rider("stopped", [.refresh: ""])
        #expect(text(silent.state).contains("Do this: Get a new token.") && !text(silent.state).contains("Then press"))
        var sharing = try rider("approaching", [.back: "z", .shareLink: "f5"])
        let trip = try #require(sharing.state.page?.name)
        sharing.press("f5")
        sharing.send(.link(.failed("Set share_port to another port."), for: .trip(trip)))
        #expect(text(sharing.state).contains("z closes ∙ F5 tries again"))
    }

    @Test("the panel of a link never names the key that ends the link as the one that closes it, and names q if no key goes back")
    func closingLink() throws {
        for (back, other) in [("D", "W"), ("", "D")] {
            var scenario = try rider("approaching", [.back: back, .stopWatching: other], 120, 40)
            let trip = try #require(scenario.state.page?.name)
            scenario.press("S")
            scenario.send(.link(.served(ServedLink(address: "https://rides.example/s/AAAA", remark: "Made up.")), for: .trip(trip)))
            #expect(text(scenario.state).contains("q closes") && !text(scenario.state).contains("D closes"), "\(text(scenario.state))")
            scenario.press("q")
            #expect(scenario.state.overlay == nil)
            #expect(scenario.effects.allSatisfy { $0 != .endLink(.trip(trip)) })
        }
    }
}
