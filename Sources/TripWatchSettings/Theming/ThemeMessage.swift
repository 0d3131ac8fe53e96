import TOMLText
import TerminalCanvas

/// Something that is wrong with a theme, in a sentence for people.
package struct ThemeMessage: Hashable, Sendable, CustomStringConvertible {
    /// How much was lost.
    package enum Severity: Hashable, Sendable {
        /// A part of the theme is left out.
        case warning
        /// The whole theme is left out and the default shown.
        case error
    }

    package let severity: Severity
    /// The file it stands in: "my-theme.toml".
    package let file: String
    /// The key in it: "route.ahead.fg"; nil where the file as a whole is meant.
    package let key: String?
    /// Where it stands in the file, counted from 1; nil where that is not known.
    package let line: Int?
    /// Where in its line the file cannot be read; nil for all other faults.
    package let column: Int?
    /// The fault and the remedy, without a full stop.
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

    /// "themes/my-theme.toml:7: route.ahead.fg: "blurple" is not a colour; …", as compilers put it.
    ///
    /// - Parameter path: of the file.
    package func text(path: String) -> String {
        [path + (line.map { ":\($0)" } ?? ""), key, sentence].compactMap { $0 }.joined(separator: ": ")
    }
}

/// Collects messages, at most as many as a person reads.
struct ThemeMessages: Sendable {
    private static let maximumCount = 20
    /// No file has as many different ones.
    private static let maximumThoroughCount = 1_000

    /// Whether all are wanted, with their lines.
    let isThorough: Bool
    /// Where the keys of each file stand.
    private var lines: [String: [String: Int]] = [:]
    private(set) var all: [ThemeMessage] = []
    private var omitted: [String: Int] = [:]

    init(isThorough: Bool = false) { self.isThorough = isThorough }

    private var limit: Int { isThorough ? Self.maximumThoroughCount : Self.maximumCount }

    /// From now on the lines of a file's keys are known, where they are wanted.
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

    /// Adds a message; beyond the limit it is counted and its sentence not built.
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

    /// All of them, with a last one that counts those left out.
    var finished: [ThemeMessage] {
        all
            + omitted.sorted { $0.key < $1.key }.map {
                ThemeMessage(.warning, file: $0.key, key: nil, "\($0.value) more things are wrong here")
            }
    }
}
