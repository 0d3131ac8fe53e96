import TOMLText
import TerminalCanvas

/// An error in a theme, as a readable sentence.
package struct ThemeMessage: Hashable, Sendable, CustomStringConvertible {
    /// Severity of the error.
    package enum Severity: Hashable, Sendable {
        /// A part of the theme is ignored.
        case warning
        /// The whole theme is ignored and the default shown.
        case error
    }

    package let severity: Severity
    /// Name of the file: "my-theme.toml".
    package let file: String
    /// The key: "route.ahead.fg"; nil for the file as a whole.
    package let key: String?
    /// Line number, from 1; nil if unknown.
    package let line: Int?
    /// Column of a syntax error; nil for other errors.
    package let column: Int?
    /// Error and remedy, without a full stop.
    package let sentence: String

    init(_ severity: Severity, file: String, key: String?, line: Int? = nil, column: Int? = nil, _ sentence: String) {
        self.severity = severity
        self.file = file
        self.key = key
        (self.line, self.column) = (line, column)
        self.sentence = sentence
    }

    /// "my-theme.toml: route.ahead.fg: "blurple" is not a colour; …"
    package var description: String {
        let place = column.flatMap { column in line.map { "line \($0), column \(column)" } }
        return [file, place, key, sentence].compactMap { $0 }.joined(separator: ": ")
    }

    /// "themes/my-theme.toml:7: route.ahead.fg: "blurple" is not a colour; …", in the format of compilers.
    ///
    /// - Parameter path: path of the file.
    package func text(path: String) -> String {
        [path + (line.map { ":\($0)" } ?? ""), key, sentence].compactMap { $0 }.joined(separator: ": ")
    }
}

/// Collects a limited number of messages.
struct ThemeMessages: Sendable {
    private static let maximumCount = 20
    /// Limit of a thorough check. Real files do not reach it.
    private static let maximumThoroughCount = 1_000

    /// Whether to collect all messages, with their lines.
    let isThorough: Bool
    /// Line numbers of the keys of each file.
    private var lines: [String: [String: Int]] = [:]
    private(set) var all: [ThemeMessage] = []
    private var omitted: [String: Int] = [:]

    init(isThorough: Bool = false) { self.isThorough = isThorough }

    private var limit: Int { isThorough ? Self.maximumThoroughCount : Self.maximumCount }

    /// Records the line numbers of a file's keys, if they are needed.
    mutating func learnLines(of document: TOMLDocument, file: String) {
        guard isThorough else { return }
        lines[file] = Dictionary(document.lines().map { ($0.key.joined(separator: "."), $0.value) }) { min($0, $1) }
    }

    /// The line of a key, or of the table that it belongs to.
    private func line(of key: String?, in file: String) -> Int? {
        guard var rest = key?[...], let lines = lines[file] else { return nil }
        while true {
            if let line = lines[String(rest)] { return line }
            guard let dot = rest.lastIndex(of: ".") else { return nil }
            rest = rest[..<dot]
        }
    }

    /// Adds a message. Beyond the limit it is only counted, and its sentence is not built.
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

    /// Adds the messages of a file, each with at most `severity`.
    mutating func add(_ more: ThemeMessages, atMost severity: ThemeMessage.Severity) {
        for message in more.all {
            let least = severity == .warning ? .warning : message.severity
            add(least, file: message.file, key: message.key, line: message.line, column: message.column, message.sentence)
        }
        lines.merge(more.lines) { _, new in new }
        omitted.merge(more.omitted, uniquingKeysWith: +)
    }

    /// All messages, followed by one that counts the omitted ones.
    var finished: [ThemeMessage] {
        all
            + omitted.sorted { $0.key < $1.key }.map {
                ThemeMessage(.warning, file: $0.key, key: nil, "\($0.value) more errors are not shown")
            }
    }
}
