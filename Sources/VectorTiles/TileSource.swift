/// A source of a base map's tiles, such as a file or a service.
public protocol TileSource: Sendable {
    /// The required attribution of the map; plain text, one line.
    var attribution: String { get }
    /// The zooms at which the source has tiles.
    var zoomRange: ClosedRange<Int> { get }
    /// The source's own details. The default has only its attribution and zooms.
    var details: TileSourceDetails { get }
    /// Returns the tile at this address; nil if the source does not have it. Throws for a tile that exists but cannot be read.
    func tile(_ id: TileID) async throws -> VectorTile?
    /// Returns the roads of a tile, for routers; nil if the source does not have the tile. By default, these are the roads in ``tile(_:)``.
    /// One-way and access restrictions are then ignored: all these roads count as open in both directions.
    func roads(_ id: TileID) async throws -> RoadTile?
    /// Returns the source's answer at this moment; it may be ``TileAnswer/notYet``. The default calls ``tile(_:)``, and suits
    /// sources that need not wait.
    func answer(for id: TileID) async -> TileAnswer
}

/// A source's answer for an address.
public enum TileAnswer: Sendable {
    /// The tile. If an ancestor is used instead, the tile has the ancestor's address.
    case tile(VectorTile)
    /// The source has no such tile and will never have it.
    case absent
    /// The tile exists but cannot be read; `reason` is a sentence for the user. A blank tile is drawn in its place.
    case unreadable(reason: String)
    /// The tile is not known yet: it is loading, or the network is unavailable or not allowed. It may be requested again later.
    case notYet
}

extension TileSource {
    /// The source's attribution and zooms, without other details.
    public var details: TileSourceDetails { TileSourceDetails(attribution: attribution, zoomRange: zoomRange) }

    /// Returns the roads among the tile's lines. All of them count as open in both directions.
    /// - Throws: the errors of ``tile(_:)``.
    public func roads(_ id: TileID) async throws -> RoadTile? { try await tile(id).map(RoadTile.init) }

    /// Returns the result of ``tile(_:)`` as an answer. An error becomes ``TileAnswer/unreadable(reason:)``.
    public func answer(for id: TileID) async -> TileAnswer {
        do {
            return try await tile(id).map(TileAnswer.tile) ?? .absent
        } catch {
            return .unreadable(reason: "\(error)")
        }
    }
}

/// Limits of the search for an ancestor of a missing tile.
public enum TileSearch {
    /// Maximum number of zoom levels between a tile and its ancestor. A more distant ancestor would look blurred.
    public static let ancestorLevels = 6
}

extension TileSource {
    /// Returns the tile at this address, or else the nearest ancestor that the source has, within a limited number of levels.
    ///
    /// Above the source's highest zoom, the search starts at the highest zoom, and `levels` counts from there. An unreadable tile, or
    /// a tile that is not loaded yet, ends the search.
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
