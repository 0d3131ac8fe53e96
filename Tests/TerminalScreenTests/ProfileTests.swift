import TerminalCanvas
import Testing

@testable import TerminalScreen

@Suite("The capabilities of the terminal")
struct ProfileTests {
    private func candidates(_ type: String, _ depth: ColorDepth?, _ environment: [String: String] = [:]) -> [String] {
        TerminalProfile.candidates(type: type, depth: depth, environment: TerminalEnvironment(environment))
    }

    @Test("A related type is tried if more colours are promised or requested than TERM states")
    func candidates() {
        #expect(candidates("xterm", nil) == ["xterm"])
        #expect(candidates("xterm", nil, ["COLORTERM": "truecolor"]) == ["xterm-direct", "xterm-256color", "xterm"])
        #expect(candidates("xterm-256color", nil, ["COLORTERM": "truecolor"]) == ["xterm-direct", "xterm-256color"])
        #expect(candidates("xterm-256color", .palette256, ["COLORTERM": "truecolor"]) == ["xterm-256color"])
        #expect(candidates("xterm-256color", .direct) == ["xterm-direct", "xterm-256color"])
        #expect(candidates("xterm", .direct) == ["xterm-direct", "xterm-256color", "xterm"])
        #expect(candidates("linux", nil, ["COLORTERM": "truecolor"]) == ["linux-256color", "linux"])
        #expect(candidates("screen", nil, ["COLORTERM": "truecolor"]) == ["screen-256color", "screen"])
        #expect(candidates("xterm-direct", .direct) == ["xterm-direct"])
        #expect(candidates("xterm", ColorDepth.none, ["COLORTERM": "truecolor"]) == ["xterm"])
        #expect(candidates("screen", .palette256).last == "screen")
    }

    @Test("The painter follows locale and type")
    func painter() {
        #expect(TerminalProfile.painter(type: "xterm-256color", isUTF8: true) == .braille)
        #expect(TerminalProfile.painter(type: "xterm-256color", isUTF8: false) == .ascii)
        #expect(TerminalProfile.painter(type: "linux", isUTF8: true) == .ascii)
        #expect(TerminalProfile.painter(type: "rxvt-unicode-256color", isUTF8: true) == .halfBlock)
    }

    @Test(
        "Progress is not sent to terminals that would show each percent as a notice",
        arguments: [
            ("iTerm.app", "3.5.14", false), ("iTerm.app", "3.6.5beta2", false), ("iTerm.app", "3.6.6", true), ("iTerm.app", "3.10", true),
            ("iTerm.app", "4", true), ("iTerm.app", "", false), ("WezTerm", "20240203-110809-5046fc22", false),
            ("WezTerm", "20250612-093011-aa11", true), ("ghostty", "1.2.0", true), ("", "", true),
        ])
    func progress(program: String, version: String, isTaken: Bool) {
        let environment = TerminalEnvironment(["TERM_PROGRAM": program, "TERM_PROGRAM_VERSION": version])
        #expect(environment.takesProgress == isTaken)
        guard program == "iTerm.app" else { return }
        #expect(TerminalEnvironment(["LC_TERMINAL": "iTerm2", "LC_TERMINAL_VERSION": version]).takesProgress == isTaken)
    }

    @Test("Sizes from the environment are accepted within reason")
    func environmentSize() {
        #expect(TerminalEnvironment([:]).size == Size(columns: 80, rows: 24))
        #expect(TerminalEnvironment(["COLUMNS": "132", "LINES": "x"]).size == Size(columns: 132, rows: 24))
        #expect(TerminalEnvironment(["COLUMNS": "-1", "LINES": "99999999"]).size == Size(columns: 1, rows: 500))
        #expect(Size(columns: 65_535, rows: 0).clampedToScreen() == Size(columns: 1_500, rows: 1))
    }

    @Test("Error messages quote TERM without harmful characters")
    func quoting() {
        let hostile = TerminalScreenError.terminalTypeUnknown("x\u{1b}[2J" + String(repeating: "y", count: 500)).description
        #expect(hostile.hasPrefix("The terminal type “x?[2Jy"))
        #expect(hostile.count < 150)
    }
}

@Suite("Control strings")
struct ControlStringsTests {
    private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

    @Test("Titles have no control characters, and only ASCII if the terminal supports nothing else")
    func title() {
        #expect(text(ControlStrings.title("6 min\u{7}\u{1b}]0;x\u{202e}", isUTF8: true)) == "\u{1b}]2;6 min]0;x\u{7}")
        #expect(text(ControlStrings.title("Zoë 東", isUTF8: false)) == "\u{1b}]2;Zo? ?\u{7}")
        #expect(ControlStrings.title(String(repeating: "東", count: 5_000), isUTF8: true).count == 128 * 3 + 5)
    }

    @Test("Notices are wrapped for tmux and never become a progress bar")
    func notice() {
        #expect(text(ControlStrings.notice("here", form: .osc9, isInTmux: false, isUTF8: true)) == "\u{1b}]9;here\u{7}")
        #expect(text(ControlStrings.notice("4;1;50", form: .osc9, isInTmux: false, isUTF8: true)) == "\u{1b}]9; 4;1;50\u{7}")
        #expect(
            text(ControlStrings.notice("here", form: .osc777, isInTmux: true, isUTF8: true))
                == "\u{1b}Ptmux;\u{1b}\u{1b}]777;notify;tripwatch;here\u{7}\u{1b}\\")
        #expect(text(ControlStrings.notice("a\u{1b}\\b", form: .osc99, isInTmux: false, isUTF8: true)) == "\u{1b}]99;;a\\b\u{1b}\\")
        #expect(ControlStrings.notice("here", form: .off, isInTmux: false, isUTF8: true).isEmpty)
    }

    @Test("Progress is a state and a percentage within bounds, and is cleared by a state alone")
    func progress() {
        func sequence(_ percent: Int?, _ isPaused: Bool = false, _ isInTmux: Bool = false) -> String {
            text(ControlStrings.progress(percent: percent, isPaused: isPaused, isInTmux: isInTmux))
        }
        #expect(sequence(40) == "\u{1b}]9;4;1;40\u{7}" && sequence(40, true) == "\u{1b}]9;4;4;40\u{7}")
        #expect(sequence(-3) == "\u{1b}]9;4;1;0\u{7}" && sequence(1_000) == "\u{1b}]9;4;1;100\u{7}")
        #expect(sequence(nil) == "\u{1b}]9;4;0;\u{7}")
        #expect(sequence(7, false, true) == "\u{1b}Ptmux;\u{1b}\u{1b}]9;4;1;7\u{7}\u{1b}\\")
    }

    @Test("The clipboard gets Base64, up to the terminals' limit")
    func clipboard() {
        #expect(ControlStrings.clipboard("Zoë", isInTmux: false).map(text) == "\u{1b}]52;c;Wm/Dqw==\u{7}")
        #expect(ControlStrings.clipboard(String(repeating: "x", count: 74_995), isInTmux: false) == nil)
    }

    @Test("Inside tmux the clipboard sequence is sent twice: for the terminal around it, and for tmux itself")
    func clipboardInTmux() {
        #expect(
            ControlStrings.clipboard("Zoë", isInTmux: true).map(text)
                == "\u{1b}Ptmux;\u{1b}\u{1b}]52;c;Wm/Dqw==\u{7}\u{1b}\\\u{1b}]52;c;Wm/Dqw==\u{7}")
    }
}
