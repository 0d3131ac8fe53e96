import Files
import FleetEngine
import FoundationEssentials
import Glibc
package import Logging
import Synchronization
import TerminalCanvas
import TripWatchWords

extension Surroundings {
    /// Opens the log file. The log is written to it from now on.
    ///
    /// - Parameter file: the path of the file; `-` means the error stream.
    /// - Throws: `Failure` if the file cannot be written.
    package mutating func openLog(_ file: String, command: String, version: String) throws(Failure) {
        let clock = clock(1)
        let streams = streams
        let file = try LogFile(file, option: "--log") { streams.say($0) }
        file.join(logFiles)
        log = Logger(label: "tripwatch") { _ in LogFileHandler(file: file, now: { clock.now() }) }
        log.logLevel = .debug
        log.info("start", metadata: ["command": "\(command)", "version": "\(version)"])
    }

    /// Opens a file for JSON entries, and returns a function that writes one entry. If the file's name ends with `.json`, the
    /// file contains one JSON array. Otherwise, it contains one entry per line.
    ///
    /// - Parameters:
    ///   - file: the path of the file; `-` means the error stream.
    ///   - option: the option that gave the path, for error messages.
    /// - Throws: `Failure` if the file cannot be written, or if a `.json` file exists and does not contain such an array.
    package func entryWriter(to file: String, option: String) throws(Failure) -> @Sendable (String) -> Void {
        let streams = streams
        if file.hasSuffix(".json") {
            let list = try JSONListFile(file, option: option) { streams.say($0) }
            logFiles.add { () throws(Failure) in try list.reopen() }
            return { list.write($0) }
        }
        let file = try LogFile(file, option: option) { streams.say($0) }
        file.join(logFiles)
        return { file.write($0) }
    }
}

extension Logger {
    /// A logger that writes no messages.
    package static let silent = Logger(label: "tripwatch") { _ in SwiftLogNoOpLogHandler() }
}

/// The file of a log. A line that cannot be written is left out, and the first failure is reported. The program continues,
/// because a full disk must not end a ride.
final class LogFile: Sendable {
    private let path: String
    private let option: String
    private let tell: @Sendable (_ reason: String) -> Void
    private struct State {
        var descriptor: Int32
        var hasGaps = false
        /// Whether the last line of the file is incomplete, because another program wrote to the file or the disk was full.
        var endsWithinLine = false
    }

    private let state: Mutex<State>

    /// Opens the file.
    /// - Parameters:
    ///   - path: the file to append to; it is created with mode 0600 if it does not exist. `-` means the error stream.
    ///   - option: the option that gave the path, for error messages.
    /// - Throws: `Failure` if the file cannot be written.
    init(_ path: String, option: String, say: @escaping @Sendable (String) -> Void) throws(Failure) {
        self.path = path
        self.option = option
        state = Mutex(try Self.open(path, option: option))
        tell = Self.gapTeller(path, option: option, say: say)
    }

    private static func open(_ path: String, option: String) throws(Failure) -> State {
        guard path != "-" else { return State(descriptor: STDERR_FILENO) }
        let descriptor = Glibc.open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOCTTY, 0o600)
        guard descriptor >= 0 else { throw refusal(path, option: option, SystemError.last.phrase) }
        return State(descriptor: descriptor, endsWithinLine: endsWithinLine(path))
    }

    /// Adds this file to the log files that are reopened together. Does nothing if the log goes to the error stream.
    func join(_ files: LogFiles) {
        if path != "-" { files.add { () throws(Failure) in try self.reopen() } }
    }

    /// Switches to the file that is at the path now. Creates the file if it does not exist.
    /// - Throws: `Failure` if that file cannot be written. In this case, the old file stays in use.
    private func reopen() throws(Failure) {
        let opened = try Self.open(path, option: option)
        let former = state.withLock { state in
            let former = state.descriptor
            state = opened
            return former
        }
        close(former)
    }

    static func refusal(_ path: String, option: String, _ reason: String) -> Failure {
        Failure(message: "\(option) \(printable(path)) cannot be written: \(reason).", exitCode: ExitCodes.failed)
    }

    static func gapTeller(
        _ path: String, option: String, say: @escaping @Sendable (String) -> Void
    ) -> @Sendable (_ reason: String) -> Void {
        { say("tripwatch: \(option) \(printable(path)) cannot be written (\($0)), so the log has gaps.") }
    }

    /// Writes a whole line.
    func write(_ line: String) {
        let reason: String? = state.withLock { state in
            do throws(UnfinishedWrite) {
                try Files.append(Array(((state.endsWithinLine ? "\n" : "") + line + "\n").utf8), to: state.descriptor)
                state.endsWithinLine = false
                return nil
            } catch {
                if error.count > 0 { state.endsWithinLine = true }
                defer { state.hasGaps = true }
                return state.hasGaps ? nil : error.reason.phrase
            }
        }
        if let reason { tell(reason) }
    }

    private static func endsWithinLine(_ path: String) -> Bool {
        guard let reader = try? Files.openRegular(path) else { return false }
        defer { close(reader) }
        guard let size = Files.size(of: reader), size > 0 else { return false }
        var last: UInt8 = 0
        return pread(reader, &last, 1, size - 1) == 1 && last != UInt8(ascii: "\n")
    }
}

/// Writes one line per log message: time, level, message, and metadata as `key=value`.
private struct LogFileHandler: LogHandler {
    /// Maximum length of a value in a log line, in characters. Longer values are cut off.
    private static let longestValue = 400

    let file: LogFile
    let now: @Sendable () -> Date
    var logLevel = Logger.Level.info
    var metadata: Logger.Metadata = [:]

    init(file: LogFile, now: @escaping @Sendable () -> Date) {
        self.file = file
        self.now = now
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        let all = metadata.merging(event.metadata ?? [:]) { _, new in new }
        let pairs = all.sorted { $0.key < $1.key }.map { "\($0.key)=\(Self.quoted("\($0.value)"))" }
        let level = event.level.rawValue.padding(to: 7)
        file.write(([Timestamps.rfc3339(now()), level + " " + Self.line("\(event.message)")] + pairs).joined(separator: " "))
    }

    /// Returns untrusted text without characters that could begin a new line or control the terminal.
    private static func line(_ text: String) -> String { sanitised(text, maximumLength: longestValue) }

    private static func quoted(_ text: String) -> String {
        let text = line(text)
        let isWord = !text.isEmpty && !text.contains { $0 == " " || $0 == "\"" || $0 == "=" }
        return isWord ? text : "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
    }
}

extension String {
    fileprivate func padding(to width: Int) -> String { self + String(repeating: " ", count: max(0, width - count)) }
}
