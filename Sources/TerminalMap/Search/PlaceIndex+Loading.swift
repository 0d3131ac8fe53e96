public import Geo
import Glibc
public import VectorTiles

extension PlaceIndex {
    /// Highest zoom of the tiles from which settlements are read. Streets, stops and the other names are read at ``streetZoom``, or at the
    /// map's highest zoom if that is lower.
    private static let placeZoom = 12
    private static let streetZoom = 15
    /// If a map has more tiles than this at one zoom, only the tiles around the middle are read at this zoom. The limit for streets is
    /// lower, because tiles at ``streetZoom`` have many names.
    private static let maximumTilesOfZoom = 1_024
    private static let maximumStreetTiles = 40
    /// Number of tiles read in each direction from the middle tile: `reach` at zooms up to `placeZoom`, `streetReach` at the zoom that is
    /// read for streets. At zoom 15, where tiles are half as wide as at zoom 14, `streetReach` is doubled.
    private static let reach = 4
    private static let streetReach = 2

    /// Returns the addresses of the tiles to read for names, from low zooms to high ones. If a zoom has few tiles, all of them are read. At
    /// other zooms only the tiles around `middle` are read, the nearest first.
    ///
    /// - Parameter kinds: the kinds of names to read.
    public static func tiles(of details: TileSourceDetails, near middle: Coordinate, kinds: Set<NamedPlace.Kind>) -> [TileID] {
        var ids: [TileID] = []
        let lowest = max(0, details.zoomRange.lowerBound)
        let highest = min(placeZoom, details.zoomRange.upperBound)
        if !kinds.isSubset(of: [.street, .stop]), lowest <= highest {
            for zoom in lowest...highest {
                ids += tiles(zoom: zoom, of: details.bounds, near: middle, reach: reach, limit: maximumTilesOfZoom)
            }
        }
        let streets = min(streetZoom, details.zoomRange.upperBound)
        if !kinds.isSubset(of: [.place]), streets >= lowest {
            let reach = streets < streetZoom ? streetReach : 2 * streetReach
            ids += around(middle, zoom: streets, reach: reach)
            ids += tiles(zoom: streets, of: details.bounds, near: middle, reach: reach, limit: maximumStreetTiles)
        }
        var seen: Set<TileID> = []
        return ids.filter { seen.insert($0).inserted }
    }

    private static func tiles(zoom: Int, of bounds: BoundingBox?, near middle: Coordinate, reach: Int, limit: Int) -> [TileID] {
        let world = BoundingBox(south: -85, west: -180, north: 85, east: 179.999_999)
        let box = bounds ?? world
        let first = TileID.containing(WebMercator.project(Coordinate(latitude: box.north, longitude: box.west)), zoom: zoom)
        let last = TileID.containing(
            WebMercator.project(Coordinate(latitude: box.south, longitude: Coordinate.wrappedLongitude(box.east))), zoom: zoom)
        guard first.x <= last.x, first.y <= last.y, (last.x - first.x + 1) * (last.y - first.y + 1) <= limit else {
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

    /// Returns the stored tiles of an online map in the order in which their names are read. Low zooms come first, and at each zoom the
    /// nearest tiles come first. All zooms from `placeZoom` on are treated as one zoom.
    public static func order(_ kept: [TileID], near middle: Coordinate) -> [TileID] {
        func distance(_ id: TileID) -> Double {
            let (count, point) = (exp2(Double(id.zoom)), WebMercator.project(middle))
            let east = abs((Double(id.x) + 0.5) / count - point.x)
            let (right, down) = (min(east, 1 - east), (Double(id.y) + 0.5) / count - point.y)
            return right * right + down * down
        }
        return kept.map { (id: $0, low: min($0.zoom, placeZoom), distance: distance($0)) }
            .sorted { ($0.low, $0.distance) < ($1.low, $1.distance) }.map(\.id)
    }

    /// Reads the names of a map. On an online map, only tiles that are already stored are read. Reading ends early if the task is
    /// cancelled. Tiles that cannot be read are left out.
    ///
    /// - Parameter progress: called from time to time with an index of the names read so far.
    public static func load(
        from source: any TileSource, near middle: Coordinate, kinds: Set<NamedPlace.Kind> = Set(NamedPlace.Kind.allCases),
        progress: (PlaceIndex) -> Void = { _ in }
    ) async -> PlaceIndex {
        var index = PlaceIndex()
        let remote = source as? any RemoteTileSource
        let ids =
            if let remote { order(await remote.keptTiles(limit: maximumTilesOfZoom), near: middle) } else {
                tiles(of: source.details, near: middle, kinds: kinds)
            }
        var next = progressStep
        for (number, id) in ids.enumerated() {
            guard !Task.isCancelled else { break }
            guard let tile = await source.tileAtHand(id) else { continue }
            // Tiles at low zooms are not read for streets, because they have only the names of through roads, most of which are far away.
            let isFar = id.zoom < min(placeZoom + 1, source.zoomRange.upperBound)
            index.add(tile, kinds: isFar ? kinds.subtracting([.street, .stop]) : kinds, near: middle)
            if number >= next {
                progress(index)
                next *= 2
            }
        }
        return index
    }

    /// Number of tiles read before the first call to `progress`. Before each further call, the number doubles.
    private static let progressStep = 16
}

extension TileSource {
    /// Returns the tile at this address if it is available without the network.
    fileprivate func tileAtHand(_ id: TileID) async -> VectorTile? {
        if let remote = self as? any RemoteTileSource { return await remote.kept(id) }
        guard case .tile(let tile) = await answer(for: id) else { return nil }
        return tile
    }
}
