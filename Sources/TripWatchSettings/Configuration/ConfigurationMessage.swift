import TOMLText
import TerminalCanvas

/// An error in the configuration file, or in a value that is to be written to the file, as a sentence for the user.
///
/// The text contains no control characters, and no value of a key that can contain a secret.
package struct ConfigurationMessage: Error, Hashable, Sendable, CustomStringConvertible {
    /// Severity of the error.
    package enum Severity: Hashable, Sendable {
        /// The key is ignored.
        case warning
        /// The key is ignored. It is for the server, the connection or the credentials, so commands that contact a server stop instead of
        /// using another value.
        case connection
        /// The whole file, or the selected profile, is ignored.
        case error
    }

    package let severity: Severity
    /// Line number, from 1; nil if unknown.
    package let line: Int?
    package let column: Int?
    /// The key, such as "interval" or "profiles.work.interval"; nil for an error that affects the whole file.
    package let key: String?
    /// The error and what to do about it, without a full stop.
    package let sentence: String
    /// Whether this error stops a command that contacts a server. Every error stops `serve`.
    package var endsCommands: Bool { severity != .warning }

    /// Name of the file with the error; nil if the error is in an environment variable or a flag.
    private let file: String?

    init(_ severity: Severity, line: Int? = nil, column: Int? = nil, key: String? = nil, _ sentence: String) {
        self.severity = severity
        self.line = line
        self.column = column
        self.key = key.map { sanitised($0, maximumLength: 80) }
        self.sentence = sentence
        file = Configuration.fileName
    }

    /// Creates a message about an environment variable or a flag.
    /// - Parameter source: the environment variable or the flag with the invalid value.
    init(_ severity: Severity, source: String, _ sentence: String) {
        self.severity = severity
        line = nil
        column = nil
        file = nil
        key = sanitised(source, maximumLength: 80)
        self.sentence = sentence
    }

    init(failure: TOMLDocument.Failure) {
        self.init(.error, line: failure.line, column: failure.column, failure.sentence)
    }

    /// Whether the message is about this key: at the top level of the file, in the given profile, or as an environment variable.
    package func concerns(_ key: ConfigurationKey, profile: String?) -> Bool {
        let places = [key.name, key.variable] + (profile.map { ["profiles.\($0).\(key.name)"] } ?? [])
        return places.contains { self.key == $0 || self.key?.hasPrefix($0 + ".") == true }
    }

    /// Returns the message with the file's path: "/home/me/.config/tripwatch/config.toml:7: interval: 0 is not allowed; …". For an
    /// environment variable or a flag, its name replaces the path, line and key.
    package func placed(in path: String) -> String {
        let file = file.map { _ in sanitised(path, maximumLength: 400) + (line.map { ":\($0)" } ?? "") }
        return [file, key, sentence].compactMap { $0 }.joined(separator: ": ")
    }

    /// The message with the file's name: "config.toml: line 7: interval: 0 is not allowed; …"
    package var description: String {
        let place = line.map { line in "line \(line)" + (column.map { ", column \($0)" } ?? "") }
        return [file, place, key, sentence].compactMap { $0 }.joined(separator: ": ")
    }
}

/// Collects a limited number of messages.
struct ConfigurationMessages: Sendable {
    private static let maximumCount = 20

    private var all: [ConfigurationMessage] = []
    private var omitted = 0

    /// Adds a message. Once the maximum number of messages is reached, further warnings are only counted; their sentences are never
    /// composed.
    mutating func add(
        _ severity: ConfigurationMessage.Severity = .warning, line: Int?, path: [String], _ sentence: @autoclosure () -> String
    ) {
        if all.count < Self.maximumCount || severity != .warning {
            all.append(ConfigurationMessage(severity, line: line, key: path.joined(separator: "."), sentence()))
        } else {
            omitted += 1
        }
    }

    mutating func add(_ message: ConfigurationMessage) { all.append(message) }

    /// All messages, in the order of their lines in the file. If messages were omitted, the last message states their number.
    var finished: [ConfigurationMessage] {
        let inOrder = all.enumerated().sorted { ($0.element.line ?? 0, $0.offset) < ($1.element.line ?? 0, $1.offset) }.map(\.element)
        return inOrder + (omitted > 0 ? [ConfigurationMessage(.warning, "too many errors; \(omitted) not shown")] : [])
    }
}
