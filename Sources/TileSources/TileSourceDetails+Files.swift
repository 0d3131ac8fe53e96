package import Geo
package import VectorTiles

extension TileSourceDetails {
    /// Creates the details from the strings and numbers in a file. Strings are made safe to print, and the centre is checked. A file
    /// without an attribution gets the attribution of its schema, or of Shortbread if the schema is unknown.
    package init(
        metadata: TileMetadata, zoomRange: ClosedRange<Int>, bounds: BoundingBox?, center: Coordinate?, centerZoom: Int?
    ) {
        let schema = TileSchema.identify(layerNames: metadata.layerNames)
        let credit = PlainText.line(fromHTML: metadata.attribution ?? "")
        self.init(
            name: PlainText.line(metadata.name ?? ""),
            attribution: credit.isEmpty ? (schema ?? .shortbread).attribution : credit, zoomRange: zoomRange, bounds: bounds,
            schema: schema)
        // A centre outside the map is a mistake. If the bounds are missing, a centre at 0° N 0° E is a mistake, too.
        if let center, bounds?.contains(center) ?? (center.latitude != 0 || center.longitude != 0) {
            self.center = center
            self.centerZoom = centerZoom.map { min(max($0, zoomRange.lowerBound), zoomRange.upperBound) }
        } else {
            self.center = bounds?.center
        }
    }

    /// Creates the details from a PMTiles archive.
    init(header: PMTilesHeader, metadata: TileMetadata, zoomRange: ClosedRange<Int>) {
        self.init(
            metadata: metadata, zoomRange: zoomRange, bounds: header.bounds, center: header.center, centerZoom: header.centerZoom)
    }

    /// Returns the box with these four edges, in degrees; nil if an edge is out of range or the edges do not form a box. If the box crosses
    /// the antimeridian, the eastern edge may be above 180 or below the western edge.
    package static func bounds(west: Double, south: Double, east: Double, north: Double) -> BoundingBox? {
        let latitudes = -90.0...90
        let longitudes = -180.0...180
        guard latitudes.contains(south), latitudes.contains(north), south < north, longitudes.contains(west), (-180.0...540).contains(east),
            west != east, east - west <= 360
        else { return nil }
        return BoundingBox(south: south, west: west, north: north, east: east)
    }
}
