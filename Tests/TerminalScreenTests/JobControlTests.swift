import Glibc
import TerminalCanvas
import TerminalHarness
import Testing

@Suite("Stopping and continuing", .enabled(if: Probe.isBuilt, "TerminalScreenProbe is not built"))
struct JobControlTests {
    @Test("Ctrl-Z gives the terminal to the shell; fg takes it back and repaints everything")
    func suspendAndContinue() throws {
        let terminal = try PseudoTerminal()
        let aftermath = Aftermath(terminal)
        let probe = try Probe(["--launcher", "--mouse"], on: terminal)
        try probe.wait(for: "ready")
        try terminal.wait(for: "the picture") { terminal.virtual.text.hasPrefix("ready") }
        for round in 1...2 {
            terminal.send("\u{1a}")
            #expect(try probe.wait(for: "stopped") == "stopped \(SIGSTOP)")
            try aftermath.check(times: round, mouse: true)
            terminal.resize(columns: 70 + round, rows: 20)
            // When the screen opens, it must reset this style (underlined, reversed, coloured), which the shell has left on.
            terminal.print("\u{1b}[4;7;32;45m")
            terminal.send("fg\n")
            try probe.wait(for: "event resumed")
            #expect(try probe.wait(for: "event resize").contains("columns: \(70 + round), rows: 20"))
            try terminal.wait(for: "the picture") { terminal.virtual.text.hasPrefix("resized") }
            #expect(terminal.virtual.cells[0].style == Style(foreground: .palette(196), attributes: .bold))
            #expect(terminal.virtual.cells.last == .blank)
            #expect(terminal.virtual.title == "probe")
        }
        terminal.send("q")
        try probe.wait(for: "closed")
        try probe.wait(for: "exited 0")
        #expect(try probe.end() == .exited(0))
        try aftermath.check(times: 3, mouse: true)
    }

    @Test("SIGTSTP from outside and a stop that the program asks for do the same", arguments: [true, false])
    func otherWays(bySignal: Bool) throws {
        let terminal = try PseudoTerminal()
        let aftermath = Aftermath(terminal)
        let probe = try Probe(["--launcher"], on: terminal)
        let child = try probe.childProcess()
        try probe.wait(for: "ready")
        if bySignal { kill(child, SIGTSTP) } else { terminal.send("s") }
        #expect(try probe.wait(for: "stopped") == "stopped \(SIGSTOP)")
        try aftermath.check()
        terminal.send("fg\n")
        try probe.wait(for: "event resumed")
        terminal.send("q")
        try probe.wait(for: "exited 0")
        #expect(try probe.end() == .exited(0))
        try aftermath.check(times: 2)
    }

    @Test("In the background the program is silent, and a signal ends it without a trace")
    func background() throws {
        let terminal = try PseudoTerminal()
        let aftermath = Aftermath(terminal)
        let probe = try Probe(["--launcher"], on: terminal)
        let child = try probe.childProcess()
        try probe.wait(for: "ready")
        terminal.send("\u{1a}")
        try probe.wait(for: "stopped")
        terminal.send("bg\n")
        try probe.wait(for: "continued bg")
        kill(child, SIGUSR2)
        terminal.send("fg\n")
        try probe.wait(for: "killed \(SIGUSR2)")
        #expect(try probe.end() == .exited(0))
        try aftermath.check()
    }

    @Test("The program returns from the background with fg")
    func backgroundToForeground() throws {
        let terminal = try PseudoTerminal()
        let aftermath = Aftermath(terminal)
        let probe = try Probe(["--launcher"], on: terminal)
        try probe.wait(for: "ready")
        terminal.send("\u{1a}")
        try probe.wait(for: "stopped")
        terminal.send("bg\n")
        try probe.wait(for: "continued bg")
        terminal.send("fg\n")
        try probe.wait(for: "event resumed")
        terminal.send("q")
        try probe.wait(for: "exited 0")
        #expect(try probe.end() == .exited(0))
        // `fg` may continue the probe before the probe has noticed that `bg` continued it. The probe then leaves and enters the screen once
        // more.
        try aftermath.check(times: 2, orMore: true)
    }

    @Test("A program that is stopped by force leaves the screen when it continues, and enters it again")
    func stoppedByForce() throws {
        let terminal = try PseudoTerminal()
        let aftermath = Aftermath(terminal)
        let probe = try Probe(["--launcher"], on: terminal)
        let child = try probe.childProcess()
        try probe.wait(for: "ready")
        kill(child, SIGSTOP)
        try probe.wait(for: "stopped")
        terminal.send("fg\n")
        try probe.wait(for: "event resumed")
        try terminal.wait(for: "the picture") { terminal.virtual.text.hasPrefix("resized") }
        terminal.send("q")
        try probe.wait(for: "exited 0")
        #expect(try probe.end() == .exited(0))
        try aftermath.check(times: 2)
    }

    @Test("If no shell could continue the program, Ctrl-Z rings and nothing stops")
    func orphan() throws {
        let terminal = try PseudoTerminal()
        let aftermath = Aftermath(terminal)
        let probe = try Probe(on: terminal)
        try probe.wait(for: "ready")
        terminal.send("\u{1a}")
        try terminal.wait(for: "the bell") { terminal.virtual.bells == 1 }
        terminal.send("q")
        #expect(try probe.end() == .exited(0))
        try aftermath.check()
    }
}
