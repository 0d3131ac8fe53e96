/// The reason why bytes are not a vector tile.
public struct VectorTileError: Error, Sendable, Hashable {
    /// The violated rule of the Mapbox Vector Tile specification, version 2.1, or of protobuf.
    public enum Reason: Sendable, Hashable {
        /// The tile is larger than ``VectorTileDecoder/maximumByteCount``.
        case tooLarge
        /// The tile has more than ``VectorTileDecoder/maximumLayerCount`` layers, a layer has more than
        /// ``VectorTileDecoder/maximumKeyCount`` keys, or the roads have more than ``RoadTile/maximumVertexCount`` vertices.
        case tooManyParts
        /// A number, string or message runs past the end of its container.
        case truncated
        /// A varint has more than ten bytes, a field number is out of range, or a wire type does not exist.
        case malformedProtobuf
        /// A known field has a different wire type from the one that the specification requires.
        case wrongWireType(field: Int)
        /// A layer has no name.
        case missingLayerName
        /// A layer has no version, or one that is neither 1 nor 2.
        case unsupportedVersion
        /// A layer's extent is zero or larger than 2^30.
        case invalidExtent
        /// A string is not UTF-8.
        case invalidText
        /// A value has none of the seven types.
        case unknownValueType
        /// A feature's tag points to a key or value that the layer does not have.
        case tagOutOfRange
        /// A geometry command does not exist, is not allowed at its position, or has an invalid count.
        case invalidCommand
        /// A geometry command announces more parameters than are present.
        case missingParameters
    }

    /// The broken rule.
    public var reason: Reason
    /// Position of the fault, in bytes from the start of the tile.
    public var offset: Int

    /// Creates an error for a fault at a position in the tile.
    public init(_ reason: Reason, at offset: Int) {
        self.reason = reason
        self.offset = offset
    }
}

extension VectorTileError: CustomStringConvertible {
    /// One sentence, without a full stop.
    public var description: String { "not a usable vector tile: \(words) (byte \(offset))" }

    private var words: String {
        switch reason {
        case .tooLarge: "it is too large"
        case .tooManyParts: "it has too many layers, keys or vertices"
        case .truncated: "it ends too early"
        case .malformedProtobuf: "it is not protobuf"
        case .wrongWireType(let field): "field \(field) has the wrong type"
        case .missingLayerName: "a layer has no name"
        case .unsupportedVersion: "a layer has no supported version"
        case .invalidExtent: "a layer has an impossible extent"
        case .invalidText: "a string is not UTF-8"
        case .unknownValueType: "a value has an unknown type"
        case .tagOutOfRange: "a tag points outside its layer"
        case .invalidCommand: "a shape has an impossible command"
        case .missingParameters: "a shape has fewer coordinates than it announces"
        }
    }
}
