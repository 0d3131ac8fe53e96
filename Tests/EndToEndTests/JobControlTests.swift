import Glibc
import TerminalHarness
import Testing

@testable import ProgramHarness

/// An interactive bash on a pseudo-terminal, which controls the program as a job.
private final class InteractiveShell {
    private static let prompt = "ready> "
    let terminal: PseudoTerminal
    private let bash: TerminalProgram
    private let home: Folder
    private var prompts = 0
    private var read = 0

    init() throws {
        terminal = try PseudoTerminal()
        home = try Folder()
        let environment = Program().environment.merging(
            ["TERM": "xterm-256color", "PS1": Self.prompt, "HOME": home.path, "HISTFILE": "/dev/null", "TRIPWATCH": Program.path]
        ) { $1 }
        bash = try TerminalProgram(
            "/bin/bash", ["--norc", "--noprofile", "-i"], on: terminal, environment: environment.map { "\($0.key)=\($0.value)" })
        try atPrompt()
        // With this setting, bash reports a change in a job's state immediately instead of at the next prompt.
        try run("set -b")
    }

    /// The output since the last line or key was typed.
    private var news: String { String(decoding: terminal.output[min(read, terminal.output.count)...], as: UTF8.self) }

    /// Types a line and waits for the next prompt.
    /// - Returns: the output before that prompt.
    @discardableResult
    func run(_ line: String) throws -> String {
        type(line + "\n")
        return try atPrompt()
    }

    /// Types keys. `news` then contains only the output after them.
    func type(_ keys: String) {
        terminal.drain()
        read = terminal.output.count
        terminal.send(keys)
    }

    @discardableResult
    func atPrompt() throws -> String {
        try bash.wait(for: "the prompt") { _ in news.contains(Self.prompt) }
        return news
    }

    func wait(for what: String) throws { try bash.wait(for: what) { _ in news.contains(what) } }

    /// Waits until the program's screen is shown.
    func waitForScreen() throws {
        try bash.wait(for: "the screen") { $0.modes.contains(1049) && $0.text.contains("tripwatch") && $0.text.contains("min") }
    }

    /// Returns the terminal's line settings as a program in the foreground finds them.
    func settings() throws -> String {
        let answer = try run("echo \"<$(stty -g)>\"")
        return answer.split(separator: "<").last?.split(separator: ">").first.map(String.init) ?? ""
    }

    func end() throws {
        type("exit\n")
        _ = try bash.end()
    }
}

@Suite("A job of a shell", .timeLimit(.minutes(3)), .enabled(if: access("/bin/bash", X_OK) == 0, "there is no bash"))
struct JobControlTests {
    private let demo = "\"$TRIPWATCH\" demo --speed 8"

    @Test("Ctrl-Z, bg, fg: it stops in the background, and its screen is complete in the foreground")
    func stopBackgroundForeground() throws {
        let shell = try InteractiveShell()
        let settings = try shell.settings()
        shell.type(demo + "\n")
        try shell.waitForScreen()
        shell.type("\u{1a}")
        try shell.wait(for: "Stopped")
        try shell.atPrompt()
        #expect(!shell.terminal.virtual.modes.contains(1049))
        #expect(try shell.settings() == settings)
        shell.type("bg\n")
        try shell.wait(for: "Stopped")
        #expect(!shell.terminal.virtual.modes.contains(1049))
        #expect(try shell.settings() == settings)
        shell.type("fg\n")
        try shell.waitForScreen()
        shell.type("q")
        try shell.atPrompt()
        #expect(try shell.run("echo code=$?").contains("code=0"))
        #expect(try shell.settings() == settings)
        #expect(shell.terminal.virtual.modes.subtracting([12, 2004]) == [7, 25])
        try shell.end()
    }

    @Test("if started in the background, it stops without touching the terminal until it is in the foreground")
    func startedInBackground() throws {
        let shell = try InteractiveShell()
        let settings = try shell.settings()
        shell.type(demo + " &\n")
        try shell.wait(for: "Stopped")
        #expect(shell.terminal.count("\u{1b}[?1049h") == 0)
        #expect(try shell.run("echo still here").contains("still here"))
        shell.type("fg\n")
        try shell.waitForScreen()
        shell.type("q")
        try shell.atPrompt()
        #expect(try shell.run("echo code=$?").contains("code=0"))
        #expect(try shell.settings() == settings)
        try shell.end()
    }

    @Test("a stopped program ends on a signal")
    func killed() throws {
        let shell = try InteractiveShell()
        shell.type(demo + "\n")
        try shell.waitForScreen()
        shell.type("\u{1a}")
        try shell.wait(for: "Stopped")
        try shell.run("")
        shell.type("kill %1\n")
        try shell.wait(for: "Terminated")
        #expect(!shell.terminal.virtual.modes.contains(1049))
        try shell.end()
    }
}

@Suite("A program that crashes", .timeLimit(.minutes(2)))
struct CrashTests {
    @Test(
        "a fatal signal ends it after the terminal is restored, and no key is needed", arguments: [SIGABRT, SIGTRAP])
    func fatalSignal(number: Int32) throws {
        let demo = try ProgramOnTerminal(["demo", "--speed", "8"])
        try demo.wait(for: "min")
        demo.signal(number)
        #expect(try demo.end(seconds: 20) == 128 + number)
        #expect(demo.terminal.settings == demo.settings)
        #expect(demo.terminal.virtual.modes.subtracting([12]) == [7, 25])
        #expect(!demo.terminal.outputText.contains("Press space"))
    }

    @Test("the same applies without a screen")
    func withoutScreen() throws {
        let demo = try ProgramOnTerminal(["demo", "--output", "plain"])
        try demo.wait(for: "DEMO 7")
        demo.signal(SIGSEGV)
        #expect(try demo.end(seconds: 20) == 128 + SIGSEGV)
        #expect(!demo.terminal.outputText.contains("Press space"))
    }
}
