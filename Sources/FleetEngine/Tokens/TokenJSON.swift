import BoundedJSON
import FoundationEssentials

/// One member of a JSON object about a token. Values that tokens do not need are `other`: null, objects, and lists with elements other than
/// strings.
enum TokenJSON: Decodable, Hashable {
    case text(String)
    case number(Double)
    case truth(Bool)
    case texts([String])
    case other

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let text = try? container.decode(String.self) {
            self = .text(text)
        } else if let truth = try? container.decode(Bool.self) {
            self = .truth(truth)
        } else if let number = try? container.decode(Double.self) {
            self = .number(number)
        } else if let texts = try? container.decode([String].self) {
            self = .texts(texts)
        } else {
            self = .other
        }
    }

    var text: String? { if case .text(let text) = self { text } else { nil } }

    /// The text, or the texts in a list.
    var texts: [String] {
        switch self {
        case .text(let text): [text]
        case .texts(let texts): texts
        case .number, .truth, .other: []
        }
    }

    /// The number, or the number that a text holds.
    var number: Double? {
        switch self {
        case .number(let number): number
        case .text(let text): Double(text)
        case .truth, .texts, .other: nil
        }
    }

    /// Returns the members of the JSON object in `data`; nil for any other data.
    static func members(_ data: Data) -> [String: TokenJSON]? { try? JSONDecoder().decodeBounded([String: TokenJSON].self, from: data) }
}

extension Date {
    /// The last second of the year 9999. Later times are of no use, and some formatters fail on them.
    static let lastTokenSecond = 253_402_300_799.0

    /// Creates a date from a number in JSON, in seconds since 1970. Nil for a number that is missing, negative or not finite. The date is
    /// at most the end of the year 9999.
    init?(tokenSeconds seconds: Double?) {
        guard let seconds, seconds.isFinite, seconds >= 0 else { return nil }
        self.init(timeIntervalSince1970: min(seconds, Self.lastTokenSecond))
    }
}
