import FoundationEssentials
import Geo

// Values in the JSON of the apps. Figures may be numbers or texts of digits, and what is of another kind is no figure: one field that an app
// changes must not make a phone send the same for ever.

/// A number, or a text of one; NaN for anything else.
struct Figure: Decodable {
    let value: Double?

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let number = try? container.decode(Double.self) {
            value = number
        } else if let text = try? container.decode(String.self) {
            value = Double(written: text)
        } else {
            value = .nan
        }
    }
}

/// A number or a text: a time in one of its forms.
struct TimeFigure: Decodable {
    let value: RawTime

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let text = try? container.decode(String.self) {
            value = .text(text)
        } else {
            value = .number((try? container.decode(Double.self)) ?? .nan)
        }
    }
}

/// A value of this kind; nil for one of another.
struct Lenient<Value: Decodable>: Decodable {
    let value: Value?

    init(from decoder: any Decoder) throws { value = try? decoder.singleValueContainer().decode(Value.self) }
}

/// The first elements of a list; one of another kind is nil.
struct Batch<Element: Decodable>: Decodable {
    /// More do not fit into the largest body that a server reads.
    private static var limit: Int { 12_000 }
    private(set) var elements: [Element?] = []

    init(from decoder: any Decoder) throws {
        var list = try decoder.unkeyedContainer()
        while !list.isAtEnd, elements.count < Self.limit { elements.append(try list.decode(Lenient<Element>.self).value) }
    }
}
