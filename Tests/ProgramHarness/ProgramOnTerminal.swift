import Foundation
import TerminalCanvas
import TerminalHarness
import Testing

/// The program on a pseudo-terminal. A test types keys and reads the screen, as a user would.
final class ProgramOnTerminal {
    let terminal: PseudoTerminal
    /// The line settings of the terminal before the program started.
    let settings: String
    private let running: TerminalProgram

    /// - Parameters:
    ///   - type: the value of the variable TERM.
    ///   - setting: the environment variables that are set in addition to ``Program/environment``.
    ///   - typed: the keys that are typed before the program starts.
    ///   - path: the path of the program to run.
    init(
        _ arguments: [String], columns: Int = 80, rows: Int = 24, type: String = "xterm-256color", setting: [String: String] = [:],
        typed: String = "", program path: String = Program.path
    ) throws {
        try #require(FileManager.default.isExecutableFile(atPath: path), "no program at \(path)")
        terminal = try PseudoTerminal(columns: columns, rows: rows)
        settings = terminal.settings
        terminal.send(typed)
        // Without this setting, the program would first ask whether to load a map.
        let map = arguments.first == "follow" ? ["TRIPWATCH_BASEMAP": "none"] : [:]
        let variables = Program().environment.merging(["TERM": type]) { $1 }.merging(map) { $1 }.merging(setting) { $1 }
        running = try TerminalProgram(path, arguments, on: terminal, environment: variables.map { "\($0.key)=\($0.value)" })
    }

    /// The program's process id.
    var process: Int32 { running.process }

    /// The text on the screen, with one line for each row.
    var text: String { terminal.virtual.text }

    /// Types keys. They are given as the bytes that a terminal sends, such as "q", or "\u{1b}" for Esc.
    func press(_ keys: String) { terminal.send(keys) }

    /// Waits until the screen shows a text.
    func wait(for text: String) throws { try wait(for: "“\(text)”") { $0.contains(text) } }

    /// Waits until the text of a complete frame satisfies a condition. An incomplete frame may lack a line that moves to another row.
    func wait(for what: String, until isDone: (_ text: String) -> Bool) throws {
        try running.wait(for: what) { !$0.modes.contains(2026) && isDone($0.text) }
    }

    func signal(_ number: Int32) { running.signal(number) }

    /// Waits until the program ends.
    /// - Returns: the exit code, or 128 plus the signal's number.
    func end(seconds: Double = 60) throws -> Int32 {
        switch try running.end(seconds: seconds) {
        case .exited(let code): code
        case .killed(let signal): 128 + signal
        }
    }
}
