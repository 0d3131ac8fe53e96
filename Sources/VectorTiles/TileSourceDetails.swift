public import Geo

/// The details of a tile source. All texts are plain: one line each, without control characters.
public struct TileSourceDetails: Sendable, Hashable {
    /// The name of the map; may be empty.
    public var name: String
    /// The required attribution of the map.
    public var attribution: String
    /// The zooms at which the source has tiles.
    public var zoomRange: ClosedRange<Int>
    /// The area with tiles; nil if it is not given.
    public var bounds: BoundingBox?
    /// The centre of the map's initial view; nil if it is not given.
    public var center: Coordinate?
    /// The zoom of the map's initial view, within ``zoomRange``; nil if it is not given.
    public var centerZoom: Int?
    /// The schema of the tiles; nil to detect the schema of each tile.
    public var schema: TileSchema?

    /// Creates the details of a source. Details that are not given are unknown.
    public init(
        name: String = "", attribution: String, zoomRange: ClosedRange<Int>, bounds: BoundingBox? = nil, center: Coordinate? = nil,
        centerZoom: Int? = nil, schema: TileSchema? = nil
    ) {
        self.name = name
        self.attribution = attribution
        self.zoomRange = zoomRange
        self.bounds = bounds
        self.center = center
        self.centerZoom = centerZoom
        self.schema = schema
    }
}
