import Foundation
import TerminalCanvas
import TerminalHarness
import Testing

/// The program on a pseudo-terminal, as at a keyboard.
final class ProgramOnTerminal {
    let terminal: PseudoTerminal
    /// The line settings before it was started.
    let settings: String
    private let running: TerminalProgram

    /// - Parameters:
    ///   - type: TERM.
    ///   - setting: variables beside those of ``Program/environment``.
    ///   - typed: input that is there before the program starts.
    ///   - path: another program in its place.
    init(
        _ arguments: [String], columns: Int = 80, rows: Int = 24, type: String = "xterm-256color", setting: [String: String] = [:],
        typed: String = "", program path: String = Program.path
    ) throws {
        try #require(FileManager.default.isExecutableFile(atPath: path), "no program at \(path)")
        terminal = try PseudoTerminal(columns: columns, rows: rows)
        settings = terminal.settings
        terminal.send(typed)
        // Without it each trip would begin with the question for a map.
        let map = arguments.first == "follow" ? ["TRIPWATCH_BASEMAP": "none"] : [:]
        let variables = Program().environment.merging(["TERM": type]) { $1 }.merging(map) { $1 }.merging(setting) { $1 }
        running = try TerminalProgram(path, arguments, on: terminal, environment: variables.map { "\($0.key)=\($0.value)" })
    }

    /// Its id.
    var process: Int32 { running.process }

    /// The text of the screen, a line for each row.
    var text: String { terminal.virtual.text }

    /// Types keys as they come from a keyboard: "q", "\u{1b}" for Esc.
    func press(_ keys: String) { terminal.send(keys) }

    /// Waits until a text is seen.
    func wait(for text: String) throws { try wait(for: "“\(text)”") { $0.contains(text) } }

    /// Waits until the text of a whole frame satisfies a condition. Half a frame can miss a line that only moves to another row.
    func wait(for what: String, until isDone: (_ text: String) -> Bool) throws {
        try running.wait(for: what) { !$0.modes.contains(2026) && isDone($0.text) }
    }

    func signal(_ number: Int32) { running.signal(number) }

    /// Waits for its end.
    /// - Returns: the exit code, or 128 and the signal's number.
    func end(seconds: Double = 60) throws -> Int32 {
        switch try running.end(seconds: seconds) {
        case .exited(let code): code
        case .killed(let signal): 128 + signal
        }
    }
}
