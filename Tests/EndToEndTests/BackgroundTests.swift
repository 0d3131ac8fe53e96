import Foundation
import Glibc
import TerminalCanvas
import TerminalHarness
import Testing

@testable import ProgramHarness

/// Tests how the program asks its terminal for the background colour. The test plays the role of the terminal.
@Suite("Choosing light or dark automatically", .timeLimit(.minutes(3)))
struct BackgroundTests {
    private static let question = "\u{1b}]11;?\u{1b}\\\u{1b}[?996n\u{1b}[c"
    private static let fence = "\u{1b}[?62;22c"
    private static let white = "\u{1b}]11;rgb:ffff/ffff/ffff\u{1b}\\"
    private static let black = "\u{1b}]11;rgb:0000/0000/0000\u{7}"

    /// The background colour of the top line in each theme.
    private static let bars: [String: Color] = ["harbour-dark": .palette(235), "harbour-light": .palette(254)]

    private func theme(of program: ProgramOnTerminal) throws -> String {
        try program.wait(for: "tripwatch")
        let bar = program.terminal.virtual.cells[0].style.background
        return Self.bars.first { $0.value == bar }?.key ?? "\(bar)"
    }

    private func quit(_ program: ProgramOnTerminal) throws {
        program.press("q")
        #expect(try program.end() == 0)
        #expect(program.terminal.settings == program.settings)
        #expect(program.terminal.virtual.modes.subtracting([12]) == [7, 25])
        #expect(program.terminal.virtual.unknown.isEmpty, "\(program.terminal.virtual.unknown)")
    }

    @Test(
        "the terminal's answer chooses the theme, and the mode has priority over the colour",
        arguments: [
            (white + fence, "harbour-light"), (black + fence, "harbour-dark"), (black + "\u{1b}[?997;2n" + fence, "harbour-light"),
            (white + "\u{1b}[?997;1n" + fence, "harbour-dark"),
        ])
    func answered(answer: String, name: String) throws {
        // The answer is typed before the program asks, so that a slow machine cannot delay the answer.
        let demo = try ProgramOnTerminal(["demo"], typed: answer)
        #expect(try theme(of: demo) == name)
        #expect(demo.terminal.count(Self.question) == 1)
        try quit(demo)
    }

    @Test(
        "without a usable answer, COLORFGBG decides",
        arguments: [
            "", fence, "\u{1b}]11;rgb:pink/pink/pink\u{1b}\\" + fence,
            "\u{1b}]11;" + String(repeating: "d", count: 3_000) + "\u{7}" + fence,
        ])
    func unanswered(answer: String) throws {
        for (hint, name) in [("0;15", "harbour-light"), ("15;0", "harbour-dark")] {
            let demo = try ProgramOnTerminal(["demo"], setting: ["COLORFGBG": hint], typed: answer)
            #expect(try theme(of: demo) == name)
            try quit(demo)
        }
    }

    @Test("an answer that comes too late, or in pieces, is never taken for keys")
    func late() throws {
        let demo = try ProgramOnTerminal(["demo"], setting: ["COLORFGBG": "15;0"])
        #expect(try theme(of: demo) == "harbour-dark")
        // Each letter in these pieces of an answer is also a key of the program.
        for piece in ["\u{1b}", "]11;rgb:dd", "ee/dddd/", "ffff\u{1b}", "\\", "\u{1b}[?6", "2;1c"] { demo.press(piece) }
        demo.press("?")
        try demo.wait(for: "KEYS")
        #expect(!demo.text.contains("CONNECTION") && !demo.text.contains("EVENTS"))
        #expect(try theme(of: demo) == "harbour-dark")
        demo.press("q")
        try demo.wait(for: "the end of the help") { !$0.contains("KEYS") }
        try quit(demo)
    }

    @Test(
        "the terminal is not asked if the answer is of no use or could come too late",
        arguments: [
            (["--theme", "mono"], [:]), ([], ["SSH_CONNECTION": "192.0.2.1 1 192.0.2.2 22"]), (["--ask-terminal", "off"], [:]),
            ([], ["TRIPWATCH_ASK_TERMINAL": "off"]), ([], ["TERM": "linux"]), ([], ["TERM": "vt100"]), ([], ["NO_COLOR": "1"]),
            (["--colors", "16"], [:]),
        ] as [([String], [String: String])])
    func unasked(arguments: [String], setting: [String: String]) throws {
        let demo = try ProgramOnTerminal(["demo"] + arguments, type: setting["TERM"] ?? "xterm-256color", setting: setting)
        try demo.wait(for: "tripwatch")
        demo.press("q")
        #expect(try demo.end() == 0)
        #expect(!demo.terminal.outputText.contains("]11;?") && !demo.terminal.outputText.contains("[?2031h"))
    }

    @Test("over ssh the terminal is asked only if the user says so")
    func asked() throws {
        let setting = ["SSH_CONNECTION": "192.0.2.1 1 192.0.2.2 22"]
        let demo = try ProgramOnTerminal(["demo", "--ask-terminal", "on"], setting: setting, typed: Self.white + Self.fence)
        #expect(try theme(of: demo) == "harbour-light")
        try quit(demo)
    }

    @Test("a terminal that changes its mode changes the theme too, unless the user has chosen one")
    func news() throws {
        let demo = try ProgramOnTerminal(["demo"], typed: Self.black + Self.fence)
        #expect(try theme(of: demo) == "harbour-dark")
        demo.press("\u{1b}[?997;2n")
        try demo.wait(for: "Theme: harbour-light")
        #expect(try theme(of: demo) == "harbour-light")
        demo.press("\u{1b}[?997;1n")
        try demo.wait(for: "Theme: harbour-dark")
        demo.press("t")
        try demo.wait(for: "Theme: harbour-light")
        demo.press("\u{1b}[?997;1n")
        demo.press("u")
        try demo.wait(for: " mi") { $0.contains(" mi ") || $0.contains(" ft") || $0.contains("Units") }
        #expect(try theme(of: demo) == "harbour-light")
        try quit(demo)
    }

    @Test("the errors in a theme that the terminal's new mode has chosen are printed after the screen")
    func errorsInTheme() throws {
        let folder = try Folder()
        try FileManager.default.createDirectory(atPath: folder.path + "/tripwatch/themes", withIntermediateDirectories: true)
        _ = try folder.write("tripwatch/themes/harbour-light.toml", "background = \"light\"\nnosuch = 1\n")
        let demo = try ProgramOnTerminal(["demo"], setting: ["XDG_CONFIG_HOME": folder.path], typed: Self.black + Self.fence)
        #expect(try theme(of: demo) == "harbour-dark")
        demo.press("\u{1b}[?997;2n")
        try demo.wait(for: "harbour-light.toml: nosuch: there is no such key")
        try quit(demo)
        #expect(demo.terminal.visibleOutput.contains("tripwatch: harbour-light.toml: nosuch: there is no such key"))
    }

    @Test("a signal during the question restores the terminal", arguments: [SIGTERM, SIGINT, SIGHUP])
    func signal(number: Int32) throws {
        let demo = try ProgramOnTerminal(["demo"])
        try demo.terminal.wait(forOutput: Self.question)
        demo.signal(number)
        #expect(try demo.end() == 128 + number)
        #expect(demo.terminal.settings == demo.settings)
    }
}
