import Foundation
import Glibc
import TerminalHarness

@testable import ProgramHarness

/// A program of a scenario, with or without a screen, whose output the test reads.
protocol WatchedProgram {
    var process: Int32 { get }
    /// Waits for a text on the screen, or in the lines that were printed since the last successful search.
    /// - Returns: the line or screen that contains the text; nil if the text does not appear.
    func sees(_ words: String, within seconds: Double) -> String?
    /// Like `sees(_:within:)`, but starts where the last successful search started, and does not change where the next search starts.
    /// Returns false if the text does not appear.
    func showsOrHasShown(_ words: String, within seconds: Double) -> Bool
    /// Waits until a text is no longer on the screen. Returns false if the text does not disappear. For a program
    /// that prints lines, always returns false.
    func loses(_ words: String) -> Bool
    /// Waits until the program ends.
    /// - Returns: the exit code, or 128 plus the signal's number; nil if the program does not end.
    func end(within seconds: Double) -> Int32?
    /// Ends the program in the way that a user would.
    func leave() -> Int32?
    /// The whole output so far.
    var output: String { get }
}

/// A program that prints lines. The test reads its standard output and standard error together.
final class WatchedLines: WatchedProgram {
    private let running: Program.Running
    private let lines: LineWatch
    private var seen = 0
    /// The value of `seen` before the last successful search.
    private var seenBefore = 0

    init(_ row: FaultRow, in scene: FaultScene) throws {
        running = try Program().start(
            row.arguments.map(scene.filled), setting: row.setting.mapValues(scene.filled), descriptors: row.descriptors,
            fileBlocks: row.fileBlocks)
        lines = LineWatch(running.output, running.errors)
    }

    deinit { if running.process.isRunning { kill(process, SIGKILL) } }

    var process: Int32 { running.process.processIdentifier }
    var output: String { lines.all.joined(separator: "\n") }

    func sees(_ words: String, within seconds: Double) -> String? {
        guard let line = lines.line(with: words, after: seen, within: seconds) else { return nil }
        seenBefore = seen
        seen = lines.all.count
        return line
    }

    func showsOrHasShown(_ words: String, within seconds: Double) -> Bool {
        lines.line(with: words, after: seenBefore, within: seconds) != nil
    }

    func loses(_ words: String) -> Bool { false }

    func end(within seconds: Double) -> Int32? {
        guard running.waitForEnd(until: .now() + seconds) else { return nil }
        let process = running.process
        lines.waitForEnd()
        return process.terminationReason == .uncaughtSignal ? 128 + process.terminationStatus : process.terminationStatus
    }

    func leave() -> Int32? {
        if running.process.isRunning { running.process.terminate() }
        return end(within: 60)
    }
}

/// A program on a terminal.
final class WatchedScreen: WatchedProgram {
    private let program: ProgramOnTerminal

    init(_ row: FaultRow, in scene: FaultScene) throws {
        program = try ProgramOnTerminal(
            row.arguments.map(scene.filled), columns: 120, rows: 40, setting: row.setting.mapValues(scene.filled), typed: row.typed)
    }

    var process: Int32 { program.process }
    var output: String { program.text }

    func sees(_ words: String, within seconds: Double) -> String? {
        do { try program.wait(for: words) } catch { return nil }
        return program.text
    }

    func showsOrHasShown(_ words: String, within seconds: Double) -> Bool { sees(words, within: seconds) != nil }

    func loses(_ words: String) -> Bool {
        do { try program.wait(for: "the end of “\(words)”") { !$0.contains(words) } } catch { return false }
        return true
    }

    func end(within seconds: Double) -> Int32? { try? program.end(seconds: seconds) }

    func leave() -> Int32? {
        program.press("q")
        return end(within: 60)
    }
}
