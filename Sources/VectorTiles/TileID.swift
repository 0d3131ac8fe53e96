public import Geo

/// The address of one map tile: zoom level, column from the west, row from the north ("XYZ" numbering).
///
/// At zoom `z` the Web Mercator square is cut into 2^z × 2^z tiles.
public struct TileID: Sendable, Hashable {
    /// The zoom levels that a tile can have.
    public static let zoomRange = 0...30

    /// The zoom level, 0…30.
    public let zoom: Int
    /// The column, 0 ..< 2^zoom, from the 180th meridian eastward.
    public let x: Int
    /// The row, 0 ..< 2^zoom, from the north.
    public let y: Int

    /// Creates the address; nil for an impossible address.
    public init?(zoom: Int, x: Int, y: Int) {
        guard Self.zoomRange.contains(zoom) else { return nil }
        let columns = 0..<(1 << zoom)
        guard columns.contains(x), columns.contains(y) else { return nil }
        self.init(uncheckedZoom: zoom, x: x, y: y)
    }

    private init(uncheckedZoom zoom: Int, x: Int, y: Int) {
        self.zoom = zoom
        self.x = x
        self.y = y
    }

    /// The only tile at zoom 0: the whole world.
    public static let world = TileID(uncheckedZoom: 0, x: 0, y: 0)

    /// Returns the tile that contains `point` at `zoom`. Zoom and point are clamped to their ranges.
    public static func containing(_ point: MercatorPoint, zoom: Int) -> TileID {
        let zoom = min(max(zoom, zoomRange.lowerBound), zoomRange.upperBound)
        let columns = 1 << zoom
        func index(_ value: Double) -> Int {
            guard value.isFinite else { return 0 }
            let scaled = (value * Double(columns)).rounded(.down)
            return scaled <= 0 ? 0 : scaled >= Double(columns - 1) ? columns - 1 : Int(scaled)
        }
        return TileID(uncheckedZoom: zoom, x: index(point.x), y: index(point.y))
    }

    /// Returns the tile of a lower zoom that contains this one. Returns this tile itself for its own zoom, and nil for a higher zoom.
    public func ancestor(atZoom zoom: Int) -> TileID? {
        guard Self.zoomRange.contains(zoom), zoom <= self.zoom else { return nil }
        let shift = self.zoom - zoom
        return TileID(uncheckedZoom: zoom, x: x >> shift, y: y >> shift)
    }

    /// The tile one level up; nil for the whole world.
    public var parent: TileID? { ancestor(atZoom: zoom - 1) }

    /// The four tiles one level down; empty at the deepest level.
    public var children: [TileID] {
        guard zoom < Self.zoomRange.upperBound else { return [] }
        return [(0, 0), (1, 0), (0, 1), (1, 1)].map { TileID(uncheckedZoom: zoom + 1, x: x * 2 + $0, y: y * 2 + $1) }
    }

    /// The other tiles of the same parent; empty for the whole world.
    public var siblings: [TileID] { parent?.children.filter { $0 != self } ?? [] }

    /// Whether `other` is this tile or lies inside it.
    public func covers(_ other: TileID) -> Bool { other.ancestor(atZoom: zoom) == self }
}

extension TileID: CustomStringConvertible {
    /// The address in the form "zoom/x/y".
    public var description: String { "\(zoom)/\(x)/\(y)" }
}
