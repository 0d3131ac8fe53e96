import Glibc
import TerminalCanvas
import TerminalHarness
import Testing

@testable import TerminalScreen

@Suite("What a terminal reports about its background")
struct BackgroundAnswerTests {
    @Test(
        "Colours are read in all forms that terminals have, and nothing else is",
        arguments: [
            ("11;rgb:0000/0000/0000", BackgroundTone.dark), ("11;rgb:ffff/ffff/ffff", .light), ("11;rgb:ff/ff/ff", .light),
            ("11;rgb:1010/1414/1c1c", .dark), ("11;rgba:fdfd/f6f6/e3e3/ffff", .light), ("11;#002b36", .dark), ("11;#fff", .light),
            ("11;rgb:ffff/ffff", nil), ("11;rgb:zz/zz/zz", nil), ("11;rgb:+f/+f/+f", nil), ("11;rgb:fffff/0/0", nil), ("10;#ffffff", nil),
            ("11;", nil), ("", nil), ("11;rgb:0000/0000/ffff", .dark), ("11;rgb:ffff/ffff/0000", .light),
        ] as [(String, BackgroundTone?)])
    func colors(text: String, tone: BackgroundTone?) {
        #expect(TerminalAnswers.tone(inText: Array(text.utf8)[...]) == tone)
    }

    private func decoder(asked: Bool = true) -> InputDecoder {
        var decoder = InputDecoder(keys: KeyTable(), mouse: false, size: Size(columns: 80, rows: 24))
        if asked { (decoder.answers, decoder.awaitsAnswers) = (TerminalAnswers(), true) }
        return decoder
    }

    @Test("Answers are not keys, whole, byte by byte, and with keys between them; the fence ends them", arguments: [1, 3, 1_000])
    func answers(step: Int) {
        var decoder = decoder()
        var events: [ScreenEvent] = []
        let bytes = Array("a\u{1b}]11;rgb:ffff/ffff/ffff\u{1b}\\b\u{1b}[?997;1n\u{1b}[?62;22cq".utf8)
        for start in stride(from: 0, to: bytes.count, by: step) {
            decoder.decode(bytes[start..<min(bytes.count, start + step)], into: &events)
        }
        #expect(events == [.key(.character("a")), .key(.character("b")), .key(.character("q"))])
        #expect(decoder.answers == TerminalAnswers(color: .light, mode: .dark, isComplete: true))
        #expect(decoder.answers?.tone == .dark)
        #expect(!decoder.awaitsAnswers)
    }

    @Test("After the fence, a colour is dropped, and a mode is an event")
    func news() {
        var decoder = decoder()
        var events: [ScreenEvent] = []
        decoder.decode("\u{1b}[?1;2c\u{1b}]11;rgb:ffff/ffff/ffff\u{7}\u{1b}[?997;2n\u{1b}[?997;3n\u{1b}[?996n".utf8, into: &events)
        #expect(events == [.background(.light)])
        #expect(decoder.answers == TerminalAnswers(isComplete: true))
    }

    @Test("Garbage and endless answers leave nothing behind, not even memory")
    func garbage() {
        for text in [
            "\u{1b}]11;rgb:\u{1b}\\", "\u{1b}]11;" + String(repeating: "f", count: 100_000) + "\u{7}", "\u{1b}]\u{7}", "\u{1b}P+r\u{1b}\\",
            "\u{1b}[?997;\u{18}",
        ] {
            var decoder = decoder()
            var events: [ScreenEvent] = []
            decoder.decode(text.utf8, into: &events)
            #expect(!events.contains { if case .background = $0 { true } else { false } })
            #expect(decoder.answers == TerminalAnswers())
            #expect(decoder.pending.count <= InputDecoder.longestSequence)
        }
    }

    @Test("While an answer may arrive in pieces, the decoder waits for the rest")
    func patience() {
        var events: [ScreenEvent] = []
        var awaiting = decoder()
        var other = decoder(asked: false)
        for text in ["\u{1b}", "\u{1b}]11;rg", "\u{1b}[?9"] {
            awaiting.decode(text.utf8, into: &events)
            other.decode(text.utf8, into: &events)
            #expect((awaiting.patience ?? .zero) > (other.patience ?? .zero), "\(text.dropFirst())")
            awaiting.expire(into: &events)
            other.expire(into: &events)
        }
    }
}

@Suite("A terminal is asked for its background", .enabled(if: Probe.isBuilt, "TerminalScreenProbe is not built"))
struct BackgroundQuestionTests {
    @Test(
        "The answer is known before the screen opens, keys typed meanwhile are not lost, and the terminal is restored",
        arguments: [
            ("\u{1b}]11;rgb:ffff/ffff/ffff\u{1b}\\\u{1b}[?62c", " light"), ("\u{1b}]11;rgb:0000/0000/0000\u{7}\u{1b}[?62c", " dark"),
            ("\u{1b}]11;rgb:0000/0000/0000\u{7}\u{1b}[?997;2n\u{1b}[?62c", " light"), ("\u{1b}[?62c", ""),
            ("\u{1b}]11;?\u{1b}\\\u{1b}[?6c", ""),
        ])
    func answered(answer: String, tone: String) throws {
        let terminal = try PseudoTerminal()
        let aftermath = Aftermath(terminal)
        // The answer is sent before the question is asked, so that a slow machine cannot make it late.
        terminal.send("x" + answer + "y")
        let probe = try Probe(["--ask"], on: terminal)
        #expect(try probe.wait(for: "ready") == "ready 80x24 palette256 braille" + tone)
        try probe.wait(for: "event key(" + "\(Key.character("x"))")
        try probe.wait(for: "event key(" + "\(Key.character("y"))")
        #expect(terminal.virtual.modes.contains(2031))
        terminal.send("q")
        #expect(try probe.end() == .exited(0))
        try aftermath.check()
    }

    @Test("An answer that arrives after the end, when the program leaves at once, is not left to the shell")
    func late() throws {
        let terminal = try PseudoTerminal()
        let aftermath = Aftermath(terminal)
        let probe = try Probe(["--ask"], on: terminal)
        try probe.wait(for: "ready")
        terminal.send("q")
        try terminal.wait(forOutput: "\u{1b}[23;2t")
        terminal.send("\u{1b}]11;rgb:ffff/ffff/ffff\u{1b}\\\u{1b}[?62c")
        #expect(try probe.end() == .exited(0))
        #expect(terminal.unreadInput == 0)
        try aftermath.check()
    }

    @Test("A change of the terminal's mode is an event")
    func news() throws {
        let terminal = try PseudoTerminal()
        let probe = try Probe(["--ask"], on: terminal)
        try probe.wait(for: "ready")
        terminal.send("\u{1b}[?997;2n")
        try probe.wait(for: "event background(TerminalCanvas.BackgroundTone.light)")
        terminal.send("q")
        #expect(try probe.end() == .exited(0))
    }

    @Test(
        "A program that is killed before the terminal has answered restores the terminal",
        arguments: [SIGTERM, SIGINT, SIGHUP, SIGSEGV, SIGABRT])
    func ended(by number: Int32) throws {
        let terminal = try PseudoTerminal()
        let settings = terminal.settings
        let probe = try Probe(["--ask"], on: terminal)
        try terminal.wait(forOutput: "\u{1b}[c")
        probe.signal(number)
        #expect(try probe.end() == .killed(number))
        #expect(terminal.settings == settings)
        #expect(terminal.virtual.modes.subtracting([12]) == [7] || terminal.virtual.modes.subtracting([12]) == [7, 25])
    }

    @Test("The screen does not ask the terminal unless the program wants it")
    func silent() throws {
        let terminal = try PseudoTerminal()
        let probe = try Probe(on: terminal)
        try probe.wait(for: "ready")
        terminal.send("q")
        #expect(try probe.end() == .exited(0))
        #expect(!terminal.outputText.contains("]11;?") && !terminal.outputText.contains("[?2031h"))
    }
}
