public import Geo
public import VectorTiles

extension PlaceIndex {
    /// Places are read from tiles up to this zoom, streets and stops from that of ``streetZoom``.
    private static let placeZoom = 12
    private static let streetZoom = 14
    /// A zoom with more tiles than this is read around the middle only.
    private static let maximumTilesOfZoom = 1_024
    /// Tiles around the middle one on each side.
    private static let reach = 4
    private static let streetReach = 2

    /// The addresses that are worth reading for names: all of the map's at low zooms, and those around a place; the nearest of each zoom first.
    ///
    /// - Parameter kinds: what is looked for.
    public static func tiles(of details: TileSourceDetails, near middle: Coordinate, kinds: Set<NamedPlace.Kind>) -> [TileID] {
        var ids: [TileID] = []
        let lowest = max(0, details.zoomRange.lowerBound)
        let highest = min(placeZoom, details.zoomRange.upperBound)
        if kinds.contains(.place), lowest <= highest {
            for zoom in lowest...highest { ids += tiles(zoom: zoom, of: details.bounds, near: middle, reach: reach) }
        }
        let streets = min(streetZoom, details.zoomRange.upperBound)
        if !kinds.isDisjoint(with: [.street, .stop]), streets >= lowest {
            ids += around(middle, zoom: streets, reach: streetReach)
        }
        var seen: Set<TileID> = []
        return ids.filter { seen.insert($0).inserted }
    }

    private static func tiles(zoom: Int, of bounds: BoundingBox?, near middle: Coordinate, reach: Int) -> [TileID] {
        let world = BoundingBox(south: -85, west: -180, north: 85, east: 179.999_999)
        let box = bounds ?? world
        let first = TileID.containing(WebMercator.project(Coordinate(latitude: box.north, longitude: box.west)), zoom: zoom)
        let last = TileID.containing(
            WebMercator.project(Coordinate(latitude: box.south, longitude: Coordinate.wrappedLongitude(box.east))), zoom: zoom)
        guard first.x <= last.x, first.y <= last.y, (last.x - first.x + 1) * (last.y - first.y + 1) <= maximumTilesOfZoom else {
            return around(middle, zoom: zoom, reach: reach)
        }
        var ids: [TileID] = []
        for y in first.y...last.y {
            for x in first.x...last.x { if let id = TileID(zoom: zoom, x: x, y: y) { ids.append(id) } }
        }
        return ids
    }

    private static func around(_ middle: Coordinate, zoom: Int, reach: Int) -> [TileID] {
        let center = TileID.containing(WebMercator.project(middle), zoom: zoom)
        let count = 1 << zoom
        var ids: [(TileID, Int)] = []
        for down in -reach...reach {
            for right in -reach...reach {
                let x = ((center.x + right) % count + count) % count
                if let id = TileID(zoom: zoom, x: x, y: center.y + down) { ids.append((id, right * right + down * down)) }
            }
        }
        return ids.sorted { $0.1 < $1.1 }.map(\.0)
    }

    /// Reads the names that are worth reading, of a map from the network those that are at hand without it; ends early when the task is cancelled. Tiles that cannot be read are left out.
    public static func load(
        from source: any TileSource, near middle: Coordinate, kinds: Set<NamedPlace.Kind> = Set(NamedPlace.Kind.allCases)
    ) async -> PlaceIndex {
        var index = PlaceIndex()
        for id in tiles(of: source.details, near: middle, kinds: kinds) {
            guard !Task.isCancelled else { break }
            guard let tile = await source.tileAtHand(id) else { continue }
            // At low zooms streets are through roads far away.
            index.add(
                tile, kinds: id.zoom < min(placeZoom + 1, source.zoomRange.upperBound) ? kinds.intersection([.place]) : kinds, near: middle)
        }
        return index
    }
}

extension TileSource {
    /// The tile with this address, if nobody needs to be asked for it over a network.
    fileprivate func tileAtHand(_ id: TileID) async -> VectorTile? {
        if let remote = self as? any RemoteTileSource { return await remote.kept(id) }
        guard case .tile(let tile) = await answer(for: id) else { return nil }
        return tile
    }
}
