import VectorTiles

/// Finds the names of roads among the named lines of a tile.
///
/// In most maps, the names are on lines of their own. A road gets the name of the line that runs along it, nearly parallel.
struct NamedRoads: Sendable {
    /// Largest distance between a name's line and the road, in metres.
    private static let reachMeters = 6.0
    /// Largest angle between a name's line and the road, in 256ths of a circle.
    private static let mostTurn = 24
    private static let classes: [MapClass] = [.motorway, .trunk, .primary, .secondary, .tertiary, .street, .service]
    /// Points at which the name of a road's part is read, as fractions of the part's length.
    private static let looks = [0.5, 0.25, 0.75]

    private let tile: VectorTile?
    private let scale: TileScale
    /// Factor that converts the tile's own units to the router's.
    private let unit: Double
    private let reach: Double

    init(_ tile: VectorTile?, _ scale: TileScale) {
        (self.tile, self.scale) = (tile, scale)
        unit = tile.map { Double(RoadTile.extent) / Double(max(1, $0.extent)) } ?? 1
        reach = Self.reachMeters / max(1e-6, min(scale.metersPerUnitX, scale.metersPerUnitY))
    }

    /// Returns the most frequent name along a part of a line; nil if no named line runs along it.
    func name(along path: [TilePoint], _ shares: ClosedRange<Double>) -> String? {
        guard let tile else { return nil }
        let meters = zip(path, path.dropFirst()).map { scale.meters($0, $1) }
        let sum = meters.reduce(0, +)
        var votes: [(name: UInt32, count: Int)] = []
        for look in Self.looks {
            var left = (shares.lowerBound + look * (shares.upperBound - shares.lowerBound)) * sum
            for (index, length) in meters.enumerated() {
                if left > length, index < meters.count - 1 {
                    left -= length
                    continue
                }
                let (start, end) = (path[index], path[index + 1])
                let share = length > 0 ? min(1, left / length) : 0
                let x = Double(start.x) + share * Double(end.x - start.x)
                let y = Double(start.y) + share * Double(end.y - start.y)
                if let name = nearest(x, y, bearing(Double(end.x - start.x), Double(end.y - start.y)), in: tile) {
                    if let known = votes.firstIndex(where: { $0.name == name }) { votes[known].count += 1 } else { votes.append((name, 1)) }
                }
                break
            }
        }
        guard let best = votes.max(by: { $0.count < $1.count })?.name, tile.names.indices.contains(Int(best)) else { return nil }
        return tile.names[Int(best)]
    }

    private func bearing(_ x: Double, _ y: Double) -> UInt8 {
        TurnAngle.bearing(east: x * scale.metersPerUnitX, north: -y * scale.metersPerUnitY)
    }

    private func nearest(_ x: Double, _ y: Double, _ bearing: UInt8, in tile: VectorTile) -> UInt32? {
        var least = reach * reach
        var name: UInt32?
        for mapClass in Self.classes {
            for feature in tile.features(of: mapClass) where tile.kinds[feature] == .line && tile.nameIndexes[feature] != 0 {
                let bounds = tile.bounds[feature]
                guard x + reach >= Double(bounds.minX) * unit, x - reach <= Double(bounds.maxX) * unit,
                    y + reach >= Double(bounds.minY) * unit, y - reach <= Double(bounds.maxY) * unit
                else { continue }
                for part in tile.parts(of: feature) {
                    let distance = squaredDistance(x, y, bearing, toPart: part, of: tile)
                    if distance < least { (least, name) = (distance, tile.nameIndexes[feature]) }
                }
            }
        }
        return name
    }

    /// Returns the squared distance from a point to the nearest stretch of a named line that is nearly parallel to `bearing`, in squared
    /// units. Returns infinity if no stretch is nearly parallel.
    private func squaredDistance(_ x: Double, _ y: Double, _ bearing: UInt8, toPart part: Int, of tile: VectorTile) -> Double {
        var least = Double.infinity
        for vertex in tile.vertices(ofPart: part).dropLast() {
            let (startX, startY) = (Double(tile.coordinates[2 * vertex]) * unit, Double(tile.coordinates[2 * vertex + 1]) * unit)
            let (alongX, alongY) = (
                Double(tile.coordinates[2 * vertex + 2]) * unit - startX, Double(tile.coordinates[2 * vertex + 3]) * unit - startY
            )
            let length = alongX * alongX + alongY * alongY
            let share = length > 0 ? min(max(((x - startX) * alongX + (y - startY) * alongY) / length, 0), 1) : 0
            let (offX, offY) = (startX + share * alongX - x, startY + share * alongY - y)
            let distance = offX * offX + offY * offY
            guard distance < least, TurnAngle.between(axis: self.bearing(alongX, alongY), bearing) <= Self.mostTurn else { continue }
            least = distance
        }
        return least
    }
}
