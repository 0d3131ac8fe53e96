/// Collects features in any order and builds a ``VectorTile`` from them.
///
/// To add a feature, begin it, add its parts and their vertices, and end it. A feature without any usable part is left out, and
/// so are points outside the tile, because another tile contains them.
public struct VectorTileBuilder: Sendable {
    /// The default number of tile units along one edge.
    public static let defaultExtent: Int32 = 4096

    private let id: TileID
    private let extent: Int32
    private var rows: [Row] = []
    private var partStarts: [UInt32] = []
    private var coordinates: [Int32] = []
    private var names: [String] = [""]
    private var nameIndexes: [String: UInt32] = [:]
    private var open: Row?
    // The open feature's kind and bounds. They are separate properties because every vertex uses them.
    private var openKind = GeometryKind.point
    private var openBounds = TileBounds.empty
    /// Whether a part is open for vertices.
    private var isPartOpen = false
    /// Start of the open part in `coordinates`.
    private var partStart = 0

    private struct Row {
        var mapClass: MapClass
        var kind: GeometryKind
        var flags: FeatureFlags
        var rank: UInt8
        var name: UInt32
        /// Index of the local name; 0 if it is the same as the name.
        var localName: UInt32
        var firstPart: UInt32
        var partCount: UInt32 = 0
        var bounds = TileBounds.empty
    }

    /// Creates a builder for the tile `id`, with `extent` units (at least 1) along one edge.
    public init(id: TileID, extent: Int32 = VectorTileBuilder.defaultExtent) {
        self.id = id
        self.extent = max(1, extent)
    }

    /// Reserves room for about `vertexCount` vertices, so that the array need not be moved as it grows.
    public mutating func reserve(vertexCount: Int) { coordinates.reserveCapacity(min(max(0, vertexCount), 1 << 22) * 2) }

    /// Returns the index of `name` in the finished tile's names; 0 for an empty name. The same name always gets the same index.
    public mutating func nameIndex(_ name: String) -> UInt32 {
        if name.isEmpty { return 0 }
        if let index = nameIndexes[name] { return index }
        let index = UInt32(clamping: names.count)
        names.append(name)
        nameIndexes[name] = index
        return index
    }

    /// Begins a feature. If another feature is open, ends it first.
    public mutating func beginFeature(
        _ mapClass: MapClass, kind: GeometryKind, rank: UInt8 = 0, flags: FeatureFlags = [], nameIndex: UInt32 = 0,
        localNameIndex: UInt32 = 0
    ) {
        endFeature()
        let name = Int(nameIndex) < names.count ? nameIndex : 0
        let localName = Int(localNameIndex) < names.count && localNameIndex != name ? localNameIndex : 0
        open = Row(
            mapClass: mapClass, kind: kind, flags: flags, rank: rank, name: name, localName: localName,
            firstPart: UInt32(clamping: partStarts.count))
        openKind = kind
        openBounds = .empty
    }

    /// Begins a part: one point, one line or one ring. Does nothing without an open feature.
    public mutating func beginPart() {
        guard open != nil else { return }
        dropUnusablePart()
        partStart = coordinates.count
        partStarts.append(UInt32(clamping: partStart / 2))
        open?.partCount += 1
        isPartOpen = true
    }

    /// Adds a vertex to the open part. In a line or ring, a vertex that repeats the previous one is ignored.
    @inline(__always)
    public mutating func addVertex(x: Int32, y: Int32) {
        guard isPartOpen else { return }
        let count = coordinates.count
        if openKind == .point {
            guard x >= 0, y >= 0, x < extent, y < extent else { return }
        } else if count > partStart, coordinates[count - 2] == x, coordinates[count - 1] == y {
            return
        }
        coordinates.append(x)
        coordinates.append(y)
        openBounds.include(x: x, y: y)
    }

    /// Ends the open feature.
    public mutating func endFeature() {
        guard open != nil else { return }
        dropUnusablePart()
        if var row = open, row.partCount > 0 {
            row.bounds = openBounds
            rows.append(row)
        }
        open = nil
        isPartOpen = false
    }

    /// Drops the open feature with its vertices.
    mutating func dropFeature() {
        guard let row = open else { return }
        let kept = Int(row.firstPart)
        if kept < partStarts.count {
            coordinates.removeLast(coordinates.count - Int(partStarts[kept]) * 2)
            partStarts.removeLast(partStarts.count - kept)
        }
        open = nil
        isPartOpen = false
    }

    /// Adds a complete feature with a single part.
    ///
    /// - Parameter localName: the local name; empty if it is the same as the name.
    public mutating func addFeature(
        _ mapClass: MapClass, kind: GeometryKind, rank: UInt8 = 0, flags: FeatureFlags = [], name: String = "",
        localName: String = "", vertices: [(x: Int32, y: Int32)]
    ) {
        let (index, localIndex) = (nameIndex(name), nameIndex(localName))
        beginFeature(mapClass, kind: kind, rank: rank, flags: flags, nameIndex: index, localNameIndex: localIndex)
        beginPart()
        for vertex in vertices { addVertex(x: vertex.x, y: vertex.y) }
        endFeature()
    }

    private mutating func dropUnusablePart() {
        guard let row = open, row.partCount > 0, let start = partStarts.last else { return }
        let needed =
            switch row.kind {
            case .point: 1
            case .line: 2
            case .polygon: 3
            }
        var count = coordinates.count / 2 - Int(start)
        if row.kind == .polygon, count > 1, coordinates[Int(start) * 2] == coordinates[coordinates.count - 2],
            coordinates[Int(start) * 2 + 1] == coordinates[coordinates.count - 1]
        {
            coordinates.removeLast(2)
            count -= 1
        }
        guard count < needed else { return }
        coordinates.removeLast(count * 2)
        partStarts.removeLast()
        open?.partCount -= 1
    }

    /// Returns the finished tile. Its features are sorted by class, and features of one class keep the order in which they were added.
    public consuming func finish() -> VectorTile {
        endFeature()
        var classStarts = [UInt32](repeating: 0, count: MapClass.allCases.count + 1)
        for row in rows { classStarts[Int(row.mapClass.rawValue) + 1] += 1 }
        for index in 1..<classStarts.count { classStarts[index] += classStarts[index - 1] }
        var next = classStarts
        var order = [Int](repeating: 0, count: rows.count)
        for (index, row) in rows.enumerated() {
            order[Int(next[Int(row.mapClass.rawValue)])] = index
            next[Int(row.mapClass.rawValue)] += 1
        }
        var localNames: [Int: UInt32] = [:]
        for (row, index) in order.enumerated() where rows[index].localName != 0 { localNames[row] = rows[index].localName }
        partStarts.append(UInt32(clamping: coordinates.count / 2))
        // Unused capacity would stay allocated as long as the tile is kept.
        if coordinates.capacity > 2 * coordinates.count { coordinates = Array(coordinates[...]) }
        return VectorTile(
            id: id, extent: extent,
            classes: order.map { rows[$0].mapClass }, kinds: order.map { rows[$0].kind }, flags: order.map { rows[$0].flags },
            ranks: order.map { rows[$0].rank }, nameIndexes: order.map { rows[$0].name }, localNameIndexes: localNames,
            bounds: order.map { rows[$0].bounds },
            firstParts: order.map { rows[$0].firstPart }, partCounts: order.map { rows[$0].partCount },
            partStarts: partStarts, coordinates: coordinates, names: names, classStarts: classStarts)
    }
}
