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
    /// The fault and the remedy, without a full stop.
    package let sentence: String

    init(_ severity: Severity, file: String, key: String?, _ sentence: String) {
        self.severity = severity
        self.file = file
        self.key = key
        self.sentence = sentence
    }

    /// "my-theme.toml: route.ahead.fg: "blurple" is not a colour; …"
    package var description: String { ([file] + (key.map { [$0] } ?? []) + [sentence]).joined(separator: ": ") }
}

/// Collects messages, at most as many as a person reads.
struct ThemeMessages: Sendable {
    private static let maximumCount = 20

    private(set) var all: [ThemeMessage] = []
    private var omitted: [String: Int] = [:]

    /// Adds a message; beyond the limit it is counted and its sentence not built.
    mutating func add(
        _ severity: ThemeMessage.Severity = .warning, file: String, key: String? = nil, _ sentence: @autoclosure () -> String
    ) {
        if all.count < Self.maximumCount {
            all.append(ThemeMessage(severity, file: file, key: key.map { sanitised($0, maximumLength: 80) }, sentence()))
        } else {
            omitted[file, default: 0] += 1
        }
    }

    /// Adds the messages of a file, each with at most `severity`.
    mutating func add(_ more: ThemeMessages, atMost severity: ThemeMessage.Severity) {
        for message in more.all {
            add(severity == .warning ? .warning : message.severity, file: message.file, key: message.key, message.sentence)
        }
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
