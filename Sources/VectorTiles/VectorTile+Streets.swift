public import Geo

extension VectorTile {
    /// The name of the road that runs nearest to a place; nil without a named road within `limit` metres of it.
    ///
    /// Roads beyond the tile's edge count as far as the tile reaches over it.
    public func streetName(near place: Coordinate, withinMeters limit: Double) -> String? {
        let tiles = Double(1 << id.zoom)
        let point = WebMercator.project(place)
        let x = (point.x * tiles - Double(id.x)) * Double(extent)
        let y = (point.y * tiles - Double(id.y)) * Double(extent)
        let reach = limit * Double(extent) * tiles / WebMercator.metersPerUnit(atLatitude: place.latitude)
        guard x.isFinite, y.isFinite, reach.isFinite, reach > 0 else { return nil }
        var nearest = reach * reach
        var name: String?
        for mapClass in MapClass.allCases where mapClass.isRoad {
            for feature in features(of: mapClass) where kinds[feature] == .line && nameIndexes[feature] != 0 {
                guard bounds[feature].isWithin(reach, ofX: x, y: y) else { continue }
                for part in parts(of: feature) {
                    let distance = squaredDistance(fromX: x, y: y, toPart: part)
                    if distance < nearest { (nearest, name) = (distance, self.name(of: feature)) }
                }
            }
        }
        return name
    }

    /// From a point to the nearest point of a line, in squared tile units; infinite for a line without a stretch.
    private func squaredDistance(fromX x: Double, y: Double, toPart part: Int) -> Double {
        let vertices = vertices(ofPart: part)
        var least = Double.infinity
        for vertex in vertices.dropLast() {
            let (startX, startY) = (Double(coordinates[2 * vertex]), Double(coordinates[2 * vertex + 1]))
            let (alongX, alongY) = (Double(coordinates[2 * vertex + 2]) - startX, Double(coordinates[2 * vertex + 3]) - startY)
            let length = alongX * alongX + alongY * alongY
            let share = length > 0 ? min(max(((x - startX) * alongX + (y - startY) * alongY) / length, 0), 1) : 0
            let (offX, offY) = (startX + share * alongX - x, startY + share * alongY - y)
            least = min(least, offX * offX + offY * offY)
        }
        return least
    }
}

extension TileBounds {
    fileprivate func isWithin(_ reach: Double, ofX x: Double, y: Double) -> Bool {
        x + reach >= Double(minX) && x - reach <= Double(maxX) && y + reach >= Double(minY) && y - reach <= Double(maxY)
    }
}

extension TileSource {
    /// Streets further away than this give a place no name, metres.
    private static var streetReachMeters: Double { 60 }
    /// Below this zoom tiles leave streets out.
    private static var leastStreetZoom: Int { 13 }

    /// The name of the named road nearest to a place, from the tile that shows its surroundings most closely.
    public func streetName(near place: Coordinate) async -> String? {
        guard place.isValid, zoomRange.upperBound >= Self.leastStreetZoom else { return nil }
        let id = TileID.containing(WebMercator.project(place), zoom: min(zoomRange.upperBound, 15))
        guard case .tile(let tile) = await nearest(to: id), tile.id.zoom >= Self.leastStreetZoom else { return nil }
        return tile.streetName(near: place, withinMeters: Self.streetReachMeters)
    }
}
