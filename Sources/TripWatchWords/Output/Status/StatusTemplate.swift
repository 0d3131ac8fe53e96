import TerminalCanvas
import TripWatchSettings

/// The user's own format for a status line: text with fields such as `{eta}`, `{bar:17}` for a bar of 17 characters, and `{{` for a brace.
package struct StatusTemplate: Hashable, Sendable {
    /// The fields that can appear between braces.
    package enum Field: String, CaseIterable, Sendable {
        case eta, clock, distance, state, bar, freshness, trip, vehicle
    }

    /// An error in a template, and how to fix it.
    package struct FormatError: Error, Hashable, Sendable, CustomStringConvertible {
        package let description: String
    }

    private enum Part: Hashable, Sendable {
        case text(String)
        case field(Field)
        case bar(width: Int)
    }

    package static let standardBarWidth = 10
    package static let barWidths = 1...200
    private let parts: [Part]

    package init(_ text: String) throws(FormatError) {
        var parts: [Part] = []
        var literal = ""
        var rest = text[...]
        while let character = rest.popFirst() {
            if character == "{", rest.first == "{" {
                rest.removeFirst()
                literal.append("{")
            } else if character == "}", rest.first == "}" {
                rest.removeFirst()
                literal.append("}")
            } else if character == "{" {
                guard let end = rest.firstIndex(of: "}") else {
                    throw FormatError(description: "a field has no closing brace: write a field as {eta}, and a brace as {{")
                }
                parts.append(.text(literal))
                literal = ""
                parts.append(try Self.field(String(rest[..<end])))
                rest = rest[rest.index(after: end)...]
            } else {
                literal.append(character)
            }
        }
        parts.append(.text(literal))
        self.parts = parts
    }

    /// Returns the status line of a trip or a shipment. Control characters are removed from text that comes from outside the program.
    package func line(_ report: some StatusFields) -> String {
        let text = parts.map { part in
            switch part {
            case .text(let text): text
            case .bar(let width): report.bar(width: width)
            case .field(let field): report[field]
            }
        }
        return text.joined()
    }

    private static func field(_ text: String) throws(FormatError) -> Part {
        let words = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard let field = words.first.flatMap(Field.init(rawValue:)) else { throw unknown(words.first ?? "") }
        guard words.count == 2 else { return field == .bar ? .bar(width: standardBarWidth) : .field(field) }
        guard field == .bar, let width = Int(words[1]), barWidths.contains(width) else {
            throw FormatError(
                description: "only {bar} takes a width, from \(barWidths.lowerBound) to \(barWidths.upperBound), such as {bar:17}")
        }
        return .bar(width: width)
    }

    private static func unknown(_ word: String) -> FormatError {
        let names = Field.allCases.map(\.rawValue)
        let meant = Nearest.match(word, among: names).map { " (did you mean {\($0)}?)" } ?? ""
        let shown = sanitised(word, maximumLength: 40)
        return FormatError(description: "there is no field {\(shown)}\(meant); the fields are \(names.joined(separator: ", "))")
    }
}

/// The values that a status line can show.
package protocol StatusFields {
    var eta: String { get }
    var clock: String { get }
    var distance: String { get }
    var state: String { get }
    var freshness: String { get }
    var trip: String { get }
    var vehicle: String { get }
    var glyphs: GlyphTier { get }
    /// Returns a bar for the completed share of the route, `width` (1 to 200) characters wide.
    func bar(width: Int) -> String
}

extension StatusReport: StatusFields {}

extension StatusFields {
    /// Returns the value of a field as text.
    fileprivate subscript(_ field: StatusTemplate.Field) -> String {
        let value =
            switch field {
            case .eta: eta
            case .clock: clock
            case .distance: distance
            case .state: state
            case .bar: bar(width: StatusTemplate.standardBarWidth)
            case .freshness: freshness
            case .trip: trip
            case .vehicle: vehicle
            }
        return glyphs.text(value)
    }
}
