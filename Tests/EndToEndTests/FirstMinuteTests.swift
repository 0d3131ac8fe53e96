import Foundation
import TerminalHarness
import Testing

@testable import ProgramHarness

@Suite("The first minute of the program", .timeLimit(.minutes(3)))
struct FirstMinuteEndToEndTests {
    @Test("the demo's car is under way in the first answer, and the title and the destination are the same place")
    func demo() throws {
        let running = try Program().start(["demo", "--output", "json"])
        defer { running.stop() }
        var first: String?
        while first == nil, let line = running.line() { if line.contains("\"event\":\"status\"") { first = line } }
        #expect(first?.contains("ENROUTE_TO_PICKUP") == true, "\(first ?? "")")

        let demo = try ProgramOnTerminal(["demo"])
        try demo.wait(for: "Ride to Public Library")
        try demo.wait(for: "⚑ Public Library")
        try demo.wait(for: "the time of the car") { text in
            text.split(separator: "\n").contains { $0.contains("Car assigned") && $0.contains(":") }
        }
        demo.press("q")
        #expect(try demo.end() == 0)
    }

    @Test("the last page names the ride")
    func lastPage() throws {
        let demo = try ProgramOnTerminal(["demo", "--speed", "200"])
        try demo.wait(for: "You have arrived.")
        let rows = demo.text.split(separator: "\n", omittingEmptySubsequences: false).suffix(8)
        #expect(rows.contains { $0.hasPrefix("    Public Library  ") }, "\(demo.text)")
        #expect(!demo.text.contains("✚"))
        demo.press("q")
        #expect(try demo.end() == 0)
    }

    @Test(
        "a word that a command refuses is reported with the usage of that command",
        arguments: [
            (["follow", "a/b"], "Usage: tripwatch follow "), (["status", "a/b"], "Usage: tripwatch status "),
            (["demo", "--endpoint", "x"], "Usage: tripwatch demo "), (["token", "inspect", "a/b"], "Usage: tripwatch token inspect "),
        ])
    func usage(arguments: [String], words: String) throws {
        let outcome = try Program().run(arguments)
        #expect(outcome.status == 64 && outcome.errors.contains(words), "\(outcome.errors)")
        #expect(outcome.errors.contains("See '\(words.dropFirst(7).trimmingCharacters(in: .whitespaces)) --help'"), "\(outcome.errors)")
    }

    @Test("every key that changes the look reports what it did", arguments: [(80, 24), (40, 15), (30, 5)])
    func keys(columns: Int, rows: Int) throws {
        let demo = try ProgramOnTerminal(["demo"], columns: columns, rows: rows)
        try demo.wait(for: "min")
        for (key, words) in [("u", "Units: US"), ("m", "Drawing: "), ("b", "Base map: off"), ("t", "Theme: ")] {
            demo.press(key)
            try demo.wait(for: words)
        }
        demo.press("q")
        #expect(try demo.end() == 0)
    }
}
