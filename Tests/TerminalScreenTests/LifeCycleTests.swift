import Glibc
import TerminalCanvas
import TerminalHarness
import Testing

/// The state of the terminal after a program has ended for any reason.
struct Aftermath {
    let terminal: PseudoTerminal
    let settings: String

    init(_ terminal: PseudoTerminal) {
        self.terminal = terminal
        settings = terminal.settings
    }

    /// The sequences that switch modes on, each with the sequence that switches the same mode off.
    static let pairs = [
        ("\u{1b}[?1049h", "\u{1b}[?1049l"), ("\u{1b}[?25l", "\u{1b}[?25h"), ("\u{1b}[?1h\u{1b}=", "\u{1b}[?1l\u{1b}>"),
        ("\u{1b}[?1004h", "\u{1b}[?1004l"), ("\u{1b}[?2004h", "\u{1b}[?2004l"), ("\u{1b}[?1000h", "\u{1b}[?1000l"),
        ("\u{1b}[?1002h", "\u{1b}[?1002l"), ("\u{1b}[?1006h", "\u{1b}[?1006l"), ("\u{1b}[22;2t", "\u{1b}[23;2t"),
        ("\u{1b}[>0u", "\u{1b}[<u"), ("\u{1b}[>4;0m", "\u{1b}[>4m\u{1b}[m"),
    ]

    /// - Parameters:
    ///   - times: the number of times that the program must have opened and closed the screen.
    ///   - orMore: whether a higher number is also accepted.
    func check(times: Int = 1, orMore: Bool = false, mouse: Bool = false, location: SourceLocation = #_sourceLocation) throws {
        // The last output may arrive shortly after the program has ended.
        try terminal.wait(for: "the way out", seconds: 5) { terminal.count("\u{1b}[23;2t") >= times }
        #expect(terminal.settings == settings, sourceLocation: location)
        for (on, off) in Aftermath.pairs {
            let isMouse = on.contains("[?100") && !on.contains("1004")
            let count = orMore ? max(times, terminal.count(off)) : times
            let wanted = isMouse && !mouse ? 0 : count
            #expect(terminal.count(on) == wanted, "\(on.dropFirst())", sourceLocation: location)
            #expect(terminal.count(off) == wanted, "\(off.dropFirst())", sourceLocation: location)
        }
        // Lines must wrap (7), the cursor must be visible (25) and may blink (12), and no other mode may be on.
        #expect(terminal.virtual.modes.subtracting([12]) == [7, 25], sourceLocation: location)
        #expect(terminal.virtual.unknown.isEmpty && terminal.virtual.keyboard.isEmpty, sourceLocation: location)
    }
}

@Suite("The life of a terminal", .enabled(if: Probe.isBuilt, "TerminalScreenProbe is not built"))
struct LifeCycleTests {
    @Test("Quitting restores everything and prints the held standard error; closing twice is harmless")
    func quit() throws {
        let terminal = try PseudoTerminal()
        let aftermath = Aftermath(terminal)
        let probe = try Probe(["--mouse"], on: terminal)
        #expect(try probe.wait(for: "ready") == "ready 80x24 palette256 braille")
        #expect(terminal.settings != aftermath.settings)
        try terminal.wait(for: "the picture") { terminal.virtual.text.hasPrefix("ready") }
        #expect(terminal.virtual.title == "probe")
        terminal.send("w")
        try probe.wait(for: "held")
        terminal.send("q")
        #expect(try probe.wait(for: "closed") == "closed again true")
        #expect(try probe.end() == .exited(0))
        try aftermath.check(mouse: true)
        try terminal.wait(forOutput: "\u{1b}[23;2theld words\r\n")
    }

    @Test("A signal that asks for the end is reported, and then kills the process", arguments: [SIGINT, SIGTERM, SIGHUP, SIGQUIT])
    func askedToEnd(by number: Int32) throws {
        let terminal = try PseudoTerminal()
        let aftermath = Aftermath(terminal)
        let probe = try Probe(["--mouse"], on: terminal)
        try probe.wait(for: "ready")
        terminal.send("w")
        try probe.wait(for: "held")
        probe.signal(number)
        try probe.wait(for: "event signal(\(number))")
        try probe.wait(for: "closed")
        #expect(try probe.end() == .killed(number))
        try aftermath.check(mouse: true)
        try terminal.wait(forOutput: "\u{1b}[23;2theld words\r\n")
    }

    @Test(
        "A signal that kills restores the terminal first, and then the held standard error is printed",
        arguments: [SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGABRT, SIGFPE, SIGSYS, SIGUSR1, SIGALRM, SIGXCPU, 34, 64])
    func killed(by number: Int32) throws {
        let terminal = try PseudoTerminal()
        let aftermath = Aftermath(terminal)
        let probe = try Probe(["--mouse"], on: terminal)
        try probe.wait(for: "ready")
        terminal.send("w")
        try probe.wait(for: "held")
        probe.signal(number)
        #expect(try probe.end() == .killed(number))
        try aftermath.check(mouse: true)
        try terminal.wait(forOutput: "\u{1b}[23;2theld words\r\n")
    }

    @Test(
        "A crash restores the terminal first, and then its message is printed",
        arguments: [("t", [SIGILL, SIGTRAP], "the probe trapped"), ("a", [SIGABRT], ""), ("n", [SIGSEGV], ""), ("o", [SIGSEGV], "")])
    func crash(key: String, signals: [Int32], words: String) throws {
        let terminal = try PseudoTerminal()
        let aftermath = Aftermath(terminal)
        let probe = try Probe(on: terminal)
        try probe.wait(for: "ready")
        terminal.send(key)
        let end = try probe.end()
        #expect(signals.contains { end == .killed($0) }, "\(end)")
        try aftermath.check()
        try terminal.wait(for: words) {
            terminal.outputText.split(separator: "\u{1b}[23;2t", omittingEmptySubsequences: false).last?.contains(words) == true
        }
    }

    @Test("A crash whose report is left out ends the program at once, also with a toolchain beside it", arguments: ["t", "a", "n"])
    func noReport(key: String) throws {
        let terminal = try PseudoTerminal()
        let aftermath = Aftermath(terminal)
        let probe = try Probe(["--no-crash-reports"], on: terminal, environment: ["SWIFT_BACKTRACE="])
        try probe.wait(for: "ready")
        terminal.send(key)
        let end = try probe.end(seconds: 20)
        #expect([SIGILL, SIGTRAP, SIGABRT, SIGSEGV].contains { end == .killed($0) }, "\(end)")
        try aftermath.check()
        #expect(!terminal.outputText.contains("Backtrace"))
    }

    @Test("Swift's own backtrace comes after the restore, on the terminal")
    func backtrace() throws {
        let terminal = try PseudoTerminal()
        let aftermath = Aftermath(terminal)
        let settings = "SWIFT_BACKTRACE=enable=yes,color=no,interactive=no,symbolicate=off,swift-backtrace=/nowhere"
        let probe = try Probe(on: terminal, environment: [settings])
        try probe.wait(for: "ready")
        terminal.send("t")
        let end = try probe.end()
        #expect(end == .killed(SIGILL) || end == .killed(SIGTRAP))
        try aftermath.check()
        try terminal.wait(forOutput: "\u{1b}[23;2tTerminalScreenProbe/")
    }

    @Test("A program that calls exit without closing the screen leaves no trace either")
    func exitWithoutClosing() throws {
        let terminal = try PseudoTerminal()
        let aftermath = Aftermath(terminal)
        let probe = try Probe(["--mouse"], on: terminal)
        try probe.wait(for: "ready")
        terminal.send("we")
        #expect(try probe.end() == .exited(3))
        try aftermath.check(mouse: true)
        try terminal.wait(forOutput: "\u{1b}[23;2theld words\r\n")
    }

    @Test("A program that hangs when it is asked to end is killed", arguments: [SIGINT, SIGTERM, SIGHUP])
    func hanging(number: Int32) throws {
        let terminal = try PseudoTerminal()
        let aftermath = Aftermath(terminal)
        let probe = try Probe(["--grace=50"], on: terminal)
        try probe.wait(for: "ready")
        terminal.send("h")
        try probe.wait(for: "event key")
        probe.signal(number)
        #expect(try probe.end() == .killed(number))
        try aftermath.check()
    }

    @Test("Ctrl-C three times in a row ends a program that hangs")
    func insistingOnControlC() throws {
        let terminal = try PseudoTerminal()
        let aftermath = Aftermath(terminal)
        let probe = try Probe(["--grace=50"], on: terminal)
        try probe.wait(for: "ready")
        terminal.send("h")
        try probe.wait(for: "event key")
        terminal.send("\u{3}\u{3}\u{3}")
        #expect(try probe.end() == .killed(SIGINT))
        try aftermath.check()
    }

    @Test("A signal that the parent has ignored stays ignored")
    func ignoredSignal() throws {
        let terminal = try PseudoTerminal()
        let probe = try Probe(on: terminal, ignored: [SIGHUP])
        try probe.wait(for: "ready")
        probe.signal(SIGHUP)
        terminal.send("q")
        try probe.wait(for: "closed again")
        #expect(try probe.end() == .exited(0))
        #expect(!probe.lines.contains { $0.contains("signal") })
    }

    @Test("A closed window ends the program by SIGHUP")
    func hangUp() throws {
        let terminal = try PseudoTerminal()
        let probe = try Probe(on: terminal)
        try probe.wait(for: "ready")
        terminal.hangUp()
        #expect(try probe.end() == .killed(SIGHUP))
    }

    @Test("A closed window is reported once if SIGHUP is ignored, and the thread sleeps on")
    func endOfFile() throws {
        let terminal = try PseudoTerminal()
        let probe = try Probe(["--stay", "--grace=60000"], on: terminal, ignored: [SIGHUP])
        try probe.wait(for: "ready")
        terminal.hangUp()
        try probe.wait(for: "event closed")
        #expect(try probe.wakeUps(milliseconds: 200) <= 1)
        probe.signal(SIGTERM)
        try probe.wait(for: "closed")
        #expect(try probe.end() == .killed(SIGTERM))
        #expect(!probe.lines.contains { $0.contains("event closed") })
    }

    @Test("A program that ignores the end of its terminal is killed")
    func endOfFileUnheeded() throws {
        let terminal = try PseudoTerminal()
        let probe = try Probe(["--stay", "--grace=50"], on: terminal, ignored: [SIGHUP])
        try probe.wait(for: "ready")
        terminal.hangUp()
        #expect(try probe.end() == .killed(SIGHUP))
    }

    @Test("While nothing happens the thread never wakes")
    func idle() throws {
        let terminal = try PseudoTerminal()
        let probe = try Probe(on: terminal)
        try probe.wait(for: "ready")
        try terminal.wait(for: "the picture") { terminal.virtual.text.hasPrefix("ready") }
        terminal.send("w")
        try probe.wait(for: "held")
        // The thread may still be awake at the first check.
        #expect(try (1...5).contains { _ in try probe.wakeUps(milliseconds: 200) == 0 })
        terminal.send("q")
        #expect(try probe.end() == .exited(0))
    }

    @Test("A terminal that accepts no output does not keep the program from ending", .timeLimit(.minutes(1)))
    func stalledTerminal() throws {
        let terminal = try PseudoTerminal()
        let aftermath = Aftermath(terminal)
        let probe = try Probe(on: terminal)
        try probe.wait(for: "ready")
        // The terminal does not read any more, and the text for the clipboard is longer than the terminal's buffer.
        terminal.isStalled = true
        terminal.send("c")
        #expect(try probe.wait(for: "copied") == "copied true")
        terminal.send("d")
        probe.signal(SIGTERM)
        try probe.wait(for: "event signal(15)")
        try probe.wait(for: "closed")
        terminal.isStalled = false
        #expect(try probe.end() == .killed(SIGTERM))
        #expect(terminal.settings == aftermath.settings)
    }

    @Test("Control characters never get into the title")
    func title() throws {
        let terminal = try PseudoTerminal()
        let probe = try Probe(on: terminal)
        try probe.wait(for: "ready")
        terminal.send("z")
        try terminal.wait(for: "the title") { terminal.virtual.title == "stray]0;title" }
        terminal.send("q")
        #expect(try probe.end() == .exited(0))
    }
}

@Suite("Locale and colours", .enabled(if: Probe.isBuilt, "TerminalScreenProbe is not built"))
struct EnvironmentTests {
    @Test(
        "Colours and painter follow the environment",
        arguments: [
            ("xterm-256color", ["LANG=C"], "palette256 ascii"), ("xterm-256color", ["LANG=xx_YY.UTF-8"], "palette256 braille"),
            ("xterm-256color", ["LANG=C", "LC_ALL=C.utf8"], "palette256 braille"), ("xterm-256color", ["NO_COLOR=1"], "none braille"),
            ("xterm-256color", ["NO_COLOR="], "palette256 braille"), ("xterm", [], "ansi8 braille"),
            ("xterm", ["COLORTERM=truecolor"], "direct braille"), ("tmux-256color", ["COLORTERM=24bit", "TMUX=x"], "direct braille"),
            ("screen-256color", ["COLORTERM=truecolor"], "palette256 braille"), ("linux", ["COLORTERM=truecolor"], "ansi8 ascii"),
        ])
    func detection(type: String, environment: [String], words: String) throws {
        let terminal = try PseudoTerminal()
        let probe = try Probe(on: terminal, type: type, environment: environment)
        #expect(try probe.wait(for: "ready") == "ready 80x24 \(words)")
        terminal.send("q")
        #expect(try probe.end() == .exited(0))
    }

    @Test("Without UTF-8 only ASCII is written, and every column stays in its place")
    func plainLocale() throws {
        let terminal = try PseudoTerminal()
        let probe = try Probe(on: terminal, environment: ["LANG=C"])
        try probe.wait(for: "ready")
        terminal.send("u")
        try terminal.wait(for: "the picture") { terminal.virtual.text.hasPrefix("a  ?|? |") }
        terminal.send("q")
        #expect(try probe.end() == .exited(0))
        #expect(terminal.output.allSatisfy { $0 < 0x80 })
    }

    @Test("Keys are read from the terminal, not from standard input, and standard output stays clean")
    func pipes() throws {
        let terminal = try PseudoTerminal()
        let aftermath = Aftermath(terminal)
        let probe = try Probe(["--no-streams"], on: terminal)
        try probe.wait(for: "ready")
        terminal.send("q")
        #expect(try probe.end() == .exited(0))
        try aftermath.check()
    }
}

@Suite("Terminals on which no screen is possible", .enabled(if: Probe.isBuilt, "TerminalScreenProbe is not built"))
struct NoScreenTests {
    @Test(
        "The reason is given in a sentence, and nothing is written",
        arguments: [
            ("dumb", "error The terminal type “dumb” in TERM can print lines, but cannot show a screen."),
            ("no-such-type", "error The terminal type “no-such-type” in TERM is not installed here (no terminfo entry)."),
            ("../x", "error The terminal type “../x” in TERM is not installed here (no terminfo entry)."),
            ("", "error The terminal's type is not known, because TERM is not set."),
            (nil, "error The terminal's type is not known, because TERM is not set."),
        ])
    func unusableType(type: String?, words: String) throws {
        let terminal = try PseudoTerminal()
        let aftermath = Aftermath(terminal)
        let probe = try Probe(on: terminal, type: type)
        #expect(try probe.wait(for: "error") == words)
        #expect(try probe.end() == .exited(7))
        #expect(terminal.output.isEmpty)
        #expect(terminal.settings == aftermath.settings)
    }

    @Test("Without a terminal")
    func noTerminal() throws {
        let terminal = try PseudoTerminal()
        let probe = try Probe(on: terminal, isConnected: false)
        #expect(try probe.wait(for: "error") == "error There is no terminal to draw on.")
        #expect(try probe.end() == .exited(7))
    }

    @Test("Types without a second screen are left with the cursor on the last row", arguments: ["linux", "vt100"])
    func plainTypes(type: String) throws {
        let terminal = try PseudoTerminal()
        let aftermath = Aftermath(terminal)
        let probe = try Probe(on: terminal, type: type)
        #expect(try probe.wait(for: "ready").hasSuffix(type == "linux" ? "ansi8 ascii" : "none ascii"))
        try terminal.wait(forOutput: "ready")
        terminal.send("q")
        #expect(try probe.end() == .exited(0))
        #expect(terminal.settings == aftermath.settings)
        try terminal.wait(forOutput: "\u{1b}[24;1H\u{1b}[K")
        for sequence in ["]2;", "[22;2t", "[?2004", "[?1004", "[?2026", "[>"] { #expect(!terminal.outputText.contains(sequence)) }
    }
}
