/// One layer of a vector tile, as the positions of the layer's parts in the tile's bytes.
///
/// The fields may come in any order. The layer is therefore scanned first, and its parts are decoded later, as needed.
struct TileLayer {
    /// Largest accepted extent; real tiles have 256…8192.
    static let maximumExtent: UInt64 = 1 << 30

    let reader: ProtobufReader
    let name: String
    let extent: Int32
    // `UInt32` takes half the memory of `Int`. A malicious layer can have a part for every two bytes.
    private(set) var features: [Range<UInt32>] = []
    private(set) var keys: [Range<UInt32>] = []
    private(set) var values: [Range<UInt32>] = []

    /// Reads only the name of the layer in `range`; empty if the layer has no name.
    static func name(of range: Range<Int>, in bytes: [UInt8], isStrict: Bool = false) throws(VectorTileError) -> String {
        var reader = ProtobufReader(bytes, in: range, isStrict: isStrict)
        var name: String?
        while let field = try reader.nextField() {
            guard field.number == 1 else {
                try reader.skip(field)
                continue
            }
            try reader.require(.lengthDelimited, for: field)
            name = try reader.text(in: reader.readLengthDelimited())
            break
        }
        if isStrict, name?.isEmpty ?? true { throw VectorTileError(.missingLayerName, at: range.lowerBound) }
        return name ?? ""
    }

    /// Scans a `Layer` message (specification 4.1).
    ///
    /// - Parameter isStrict: whether every violation is refused, both by this scan and by all readers of this layer.
    init(_ range: Range<Int>, in bytes: [UInt8], isStrict: Bool = false) throws(VectorTileError) {
        var reader = ProtobufReader(bytes, in: range, isStrict: isStrict)
        self.reader = reader
        name = try Self.name(of: range, in: bytes, isStrict: isStrict)
        // Some encoders omit a field that has its default value, or write 0 instead.
        var version: UInt64? = isStrict ? nil : 1
        var extent: UInt64 = 4096
        while let field = try reader.nextField() {
            switch field.number {
            case 2, 3, 4:
                try reader.require(.lengthDelimited, for: field)
                let bounds = try reader.readLengthDelimited()
                let part = UInt32(clamping: bounds.lowerBound)..<UInt32(clamping: bounds.upperBound)
                if field.number == 2 { features.append(part) } else if field.number == 3 { keys.append(part) } else { values.append(part) }
            case 5:
                try reader.require(.varint, for: field)
                extent = try reader.readVarint()
            case 15:
                try reader.require(.varint, for: field)
                version = try reader.readVarint()
            default:
                try reader.skip(field)
            }
        }
        guard keys.count <= VectorTileDecoder.maximumKeyCount else { throw VectorTileError(.tooManyParts, at: range.lowerBound) }
        guard version == 1 || version == 2 else { throw VectorTileError(.unsupportedVersion, at: range.lowerBound) }
        if extent == 0, !isStrict { extent = 4096 }
        guard extent > 0, extent <= Self.maximumExtent else { throw VectorTileError(.invalidExtent, at: range.lowerBound) }
        self.extent = Int32(clamping: extent)
    }

    func key(at index: Int) throws(VectorTileError) -> String { try reader.text(in: Range(keys[index])) }

    /// Returns the value at an index. A value that cannot be read becomes an empty text, unless the reader is strict.
    func value(at index: Int, reader: inout ProtobufReader) throws(VectorTileError) -> TileValue {
        do {
            return try TileValue.read(from: &reader, in: Range(values[index]))
        } catch {
            guard !reader.isStrict else { throw error }
            return .text("")
        }
    }

    /// Whether a value is too short to contain a text of at least one byte.
    func isEmptyValue(at index: Int) -> Bool { values[index].count <= 2 }

    func feature(at index: Int, reader: inout ProtobufReader) throws(VectorTileError) -> TileFeature {
        try TileFeature(Range(features[index]), reader: &reader)
    }

    /// Reads the next pair of tags, as valid indexes; nil at the end. A key without a value ends the list. A pair with an invalid
    /// index is skipped, unless the reader is strict.
    @inline(__always)
    func nextTag(_ reader: inout ProtobufReader) throws(VectorTileError) -> (key: Int, value: Int)? {
        while !reader.isAtEnd {
            let offset = reader.position
            let key = try reader.readNumber()
            guard !reader.isAtEnd else { return nil }
            let value = try reader.readNumber()
            if key < UInt64(keys.count), value < UInt64(values.count) { return (Int(key), Int(value)) }
            if reader.isStrict { throw VectorTileError(.tagOutOfRange, at: offset) }
        }
        return nil
    }
}

/// One feature of a layer, as the positions of the feature's parts in the tile's bytes.
struct TileFeature {
    /// The kind of the geometry; nil for the "unknown" type and for numbers that the specification does not define.
    private(set) var kind: GeometryKind?
    /// The tag numbers, pairs of key index and value index.
    private(set) var tags = ProtobufReader.Numbers(range: 0..<0)
    /// The geometry's command and parameter numbers.
    private(set) var geometry = ProtobufReader.Numbers(range: 0..<0)

    /// Scans a `Feature` message (specification 4.2). If the type or a packed list is repeated, the last one is used. If a list also
    /// has loose (unpacked) numbers, all of these are used, and the packed ones are ignored.
    init(_ range: Range<Int>, reader: inout ProtobufReader) throws(VectorTileError) {
        reader.move(to: range)
        while let field = try reader.nextField() {
            switch field.number {
            case 2:
                try Self.find(&tags, field, in: range, reader: &reader)
            case 3:
                try reader.require(.varint, for: field)
                kind = GeometryKind(rawValue: UInt8(exactly: try reader.readVarint()) ?? 0)
            case 4:
                try Self.find(&geometry, field, in: range, reader: &reader)
            default:
                try reader.skip(field)
            }
        }
    }

    private static func find(
        _ numbers: inout ProtobufReader.Numbers, _ field: ProtobufReader.Field, in message: Range<Int>, reader: inout ProtobufReader
    ) throws(VectorTileError) {
        if field.wireType == .varint {
            _ = try reader.readVarint()
            numbers = ProtobufReader.Numbers(range: message, looseField: field.number)
        } else {
            try reader.require(.lengthDelimited, for: field)
            let packed = try reader.readLengthDelimited()
            if numbers.looseField == 0 { numbers.range = packed }
        }
    }
}

extension Range<Int> {
    fileprivate init(_ range: Range<UInt32>) { self = Int(range.lowerBound)..<Int(range.upperBound) }
}
