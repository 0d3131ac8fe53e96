import Foundation
import TerminalHarness
import Testing

@Suite("The screen of the program", .timeLimit(.minutes(3)))
struct ScreenTests {
    @Test("the demo comes up and ends with q, and the terminal is as it was", arguments: [(80, 24), (120, 40), (40, 15)])
    func quit(columns: Int, rows: Int) throws {
        let demo = try ProgramOnTerminal(["demo", "--speed", "8"], columns: columns, rows: rows)
        try demo.wait(for: "min")
        demo.press("q")
        #expect(try demo.end() == 0)
        #expect(demo.terminal.settings == demo.settings)
        #expect(demo.terminal.virtual.modes.subtracting([12]) == [7, 25])
        #expect(demo.terminal.virtual.unknown.isEmpty, "\(demo.terminal.virtual.unknown)")
    }
}
