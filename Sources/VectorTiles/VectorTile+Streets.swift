public import Geo
import Glibc

extension VectorTile {
    /// Returns the name of the named road nearest to a place; nil if no named road is within `limit` metres.
    ///
    /// The search includes the parts of roads that extend beyond the tile's edge.
    public func streetName(near place: Coordinate, withinMeters limit: Double) -> String? {
        guard let spot = spot(place, withinMeters: limit) else { return nil }
        var nearest = spot.reach * spot.reach
        var name: String?
        forEachRoad(within: spot) { feature, part in
            guard nameIndexes[feature] != 0 else { return }
            let distance = squaredDistance(from: spot, toPart: part)
            if distance < nearest { (nearest, name) = (distance, self.name(of: feature)) }
        }
        return name
    }

    /// Returns the name of the nearest named road within `limit` metres that runs in the vehicle's direction. Nil without
    /// such a road, or if a road without a name is clearly nearer.
    ///
    /// - Parameter headingDegrees: the vehicle's heading, clockwise from north; it may match either direction of a road.
    public func streetName(drivenAt place: Coordinate, headingDegrees: Double, withinMeters limit: Double) -> String? {
        guard headingDegrees.isFinite, let spot = spot(place, withinMeters: limit) else { return nil }
        let radians = headingDegrees * .pi / 180
        let heading = (x: sin(radians), y: -cos(radians))
        var (named, nameless) = (spot.reach * spot.reach, Double.infinity)
        var name: String?
        forEachRoad(within: spot) { feature, part in
            let distance = squaredDistance(from: spot, toPart: part, along: heading)
            if nameIndexes[feature] == 0 {
                nameless = min(nameless, distance)
            } else if distance < named {
                (named, name) = (distance, self.name(of: feature))
            }
        }
        // A road and its name may be on separate lines, a little apart. The nearest named line therefore counts even if an unnamed line is
        // nearer by up to `slack`.
        let slack = spot.reach * Self.sameRoadShare
        return named.squareRoot() <= nameless.squareRoot() + slack ? name : nil
    }

    /// Largest distance between two lines that count as the same road, as a fraction of the search radius.
    private static let sameRoadShare = 0.25
    /// The cosine of 35°, the largest angle between a road and the heading of a vehicle on that road.
    private static let alignedCosine = 0.82

    /// A place in the tile's own units, and the radius to search around it.
    private struct Spot {
        var x: Double
        var y: Double
        var reach: Double
    }

    private func spot(_ place: Coordinate, withinMeters limit: Double) -> Spot? {
        let tiles = Double(1 << id.zoom)
        let point = WebMercator.project(place)
        let x = (point.x * tiles - Double(id.x)) * Double(extent)
        let y = (point.y * tiles - Double(id.y)) * Double(extent)
        let reach = limit * Double(extent) * tiles / WebMercator.metersPerUnit(atLatitude: place.latitude)
        return x.isFinite && y.isFinite && reach.isFinite && reach > 0 ? Spot(x: x, y: y, reach: reach) : nil
    }

    /// Calls `body` for each line of a road that may be within the search radius.
    private func forEachRoad(within spot: Spot, _ body: (_ feature: Int, _ part: Int) -> Void) {
        for mapClass in MapClass.allCases where mapClass.isRoad {
            for feature in features(of: mapClass) where kinds[feature] == .line {
                guard bounds[feature].isWithin(spot.reach, ofX: spot.x, y: spot.y) else { continue }
                for part in parts(of: feature) { body(feature, part) }
            }
        }
    }

    /// Returns the distance from a point to the nearest point of a line, in squared tile units; infinite for a line without segments.
    /// - Parameter heading: a unit vector; only segments in this direction or its opposite are used.
    private func squaredDistance(from spot: Spot, toPart part: Int, along heading: (x: Double, y: Double)? = nil) -> Double {
        let vertices = vertices(ofPart: part)
        var least = Double.infinity
        for vertex in vertices.dropLast() {
            let (startX, startY) = (Double(coordinates[2 * vertex]), Double(coordinates[2 * vertex + 1]))
            let (alongX, alongY) = (Double(coordinates[2 * vertex + 2]) - startX, Double(coordinates[2 * vertex + 3]) - startY)
            let length = alongX * alongX + alongY * alongY
            if let heading, abs(alongX * heading.x + alongY * heading.y) < Self.alignedCosine * length.squareRoot() { continue }
            let share = length > 0 ? min(max(((spot.x - startX) * alongX + (spot.y - startY) * alongY) / length, 0), 1) : 0
            let (offX, offY) = (startX + share * alongX - spot.x, startY + share * alongY - spot.y)
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
    /// Largest distance between a place and the street whose name is used for the place, in metres.
    private static var streetReachMeters: Double { 60 }
    /// Returns the name of the named road nearest to a place, from the most detailed tile around it.
    public func streetName(near place: Coordinate) async -> String? {
        guard let id = TileID.streets(around: place, zoomRange: zoomRange) else { return nil }
        return await streets(id)?.streetName(near: place, withinMeters: Self.streetReachMeters)
    }

    /// Returns the tile at an address, or else its nearest ancestor. Returns nil if neither is available, or if the zoom of the found tile
    /// is too low for streets.
    public func streets(_ id: TileID) async -> VectorTile? {
        guard case .tile(let tile) = await nearest(to: id), tile.hasStreets else { return nil }
        return tile
    }
}

extension TileID {
    /// Lowest zoom at which tiles include streets.
    fileprivate static let leastStreetZoom = 13

    /// Returns the most detailed tile with the streets around a place, at zoom 15 or lower; nil if the place is invalid, or if the zooms
    /// are too low for streets.
    public static func streets(around place: Coordinate, zoomRange: ClosedRange<Int>) -> TileID? {
        guard place.isValid, zoomRange.upperBound >= leastStreetZoom else { return nil }
        return containing(WebMercator.project(place), zoom: min(zoomRange.upperBound, 15))
    }
}

extension VectorTile {
    /// Whether the tile's zoom is high enough for streets.
    public var hasStreets: Bool { id.zoom >= TileID.leastStreetZoom }
}
