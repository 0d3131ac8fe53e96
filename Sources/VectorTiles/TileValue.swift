/// One attribute value of a vector tile.
enum TileValue: Equatable {
    case text(String)
    case number(Double)
    case integer(Int64)
    case flag(Bool)

    /// Reads a `Value` message (specification 4.4). At least one of its seven fields must be present. If there are several, the last
    /// one is used.
    static func read(from reader: inout ProtobufReader, in range: Range<Int>) throws(VectorTileError) -> TileValue {
        reader.move(to: range)
        var value: TileValue?
        while let field = try reader.nextField() { value = try read(field, from: &reader) }
        guard let value else { throw VectorTileError(.unknownValueType, at: range.lowerBound) }
        return value
    }

    private static func read(
        _ field: ProtobufReader.Field, from reader: inout ProtobufReader
    ) throws(VectorTileError) -> TileValue {
        switch field.number {
        case 1:
            try reader.require(.lengthDelimited, for: field)
            return .text(try reader.text(in: reader.readLengthDelimited()))
        case 2:
            try reader.require(.fixed32, for: field)
            return .number(Double(Float(bitPattern: try reader.readFixed32())))
        case 3:
            try reader.require(.fixed64, for: field)
            return .number(Double(bitPattern: try reader.readFixed64()))
        case 4:
            try reader.require(.varint, for: field)
            return .integer(Int64(bitPattern: try reader.readVarint()))
        case 5:
            try reader.require(.varint, for: field)
            return .integer(Int64(clamping: try reader.readVarint()))
        case 6:
            try reader.require(.varint, for: field)
            let raw = try reader.readVarint()
            return .integer(Int64(bitPattern: raw >> 1) ^ -Int64(bitPattern: raw & 1))
        case 7:
            try reader.require(.varint, for: field)
            return .flag(try reader.readVarint() != 0)
        default:
            throw VectorTileError(.unknownValueType, at: reader.position)
        }
    }

    /// The text; nil for another type.
    var text: String? { if case .text(let text) = self { text } else { nil } }

    /// The value as a whole number: a text is parsed, and a flag is 1 or 0. Nil if the value is not a whole number.
    var integer: Int? {
        switch self {
        case .integer(let value): Int(exactly: value)
        case .number(let value): Int(exactly: value)
        case .flag(let value): value ? 1 : 0
        case .text(let text): Int(text)
        }
    }

    /// Whether the value of a schema's yes/no attribute means yes: true, a number other than 0, "yes", "true" or "1".
    var isTrue: Bool {
        switch self {
        case .flag(let value): value
        case .integer(let value): value != 0
        case .number(let value): value != 0
        case .text(let text): text == "yes" || text == "true" || text == "1"
        }
    }
}
