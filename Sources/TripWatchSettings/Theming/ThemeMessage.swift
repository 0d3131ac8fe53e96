import TOMLText
import TerminalCanvas

/// An error in a theme, as a sentence for the user.
package struct ThemeMessage: Hashable, Sendable, CustomStringConvertible {
    /// Severity of the error.
    package enum Severity: Hashable, Sendable {
        /// A part of the theme is ignored.
        case warning
        /// The whole theme is ignored, and the default theme is shown.
        case error
    }

    package let severity: Severity
    /// Name of the file, such as "my-theme.toml".
    package let file: String
    /// The key, such as "route.ahead.fg"; nil for an error that affects the whole file.
    package let key: String?
    /// Line number, from 1; nil if unknown.
    package let line: Int?
    /// Column of a syntax error; nil for other errors.
    package let column: Int?
    /// The error and what to do about it, without a full stop.
    package let sentence: String

    init(_ severity: Severity, file: String, key: String?, line: Int? = nil, column: Int? = nil, _ sentence: String) {
        self.severity = severity
        self.file = file
        self.key = key
        (self.line, self.column) = (line, column)
        self.sentence = sentence
    }

    /// The message with the file's name: "my-theme.toml: route.ahead.fg: "blurple" is not a colour; …"
    package var description: String {
        let place = column.flatMap { column in line.map { "line \($0), column \(column)" } }
        return [file, place, key, sentence].compactMap { $0 }.joined(separator: ": ")
    }

    /// Returns the message in the format of compiler errors: "themes/my-theme.toml:7: route.ahead.fg: "blurple" is not a
    /// colour; …"
    ///
    /// - Parameter path: path of the file.
    package func text(path: String) -> String {
        [path + (line.map { ":\($0)" } ?? ""), key, sentence].compactMap { $0 }.joined(separator: ": ")
    }
}

/// Collects a limited number of messages.
struct ThemeMessages: Sendable {
    private static let maximumCount = 20
    /// Maximum number of messages of a thorough check. Real files do not reach this number.
    private static let maximumThoroughCount = 1_000

    /// Whether to collect all messages, and their line numbers.
    let isThorough: Bool
    /// Line numbers of the keys of each file.
    private var lines: [String: [String: Int]] = [:]
    private(set) var all: [ThemeMessage] = []
    private var omitted: [String: Int] = [:]

    init(isThorough: Bool = false) { self.isThorough = isThorough }

    private var limit: Int { isThorough ? Self.maximumThoroughCount : Self.maximumCount }

    /// Records the line numbers of a file's keys, if the messages need line numbers.
    mutating func learnLines(of document: TOMLDocument, file: String) {
        guard isThorough else { return }
        lines[file] = Dictionary(document.lines().map { ($0.key.joined(separator: "."), $0.value) }) { min($0, $1) }
    }

    /// Returns the line number of a key, or else of the table that the key belongs to.
    private func line(of key: String?, in file: String) -> Int? {
        guard var rest = key?[...], let lines = lines[file] else { return nil }
        while true {
            if let line = lines[String(rest)] { return line }
            guard let dot = rest.lastIndex(of: ".") else { return nil }
            rest = rest[..<dot]
        }
    }

    /// Adds a message. Once the maximum number of messages is reached, further messages are only counted, and their sentences are
    /// not built.
    mutating func add(
        _ severity: ThemeMessage.Severity = .warning, file: String, key: String? = nil, line: Int? = nil, column: Int? = nil,
        _ sentence: @autoclosure () -> String
    ) {
        if all.count < limit {
            let line = line ?? self.line(of: key, in: file)
            let shown = key.map { sanitised($0, maximumLength: 80) }
            all.append(ThemeMessage(severity, file: file, key: shown, line: line, column: column, sentence()))
        } else {
            omitted[file, default: 0] += 1
        }
    }

    /// Adds messages. The severity of each message is limited to `severity`.
    mutating func add(_ more: ThemeMessages, atMost severity: ThemeMessage.Severity) {
        for message in more.all {
            let least = severity == .warning ? .warning : message.severity
            add(least, file: message.file, key: message.key, line: message.line, column: message.column, message.sentence)
        }
        lines.merge(more.lines) { _, new in new }
        omitted.merge(more.omitted, uniquingKeysWith: +)
    }

    /// All messages. For each file with omitted messages, a message at the end says how many were omitted.
    var finished: [ThemeMessage] {
        all
            + omitted.sorted { $0.key < $1.key }.map {
                ThemeMessage(.warning, file: $0.key, key: nil, "too many errors; \($0.value) not shown")
            }
    }
}
