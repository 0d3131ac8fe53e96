public import Geo

/// The details that a source of tiles gives of itself. All texts are plain: one line each, without control characters.
public struct TileSourceDetails: Sendable, Hashable {
    /// The name of the map; may be empty.
    public var name: String
    /// Whom the map is owed to, as it must be shown with it.
    public var attribution: String
    /// The zooms there are tiles for.
    public var zoomRange: ClosedRange<Int>
    /// Where there are tiles; nil if it is not said.
    public var bounds: BoundingBox?
    /// Where a first look at the map should go; nil if it is not said.
    public var center: Coordinate?
    /// The zoom of that first look, within ``zoomRange``; nil if it is not said.
    public var centerZoom: Int?
    /// The schema of the tiles; nil if the source does not know it beforehand, and then each tile is asked.
    public var schema: TileSchema?

    /// Details of a source; what is left out is not known.
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
