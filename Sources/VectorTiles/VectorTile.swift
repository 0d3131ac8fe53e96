/// The smallest box around a feature, in tile units, edges included.
public struct TileBounds: Sendable, Hashable {
    /// The left edge.
    public var minX: Int32
    /// The upper edge.
    public var minY: Int32
    /// The right edge.
    public var maxX: Int32
    /// The lower edge.
    public var maxY: Int32

    /// Creates a box from its edges, in tile units.
    @inlinable
    public init(minX: Int32, minY: Int32, maxX: Int32, maxY: Int32) {
        self.minX = minX
        self.minY = minY
        self.maxX = maxX
        self.maxY = maxY
    }

    /// The empty box; adding a point to it gives that point's box.
    public static let empty = TileBounds(minX: .max, minY: .max, maxX: .min, maxY: .min)

    /// Extends the box to include the point.
    @inlinable
    public mutating func include(x: Int32, y: Int32) {
        minX = min(minX, x)
        minY = min(minY, y)
        maxX = max(maxX, x)
        maxY = max(maxY, y)
    }
}

/// One map tile ready to be painted.
///
/// Features are rows of parallel arrays, sorted by ``MapClass``. A row points into one array of parts, and the parts into one
/// array of coordinates. Painting therefore reads memory forward.
///
/// Coordinates are in tile units, x to the east and y to the south, 0…``extent`` inside the tile. Only lines and areas may extend
/// beyond the tile. The parts of an area are its rings, filled by the even-odd rule; the first vertex is not repeated at the end.
public struct VectorTile: Sendable, Equatable {
    /// The address of the tile.
    public let id: TileID
    /// Tile units along one edge.
    public let extent: Int32
    /// The class of each feature.
    public let classes: [MapClass]
    /// The geometry type of each feature: point, line or polygon.
    public let kinds: [GeometryKind]
    /// The properties of each feature, such as bridge or tunnel.
    public let flags: [FeatureFlags]
    /// The importance of each feature within its class; 0 is the most important.
    public let ranks: [UInt8]
    /// The name of each feature as an index into ``names``, 0 for a feature without a name.
    public let nameIndexes: [UInt32]
    /// The local names that differ from the features' names, as indexes into ``names``. The key is the feature's row.
    let localNameIndexes: [Int: UInt32]
    /// The bounding box of each feature.
    public let bounds: [TileBounds]
    /// The index of each feature's first part.
    public let firstParts: [UInt32]
    /// The number of parts of each feature.
    public let partCounts: [UInt32]
    /// The index of the first vertex of each part. An extra entry at the end is the total number of vertices.
    public let partStarts: [UInt32]
    /// All vertices: x, y, x, y …
    public let coordinates: [Int32]
    /// All names, without repetition; the first is empty and stands for "no name".
    public let names: [String]
    /// The row of the first feature of each class. An extra entry at the end is the total number of features.
    let classStarts: [UInt32]
    /// Layers that are decoded on request.
    var deferred: DeferredLayers?

    /// Number of features in the tile.
    @inlinable
    public var featureCount: Int { classes.count }

    /// Number of vertices in the tile.
    @inlinable
    public var vertexCount: Int { coordinates.count / 2 }

    /// Returns the features of one class, as row numbers.
    public func features(of mapClass: MapClass) -> Range<Int> {
        let index = Int(mapClass.rawValue)
        return Int(classStarts[index])..<Int(classStarts[index + 1])
    }

    /// Returns the parts of a feature, as part numbers; empty for a row that does not exist.
    public func parts(of feature: Int) -> Range<Int> {
        guard firstParts.indices.contains(feature) else { return 0..<0 }
        let first = Int(firstParts[feature])
        return first..<first + Int(partCounts[feature])
    }

    /// Returns the vertices of a part, as vertex numbers (vertex `n` is at `coordinates[2n]`, `coordinates[2n + 1]`); empty for a part that
    /// does not exist.
    public func vertices(ofPart part: Int) -> Range<Int> {
        guard part >= 0, part + 1 < partStarts.count else { return 0..<0 }
        return Int(partStarts[part])..<Int(partStarts[part + 1])
    }

    /// Returns the name of a feature; nil if the feature has no name, or if the row does not exist.
    public func name(of feature: Int) -> String? {
        guard nameIndexes.indices.contains(feature) else { return nil }
        let index = Int(nameIndexes[feature])
        return index == 0 ? nil : names[index]
    }

    /// Returns the local name of a feature; nil if it is the same as ``name(of:)``, or not known.
    public func localName(of feature: Int) -> String? { localNameIndexes[feature].map { names[Int($0)] } }

    /// Memory used by the tile, in bytes: the capacity of its arrays, and the texts of names too long to be stored inline.
    public var byteCount: Int {
        let rows =
            classes.byteCount + kinds.byteCount + flags.byteCount + ranks.byteCount + nameIndexes.byteCount + bounds.byteCount
            + firstParts.byteCount + partCounts.byteCount
        let texts = names.reduce(0) { $0 + ($1.utf8.count > 15 ? 32 + $1.utf8.count : 0) }
        let localNames = localNameIndexes.capacity * (MemoryLayout<(Int, UInt32)>.stride + 1)
        return rows + localNames + (deferred?.byteCount ?? 0) + partStarts.byteCount + coordinates.byteCount + classStarts.byteCount
            + names.byteCount + texts
    }

    /// Whether both tiles are copies of the same value. Contents are not compared.
    public func isIdentical(to other: VectorTile) -> Bool {
        id == other.id && extent == other.extent && coordinates.count == other.coordinates.count && featureCount == other.featureCount
            && coordinates.hasSameStorage(as: other.coordinates) && bounds.hasSameStorage(as: other.bounds)
    }

    /// Returns a tile without features.
    public static func empty(_ id: TileID) -> VectorTile { VectorTileBuilder(id: id).finish() }
}

extension Array {
    /// Memory used by an array with its header, in bytes.
    fileprivate var byteCount: Int { capacity > 0 ? 32 + capacity * MemoryLayout<Element>.stride : 0 }

    fileprivate func hasSameStorage(as other: [Element]) -> Bool {
        withUnsafeBufferPointer { mine in other.withUnsafeBufferPointer { mine.baseAddress == $0.baseAddress } }
    }
}
