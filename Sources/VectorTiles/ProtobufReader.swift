/// Reads protobuf fields from a part of a byte array, and checks every length against the end of that part.
///
/// Rules: https://protobuf.dev/programming-guides/encoding/
struct ProtobufReader {
    enum WireType: UInt8 {
        case varint = 0
        case fixed64 = 1
        case lengthDelimited = 2
        case fixed32 = 5
    }

    struct Field {
        var number: Int
        var wireType: WireType
    }

    /// The encoded numbers of a repeated field. Packed numbers share one field. Each unpacked number has its own field.
    struct Numbers {
        /// The packed field's content, or the message with the loose fields.
        var range: Range<Int>
        /// The field number of loose numbers; 0 if the numbers are packed.
        var looseField = 0
    }

    let bytes: [UInt8]
    /// Whether every violation of the format is refused. If false, the reader accepts everything that can be drawn.
    let isStrict: Bool
    private(set) var position: Int
    private(set) var end: Int
    private var looseField = 0

    /// Creates a reader of `range`. A range that extends beyond the end of `bytes` is shortened.
    init(_ bytes: [UInt8], in range: Range<Int>, isStrict: Bool = false) {
        self.bytes = bytes
        self.isStrict = isStrict
        end = min(max(0, range.upperBound), bytes.count)
        position = min(max(0, range.lowerBound), end)
    }

    var isAtEnd: Bool { position >= end }

    /// Whether the current numbers are loose, each in a field of its own.
    var isLoose: Bool { looseField != 0 }

    /// Moves to another part of the same bytes. This is cheaper than a new reader.
    @inline(__always)
    mutating func move(to range: Range<Int>) {
        end = min(max(0, range.upperBound), bytes.count)
        position = min(max(0, range.lowerBound), end)
        looseField = 0
    }

    /// Moves to the first of these numbers, which ``readNumber()`` then reads.
    @inline(__always)
    mutating func move(to numbers: Numbers) throws(VectorTileError) {
        move(to: numbers.range)
        guard numbers.looseField != 0 else { return }
        looseField = numbers.looseField
        try skipToLooseNumber()
    }

    /// Reads the next of the numbers passed to ``move(to:)-(Numbers)``.
    @inline(__always)
    mutating func readNumber() throws(VectorTileError) -> UInt64 {
        let number = try readVarint()
        if looseField != 0 { try skipToLooseNumber() }
        return number
    }

    private mutating func skipToLooseNumber() throws(VectorTileError) {
        while let field = try nextField() {
            if field.number == looseField, field.wireType == .varint { return }
            try skip(field)
        }
    }

    @inline(__always)
    mutating func readVarint() throws(VectorTileError) -> UInt64 {
        guard position < end else { throw VectorTileError(.truncated, at: position) }
        let first = bytes[position]
        position += 1
        if first < 0x80 { return UInt64(first) }
        // Most numbers with more than one byte have two bytes.
        if position < end, bytes[position] < 0x80 {
            position += 1
            return UInt64(first & 0x7f) | UInt64(bytes[position - 1]) << 7
        }
        return try readLongVarint(first)
    }

    private mutating func readLongVarint(_ first: UInt8) throws(VectorTileError) -> UInt64 {
        var value = UInt64(first & 0x7f)
        var shift: UInt64 = 7
        while shift < 70 {
            guard position < end else { throw VectorTileError(.truncated, at: position) }
            let byte = bytes[position]
            position += 1
            value |= UInt64(byte & 0x7f) << shift
            if byte < 0x80 { return value }
            shift += 7
        }
        throw VectorTileError(.malformedProtobuf, at: position)
    }

    /// Reads the number and type of the next field; nil at the end.
    mutating func nextField() throws(VectorTileError) -> Field? {
        guard position < end else { return nil }
        let start = position
        let key = try readVarint()
        guard let number = Int(exactly: key >> 3), number > 0, number < 1 << 29,
            let wireType = WireType(rawValue: UInt8(truncatingIfNeeded: key & 7))
        else { throw VectorTileError(.malformedProtobuf, at: start) }
        return Field(number: number, wireType: wireType)
    }

    /// Reads a length-delimited field. Returns the position of its bytes, as a range in the whole array.
    mutating func readLengthDelimited() throws(VectorTileError) -> Range<Int> {
        let length = try readVarint()
        guard let length = Int(exactly: length), length <= end - position else {
            throw VectorTileError(.truncated, at: position)
        }
        let range = position..<position + length
        position += length
        return range
    }

    mutating func readFixed32() throws(VectorTileError) -> UInt32 { UInt32(truncatingIfNeeded: try readLittleEndian(byteCount: 4)) }

    mutating func readFixed64() throws(VectorTileError) -> UInt64 { try readLittleEndian(byteCount: 8) }

    private mutating func readLittleEndian(byteCount: Int) throws(VectorTileError) -> UInt64 {
        guard end - position >= byteCount else { throw VectorTileError(.truncated, at: position) }
        var value: UInt64 = 0
        for index in 0..<byteCount { value |= UInt64(bytes[position + index]) << UInt64(index * 8) }
        position += byteCount
        return value
    }

    mutating func skip(_ field: Field) throws(VectorTileError) {
        switch field.wireType {
        case .varint: _ = try readVarint()
        case .fixed64: _ = try readFixed64()
        case .lengthDelimited: _ = try readLengthDelimited()
        case .fixed32: _ = try readFixed32()
        }
    }

    /// Throws if a known field has a wire type other than the one in the specification.
    func require(_ wireType: WireType, for field: Field) throws(VectorTileError) {
        guard field.wireType == wireType else { throw VectorTileError(.wrongWireType(field: field.number), at: position) }
    }

    /// Returns the UTF-8 string in `range` of the whole array. Invalid UTF-8 becomes U+FFFD, unless the reader is strict.
    func text(in range: Range<Int>) throws(VectorTileError) -> String {
        guard isStrict else { return String(decoding: bytes[range], as: UTF8.self) }
        guard let text = String(validating: bytes[range], as: UTF8.self) else {
            throw VectorTileError(.invalidText, at: range.lowerBound)
        }
        return text
    }
}
