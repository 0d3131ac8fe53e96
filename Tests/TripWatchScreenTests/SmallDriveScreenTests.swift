import Driver
import FleetEngine
import TerminalCanvas
import TerminalMap
import Testing
import TripWatchWords

@testable import TripWatchScreen
@testable import TripWatchSettings

@Suite("A driver's terminal that is too small for the screen")
struct SmallDriveScreenTests {
    private func text(_ shift: MadeUpShift) -> String {
        AppView().canvas(shift.state, theme: Theme(name: "plain", looks: [:], depth: .none)).text()
    }

    private func isTold(_ command: DriverCommand, _ shift: MadeUpShift) -> Bool { shift.effects.contains(.tell(command)) }

    @Test("each key that is named works")
    func keys() throws {
        var shift = try MadeUpShift(size: Size(columns: 17, rows: 5))
        shift.wait()
        try shift.offer()
        #expect(text(shift).contains("a accept"), "\(text(shift))")
        try shift.press("a")
        #expect(isTold(.accept(try MadeUpShift.trip("t1").name), shift))
        try shift.approach()
        shift.arrive()
        #expect(text(shift).contains("v: arrived"), "\(text(shift))")
        try shift.press("v")
        #expect(isTold(.arrived, shift))
        try shift.stand()
        #expect(text(shift).contains("n: rider on board"), "\(text(shift))")
        try shift.press("n")
        #expect(isTold(.goOn, shift))
        var idle = try MadeUpShift(size: Size(columns: 17, rows: 5))
        idle.tell { shift, _ in
            shift.phase = .waiting
            shift.isOnline = false
        }
        #expect(text(idle).contains("o: go online"), "\(text(idle))")
        try idle.press("o")
        #expect(isTold(.setOnline(true), idle))
    }

    @Test("a trip can be declined where the key is named, and a refusal is shown")
    func decline() throws {
        var shift = try MadeUpShift(size: Size(columns: 19, rows: 4))
        shift.wait()
        try shift.offer()
        #expect(text(shift).contains("x decline"), "\(text(shift))")
        try shift.press("x")
        let name = try MadeUpShift.trip("t1").name
        #expect(shift.effects.contains(.decline(name)))
        shift.send(.declineResult(.failed("The provider says no."), for: name))
        #expect(text(shift).contains("Not declined"), "\(text(shift))")
    }

    @Test("without a provider, the key that declines is not named", arguments: [(19, 4), (30, 5)])
    func noProvider(columns: Int, rows: Int) throws {
        var shift = try MadeUpShift(size: Size(columns: columns, rows: rows)) { _, drive in drive.declining = .unavailable("made up") }
        shift.wait()
        try shift.offer()
        #expect(text(shift).contains("a accept") && !text(shift).contains("decline"), "\(text(shift))")
    }

    @Test(
        "during a trip, q asks in words that fit",
        arguments: [(8, "q again"), (10, "q again"), (12, "q: end shift"), (19, "q again: end shift")])
    func quit(columns: Int, question: String) throws {
        var shift = try MadeUpShift(size: Size(columns: columns, rows: 5))
        shift.wait()
        try shift.approach()
        try shift.press("q")
        #expect(text(shift).contains(question) && !shift.effects.contains(.quit(code: 0)), "\(text(shift))")
        try shift.press("q")
        #expect(shift.effects.last == .quit(code: 0))
    }

    @Test("without a trip, q ends the shift at once, and Ctrl-C always does", arguments: [("q", false), ("ctrl-c", true)])
    func quitAtOnce(key: String, hasTrip: Bool) throws {
        var shift = try MadeUpShift(size: Size(columns: 15, rows: 5))
        shift.wait()
        if hasTrip { try shift.approach() }
        try shift.press(key)
        #expect(shift.effects.last == .quit(code: 0))
    }

    @Test(
        "an arrival far from the stop is questioned in words that fit",
        arguments: [(3, "v?"), (8, "v again"), (10, "v again"), (15, "Sure? v again"), (19, "Sure? v again")])
    func farAway(columns: Int, question: String) throws {
        var shift = try MadeUpShift(size: Size(columns: columns, rows: 5))
        shift.wait()
        try shift.approach()
        try shift.press("v")
        #expect(text(shift).contains(question) && !isTold(.arrived, shift), "\(text(shift))")
        try shift.press("v")
        #expect(isTold(.arrived, shift))
    }

    /// Returns a driver on the way to the pickup who has set another key for an action.
    private func shift(_ action: AppAction, key: String, columns: Int) throws -> MadeUpShift {
        let own = OwnKeys(action, [try #require(Key(key))])
        var shift = try MadeUpShift(size: Size(columns: columns, rows: 5)) { options, _ in options.ownKeys = [own] }
        shift.wait()
        try shift.approach()
        return shift
    }

    @Test(
        "a second press reports the arrival only if the first one drew a question, also with a long key of the driver's own",
        arguments: [(6, "far"), (8, "Ctrl-V?"), (10, "Ctrl-V?"), (12, "Ctrl-V again"), (18, "Sure? Ctrl-V again")])
    func longKey(columns: Int, words: String) throws {
        var shift = try shift(.arrived, key: "ctrl-v", columns: columns)
        try shift.press("ctrl-v")
        #expect(text(shift).contains(words) && !isTold(.arrived, shift), "\(text(shift))")
        try shift.press("ctrl-v")
        #expect(isTold(.arrived, shift) == (words != "far"), "\(text(shift))")
    }

    @Test("after the terminal has shrunk so far that the question is no longer shown, another press reports no arrival")
    func shrunk() throws {
        var shift = try shift(.arrived, key: "ctrl-v", columns: 17)
        try shift.press("ctrl-v")
        shift.send(.resize(Size(columns: 6, rows: 5)))
        try shift.press("ctrl-v ctrl-v")
        #expect(text(shift).contains("far") && !isTold(.arrived, shift), "\(text(shift))")
    }

    @Test("during a trip on a terminal without room for the question, only Ctrl-C ends the shift, and the screen names it")
    func noRoomToAsk() throws {
        var shift = try shift(.quit, key: "backspace", columns: 6)
        try shift.press("backspace backspace")
        #expect(text(shift).contains("Ctrl-C") && !shift.effects.contains(.quit(code: 0)), "\(text(shift))")
        try shift.press("ctrl-c")
        #expect(shift.effects.last == .quit(code: 0))
    }

    @Test("an accepted trip and the answer to a declined one are reported in words that fit")
    func answers() throws {
        let name = try MadeUpShift.trip("t1").name
        let answers: [(CancelResult, String)] = [(.canceled, "Declined"), (.unknown("No answer came."), "Maybe declined")]
        for (result, words) in answers {
            var shift = try MadeUpShift(size: Size(columns: 15, rows: 5))
            shift.wait()
            try shift.offer()
            try shift.press("x")
            shift.send(.declineResult(result, for: name))
            #expect(text(shift).contains(words), "\(text(shift))")
        }
        var shift = try MadeUpShift(size: Size(columns: 10, rows: 5))
        shift.wait()
        try shift.offer()
        try shift.press("a")
        #expect(text(shift).contains("Accepting"), "\(text(shift))")
    }

    @Test("text typed into a panel that the shrunken terminal hides neither accepts nor declines a trip", arguments: ["/", "? /"])
    func hiddenPanel(opening: String) throws {
        var shift = try MadeUpShift()
        shift.send(.baseMap(BaseMap(tiles: TileCache(), zoomRange: 0...14, attribution: "nobody")))
        shift.wait()
        try shift.offer()
        try shift.press(opening)
        #expect(shift.state.isTyping)
        shift.send(.resize(Size(columns: 17, rows: 5)))
        try shift.press("a x v n o")
        let name = try MadeUpShift.trip("t1").name
        for told in [DriverCommand.accept(name), .decline(name), .arrived, .goOn, .setOnline(false)] { #expect(!isTold(told, shift)) }
        #expect(!shift.effects.contains(.decline(name)) && text(shift).contains("needs 20x3"), "\(text(shift))")
        shift.send(.resize(Size(columns: 80, rows: 24)))
        try shift.press("esc esc a")
        #expect(isTold(.accept(name), shift), "\(text(shift))")
    }
}
