import TOMLText
import TerminalCanvas

/// Something that is wrong with the configuration file or with what should be written into it, in a sentence for people.
///
/// Nothing in it can harm a terminal, and no value of a key that could hold a secret is repeated.
package struct ConfigurationMessage: Error, Hashable, Sendable, CustomStringConvertible {
    /// How much was lost.
    package enum Severity: Hashable, Sendable {
        /// A key is left out.
        case warning
        /// A key is left out that says which server is asked, or how: no other one is asked instead.
        case connection
        /// The file, or the profile that was asked for, is left out as a whole.
        case error
    }

    package let severity: Severity
    /// Where it stands, counted from 1; nil where that is not known.
    package let line: Int?
    package let column: Int?
    /// The key: "interval" or "profiles.work.interval"; nil where the file as a whole is meant.
    package let key: String?
    /// The fault and the remedy, without a full stop.
    package let sentence: String
    /// Whether a command that asks a server ends with it.
    package var endsCommands: Bool { severity != .warning }

    /// The file that it is about; nil for a variable of the environment.
    private let file: String?

    init(_ severity: Severity, line: Int? = nil, column: Int? = nil, key: String? = nil, _ sentence: String) {
        self.severity = severity
        self.line = line
        self.column = column
        self.key = key.map { sanitised($0, maximumLength: 80) }
        self.sentence = sentence
        file = Configuration.fileName
    }

    /// - Parameter variable: the environment variable with the wrong value.
    init(_ severity: Severity, variable: String, _ sentence: String) {
        self.severity = severity
        line = nil
        column = nil
        file = nil
        key = sanitised(variable, maximumLength: 80)
        self.sentence = sentence
    }

    init(failure: TOMLDocument.Failure) {
        self.init(.error, line: failure.line, column: failure.column, failure.sentence)
    }

    /// "/home/me/.config/tripwatch/config.toml:7: interval: 0 is not allowed; …", or with a variable in place of file and line.
    package func placed(in path: String) -> String {
        let file = file.map { _ in sanitised(path, maximumLength: 400) + (line.map { ":\($0)" } ?? "") }
        return [file, key, sentence].compactMap { $0 }.joined(separator: ": ")
    }

    /// "config.toml: line 7: interval: 0 is not allowed; …"
    package var description: String {
        let place = line.map { line in "line \(line)" + (column.map { ", column \($0)" } ?? "") }
        return [file, place, key, sentence].compactMap { $0 }.joined(separator: ": ")
    }
}

/// Collects messages, at most as many as a person reads.
struct ConfigurationMessages: Sendable {
    private static let maximumCount = 20

    private var all: [ConfigurationMessage] = []
    private var omitted = 0

    /// Adds a message; beyond the limit it is counted and its sentence not built.
    mutating func add(
        _ severity: ConfigurationMessage.Severity = .warning, line: Int?, path: [String], _ sentence: @autoclosure () -> String
    ) {
        if all.count < Self.maximumCount || severity != .warning {
            all.append(ConfigurationMessage(severity, line: line, key: path.joined(separator: "."), sentence()))
        } else {
            omitted += 1
        }
    }

    /// All of them in the order of the file, with a last one that counts those left out.
    var finished: [ConfigurationMessage] {
        let inOrder = all.enumerated().sorted { ($0.element.line ?? 0, $0.offset) < ($1.element.line ?? 0, $1.offset) }.map(\.element)
        return inOrder + (omitted > 0 ? [ConfigurationMessage(.warning, "\(omitted) more things are wrong here")] : [])
    }
}
