/// Where the tiles of a base map come from: a file, a service.
public protocol TileSource: Sendable {
    /// Whom the map is owed to, as it must be shown with it; plain text, one line.
    var attribution: String { get }
    /// The zooms there are tiles for.
    var zoomRange: ClosedRange<Int> { get }
    /// The source's own details. The default has its attribution and zooms alone.
    var details: TileSourceDetails { get }
    /// The tile with this address; nil if the source does not have it. Throws for a tile that exists and cannot be read.
    func tile(_ id: TileID) async throws -> VectorTile?
    /// The roads of the tile with this address, for routers; nil if the source does not have it. The default takes them from ``tile(_:)``,
    /// which knows neither one-way nor access.
    func roads(_ id: TileID) async throws -> RoadTile?
    /// The answer for this address now. Sources that make every tile at once need not write it: it follows from ``tile(_:)``.
    func answer(for id: TileID) async -> TileAnswer
}

/// A source's answer for an address.
public enum TileAnswer: Sendable {
    /// The tile. Its own address is an ancestor's where that stands in for the one asked for.
    case tile(VectorTile)
    /// The source has no such tile and will never have it.
    case absent
    /// There is one and it cannot be read; `reason` is one sentence for people. A blank tile is drawn in its place.
    case unreadable(reason: String)
    /// It is not known yet: it is being fetched, the network is away or has not been allowed. Worth asking again later.
    case notYet
}

extension TileSource {
    /// The source's attribution and zooms; nothing else is known.
    public var details: TileSourceDetails { TileSourceDetails(attribution: attribution, zoomRange: zoomRange) }

    /// The roads that the tile's lines tell of, all open in both directions.
    /// - Throws: what ``tile(_:)`` throws.
    public func roads(_ id: TileID) async throws -> RoadTile? { try await tile(id).map(RoadTile.init) }

    /// What ``tile(_:)`` brings; what it throws is an unreadable tile.
    public func answer(for id: TileID) async -> TileAnswer {
        do {
            return try await tile(id).map(TileAnswer.tile) ?? .absent
        } catch {
            return .unreadable(reason: "\(error)")
        }
    }
}

/// Where a missing tile is looked for, in a source and among its kept tiles.
public enum TileSearch {
    /// How many zooms up a stand-in is looked for; one from further up would be a blur.
    public static let ancestorLevels = 6
}

extension TileSource {
    /// The tile at this address, or else the nearest ancestor that the source has, within a limited number of levels.
    ///
    /// A zoom beyond the source's last begins at the last and is not counted among the levels; one before its first has no tile. A tile
    /// that cannot be read ends the search, as does one that is not there yet: its place is known.
    public func nearest(to id: TileID, levels: Int = TileSearch.ancestorLevels) async -> TileAnswer {
        guard var candidate = id.ancestor(atZoom: min(id.zoom, zoomRange.upperBound)) else { return .absent }
        for _ in 0...max(0, levels) {
            guard candidate.zoom >= zoomRange.lowerBound else { return .absent }
            let answer = await answer(for: candidate)
            guard case .absent = answer, let parent = candidate.parent else { return answer }
            candidate = parent
        }
        return .absent
    }
}
