import FoundationEssentials
import Geo

// Values in the JSON of the apps. A figure may be a number or a numeric text. A value of any other type does not fail the decoding, because
// an app would send a refused message again and again. It is read as nil or NaN instead.

/// A number, or a number as text. The value is nil for other text, and NaN for JSON of any other type.
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

/// A time as a number or as text.
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

/// A value of this type; nil for a value of another type.
struct Lenient<Value: Decodable>: Decodable {
    let value: Value?

    init(from decoder: any Decoder) throws { value = try? decoder.singleValueContainer().decode(Value.self) }
}

/// The elements of a list, up to a maximum number. An element of another type is nil.
struct Batch<Element: Decodable>: Decodable {
    /// Maximum number of elements that are read. A usual body with this many elements would exceed the size limit of a body.
    private static var limit: Int { 12_000 }
    private(set) var elements: [Element?] = []

    init(from decoder: any Decoder) throws {
        var list = try decoder.unkeyedContainer()
        while !list.isAtEnd, elements.count < Self.limit { elements.append(try list.decode(Lenient<Element>.self).value) }
    }
}
