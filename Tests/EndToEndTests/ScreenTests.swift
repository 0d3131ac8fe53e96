import Foundation
import TerminalHarness
import Testing

@testable import ProgramHarness

@Suite("The screen of the program", .timeLimit(.minutes(3)))
struct ScreenTests {
    private let demo = ["demo", "--speed", "8"]
    /// The arguments for following a trip on a server that does not exist.
    private let unreachable = ["follow", "providers/p/trips/t", "--endpoint", "127.0.0.1:1", "--plaintext"]

    @Test("it starts and ends with q, and the terminal is restored", arguments: [(80, 24), (120, 40), (40, 15)])
    func quit(columns: Int, rows: Int) throws {
        let demo = try ProgramOnTerminal(demo, columns: columns, rows: rows)
        try demo.wait(for: "min")
        demo.press("q")
        #expect(try demo.end() == 0)
        #expect(demo.terminal.settings == demo.settings)
        #expect(demo.terminal.virtual.modes.subtracting([12]) == [7, 25])
        #expect(demo.terminal.virtual.unknown.isEmpty, "\(demo.terminal.virtual.unknown)")
    }

    @Test("Ctrl-L draws everything again that another program has overwritten")
    func redraw() throws {
        let map = try ProgramOnTerminal(["map", "--basemap", "demo"])
        try map.wait(for: "an invented town")
        let line = try #require(FileHandle(forWritingAtPath: map.terminal.path))
        let message = "A message to all users"
        let bytes = Data("\u{1b}7\u{1b}[2J\u{1b}[3;1H\(message)\u{1b}8".utf8)
        try line.write(contentsOf: bytes)
        // A late tile may be drawn between the bytes of the message, so the message is written again until it is complete.
        try map.wait(for: message) { text in
            if !text.contains(message) { try? line.write(contentsOf: bytes) }
            return text.contains(message)
        }
        map.press("\u{c}")
        try map.wait(for: "the map again") { !$0.contains(message) && $0.contains("an invented town") && $0.contains("q quit") }
        map.press("q")
        #expect(try map.end() == 0)
    }

    @Test("with --mouse the help says how to select text")
    func mouse() throws {
        let demo = try ProgramOnTerminal(demo + ["--mouse"])
        try demo.wait(for: "min")
        demo.press("?")
        try demo.wait(for: "KEYS")
        demo.press("G")
        try demo.wait(for: "Hold Shift to select text with the mouse.")
        demo.press("q")
        try demo.wait(for: "the end of the help") { !$0.contains("KEYS") }
        demo.press("q")
        #expect(try demo.end() == 0)
    }

    // MARK: Copying

    private func copied(_ program: ProgramOnTerminal) throws -> String {
        let text = try #require(program.terminal.virtual.clipboard)
        let data = try #require(Data(base64Encoded: text))
        return String(decoding: data, as: UTF8.self)
    }

    @Test("s copies the line to share, and shows it")
    func share() throws {
        let demo = try ProgramOnTerminal(demo, columns: 120, rows: 40)
        try demo.wait(for: " min")
        demo.press("s")
        try demo.wait(for: "Copied: Ride to ")
        #expect(try copied(demo).hasPrefix("Ride to "))
        #expect(demo.text.contains("Copied: " + (try copied(demo))))
        demo.press("q")
        #expect(try demo.end() == 0)
    }

    @Test("y copies the error")
    func error() throws {
        let follow = try ProgramOnTerminal(unreachable, columns: 120, rows: 40)
        try follow.wait(for: "Trying again")
        follow.press("y")
        try follow.wait(for: "Copied: ")
        let sentence = try copied(follow)
        #expect(sentence.contains("127.0.0.1:1") || sentence.contains("UNAVAILABLE"), "\(sentence)")
        follow.press("q")
        #expect(try follow.end() == 1)
    }

    @Test("inside tmux the clipboard is set twice, wrapped and plain")
    func tmux() throws {
        let demo = try ProgramOnTerminal(demo, type: "tmux-256color", setting: ["TMUX": "/tmp/tmux-0/default,1,0"])
        try demo.wait(for: " min")
        demo.press("s")
        try demo.wait(for: "Copied: ")
        let base64 = try #require(demo.terminal.virtual.clipboard)
        #expect(demo.terminal.outputText.contains("\u{1b}Ptmux;\u{1b}\u{1b}]52;c;\(base64)\u{7}\u{1b}\\\u{1b}]52;c;\(base64)\u{7}"))
        demo.press("q")
        #expect(try demo.end() == 0)
    }

    @Test("if copying is not allowed, the text is shown in the row nevertheless", arguments: ["--read-only", "clipboard = false", "linux"])
    func noClipboard(why: String) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "tripwatch-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        try FileManager.default.createDirectory(at: folder.appending(path: "tripwatch"), withIntermediateDirectories: true)
        if why.hasPrefix("clipboard") { try Data(why.utf8).write(to: folder.appending(path: "tripwatch/config.toml")) }
        let demo = try ProgramOnTerminal(
            demo + (why.hasPrefix("--") ? [why] : []), columns: 120, rows: 40, type: why == "linux" ? why : "xterm-256color",
            setting: ["XDG_CONFIG_HOME": folder.path])
        try demo.wait(for: " min")
        demo.press("s")
        try demo.wait(for: "Ride to Public Library: ")
        #expect(!demo.text.contains("Copied"))
        #expect(!demo.terminal.outputText.contains("\u{1b}]52"))
        demo.press("q")
        #expect(try demo.end() == 0)
    }

    @Test("without an error to copy, y says so, and the notice is readable at any speed of the clock")
    func noticesInRealTime() throws {
        let demo = try ProgramOnTerminal(["demo", "--speed", "60"])
        try demo.wait(for: " min")
        demo.press("y")
        try demo.wait(for: "There is no error to copy.")
        #expect(demo.terminal.virtual.clipboard == nil)
        let start = ContinuousClock.now
        try demo.wait(for: "the end of the notice") { !$0.contains("There is no error to copy.") }
        // The notice is shown for six seconds of real time. If it used the demo's clock, it would last only a tenth of a second.
        #expect(ContinuousClock.now - start > .seconds(4))
        demo.press("q")
        _ = try demo.end()
    }

    // MARK: Themes

    @Test(
        "for a theme with five faults the first and the number of others are shown, all are among the events, and all are on stderr afterwards"
    )
    func themeFaults() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "tripwatch-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let themes = folder.appending(path: "tripwatch/themes")
        try FileManager.default.createDirectory(at: themes, withIntermediateDirectories: true)
        let theme = """
            inherits = "harbour-dark"
            "route.ahead" = "blurple"
            vehicel = "red"
            title = { fg = 999 }
            card = { bold = "yes" }
            rule = "mauvey"
            """
        try Data(theme.utf8).write(to: themes.appending(path: "mine.toml"))
        let setting = ["XDG_CONFIG_HOME": folder.path]
        let demo = try ProgramOnTerminal(self.demo + ["--theme", "mine"], columns: 120, rows: 40, setting: setting)
        try demo.wait(for: "+4 more")
        try demo.wait(for: " min")
        demo.press("e")
        try demo.wait(for: "all faults") { text in ["blurple", "vehicel", "999", "\"yes\"", "mauvey"].allSatisfy { text.contains($0) } }
        demo.press("\u{3}")
        #expect(try demo.end() == 0)
        let after = demo.terminal.outputText.split(separator: "\u{1b}[23;2t").last ?? ""
        #expect(after.split(separator: "\r\n").filter { $0.hasPrefix("tripwatch: mine.toml: ") }.count == 5, "\(after)")

        let dump = try Program().run(["map", "--dump", "--size", "40x4", "--theme", "mine"], setting: setting)
        #expect(dump.status == 0 && dump.lines.count == 4)
        #expect(dump.errors.split(separator: "\n").count == 5)
    }

    // MARK: Without a screen

    @Test("a terminal type that is not installed gives one sentence, and lines are printed", arguments: ["xterm-nobody-knows", ""])
    func unknownType(type: String) throws {
        let demo = try ProgramOnTerminal(demo, type: type)
        try demo.wait(for: "DEMO 7")
        #expect(demo.terminal.outputText.hasPrefix("tripwatch: The terminal"))
        #expect(demo.terminal.outputText.contains(" Printing lines instead of the screen; "))
        demo.signal(SIGTERM)
        #expect(try demo.end() == 128 + SIGTERM)
    }
}
