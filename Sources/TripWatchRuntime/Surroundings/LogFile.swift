import FleetEngine
import FoundationEssentials
import Glibc
package import Logging
import Synchronization
import TerminalCanvas
import TripWatchApp

extension Surroundings {
    /// Writes down from now on what happens.
    ///
    /// - Parameter file: its path; `-` is the error stream.
    /// - Throws: `Failure` for a file that cannot be written.
    package mutating func openLog(_ file: String, command: String, version: String) throws(Failure) {
        let clock = clock(1)
        let streams = streams
        log = try Logger.writing(to: file, level: .debug, now: { clock.now() }, say: { streams.say($0) })
        log.info("start", metadata: ["command": "\(command)", "version": "\(version)"])
    }
}

extension Logger {
    /// Says nothing.
    package static let silent = Logger(label: "tripwatch") { _ in SwiftLogNoOpLogHandler() }

    /// Writes one line an event: time, level, what happened, and what belongs to it as `key=value`.
    ///
    /// - Parameter path: a file, which is appended to and made with mode 0600; `-` is the error stream.
    /// - Throws: `Failure` for a file that cannot be written.
    fileprivate static func writing(
        to path: String, level: Logger.Level, now: @escaping @Sendable () -> Date, say: @escaping @Sendable (String) -> Void
    ) throws(Failure) -> Logger {
        let descriptor = path == "-" ? STDERR_FILENO : open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOCTTY, 0o600)
        guard descriptor >= 0 else {
            let reason = String(cString: strerror(errno)).lowercased()
            throw Failure(message: "--log \(printable(path)) cannot be written: \(reason).", exitCode: ExitCodes.failed)
        }
        let file = LogFile(descriptor: descriptor, now: now) { reason in
            say("tripwatch: --log \(printable(path)) cannot be written, so it has gaps: \(reason).")
        }
        var logger = Logger(label: "tripwatch") { _ in LogFileHandler(file: file) }
        logger.logLevel = level
        return logger
    }
}

/// The file of a log. A line that cannot be written is left out, and the first such line is reported: a full disk must not stop a ride.
private final class LogFile: Sendable {
    private let descriptor: Int32
    private let now: @Sendable () -> Date
    private let tell: @Sendable (_ reason: String) -> Void
    private let hasGaps = Mutex(false)

    init(descriptor: Int32, now: @escaping @Sendable () -> Date, tell: @escaping @Sendable (_ reason: String) -> Void) {
        self.descriptor = descriptor
        self.now = now
        self.tell = tell
    }

    /// Writes a line as a whole.
    func write(_ line: String) {
        let bytes = Array((Timestamps.rfc3339(now()) + " " + line + "\n").utf8)
        let reason: String? = hasGaps.withLock { hasGaps in
            guard let reason = Self.write(bytes, to: descriptor), !hasGaps else { return nil }
            hasGaps = true
            return reason
        }
        if let reason { tell(reason) }
    }

    /// - Returns: why it was not written; nil when it was.
    private static func write(_ bytes: [UInt8], to descriptor: Int32) -> String? {
        var written = 0
        while written < bytes.count {
            let count = bytes[written...].withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count > 0 {
                written += count
            } else if errno != EINTR {
                return String(cString: strerror(errno)).lowercased()
            }
        }
        return nil
    }
}

private struct LogFileHandler: LogHandler {
    /// A value that is longer is cut, in characters.
    private static let longestValue = 400

    let file: LogFile
    var logLevel = Logger.Level.info
    var metadata: Logger.Metadata = [:]

    init(file: LogFile) { self.file = file }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        let all = metadata.merging(event.metadata ?? [:]) { _, new in new }
        let pairs = all.sorted { $0.key < $1.key }.map { "\($0.key)=\(Self.quoted("\($0.value)"))" }
        let level = event.level.rawValue.padding(to: 7)
        file.write(([level + " " + Self.line("\(event.message)")] + pairs).joined(separator: " "))
    }

    /// Text from outside loses what could break the line or the terminal that shows it.
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
