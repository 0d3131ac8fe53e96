package import HTTPCalls
import NIOSSL
import Synchronization
import TileSources
public import VectorTiles

/// A base map from a server: tiles with addresses from a template or a TileJSON, or the parts of a PMTiles archive.
///
/// Each request has a time limit. The answer for a tile that is not available now is ``TileAnswer/notYet``. ``news`` reports when to
/// request the tile again.
public final class OnlineTileSource: RemoteTileSource {
    /// The events of the source, for a single listener.
    public let news: AsyncStream<TileNews>
    /// The map's details; default details until the server has sent its own.
    public var details: TileSourceDetails { state.withLock { $0 } }
    /// Whether only stored tiles are used.
    public var isOffline: Bool { settings.isOffline }
    /// The attribution of the map: plain text on one line.
    public var attribution: String { details.attribution }
    /// The zooms for which the server has tiles.
    public var zoomRange: ClosedRange<Int> { details.zoomRange }

    /// The default details. They apply to a map that is given as a template, and to any other map until its own details are known.
    static let standardDetails = TileSourceDetails(attribution: TileSchema.shortbread.attribution, zoomRange: 0...14)

    private let state: Mutex<TileSourceDetails>
    private let settings: OnlineSettings
    private let fetcher: TileFetcher
    private let layout: MapLayout
    private let decoder: VectorTileDecoder
    private let tell: AsyncStream<TileNews>.Continuation

    /// - Throws: `MapAddressError` if the CA file cannot be read.
    public convenience init(_ address: MapAddress, settings: OnlineSettings) throws(MapAddressError) {
        try self.init(address, settings: settings) { try await $0.send() }
    }

    /// - Parameter transport: sends the requests.
    package init(
        _ address: MapAddress, settings: OnlineSettings, transport: @escaping HTTPCall.Transport
    ) throws(MapAddressError) {
        (news, tell) = AsyncStream.makeStream(of: TileNews.self)
        let tls: TLSConfiguration?
        do throws(HTTPFailure) {
            tls = if let file = settings.caFile { try HTTPExchange.trusting(caFile: file) } else { nil }
        } catch {
            throw MapAddressError(description: error.words)
        }
        self.settings = settings
        fetcher = TileFetcher(settings, tls: tls, transport: transport) { [tell] in tell.yield($0) }
        layout = MapLayout(address, fetcher, limits: settings.limits)
        decoder = VectorTileDecoder(languages: settings.languages)
        state = Mutex(Self.standardDetails)
    }

    /// Ends all pauses, so that requests may be sent to the servers now.
    public func askNow() async { await fetcher.askNow() }

    /// Returns the nearest stored ancestor of a tile, at most `TileSearch.ancestorLevels` zooms lower. Returns nil if no such ancestor is
    /// stored, or if the store has the answer for the tile itself.
    public func standIn(for id: TileID) async -> VectorTile? {
        guard settings.store != nil, case .later = await layout.blob(for: id, from: .store) else { return nil }
        var candidate = id.parent
        for _ in 0..<TileSearch.ancestorLevels {
            guard let ancestor = candidate, ancestor.zoom >= zoomRange.lowerBound else { return nil }
            if let tile = await stored(ancestor, from: .store) { return tile }
            candidate = ancestor.parent
        }
        return nil
    }

    /// Returns the tile if it is stored. The call does not count as a use of the tile.
    public func kept(_ id: TileID) async -> VectorTile? { await stored(id, from: .storeUnused) }

    /// Returns the ids of stored tiles, the most recently used first, at most `limit` of them.
    public func keptTiles(limit: Int) async -> [TileID] { await layout.keptTiles(limit: max(0, limit)) }

    private func stored(_ id: TileID, from asked: TileFetcher.Asked) async -> VectorTile? {
        guard settings.store != nil, case .tile(let bytes) = await layout.blob(for: id, from: asked),
            let plain = try? TileBlob.plain(bytes)
        else { return nil }
        return try? decoder.decode(plain, id: id)
    }

    /// Returns the tile. The result is nil outside the map's zooms, and for a tile that the server refuses. For a tile that the server does
    /// not have, it is nil or an empty tile; see `missing`.
    /// - Throws: an error if the tile is not available now or cannot be read.
    public func tile(_ id: TileID) async throws -> VectorTile? {
        switch await answer(for: id) {
        case .tile(let tile): return tile
        case .absent: return nil
        case .unreadable(let reason): throw UnreadableTileError(id, reason)
        case .notYet: throw UnreadableTileError(id, "it cannot be fetched now")
        }
    }

    /// Returns the tile from the store or the network, or the reason why it is missing.
    public func answer(for id: TileID) async -> TileAnswer {
        guard let details = await layout.details() else { return .notYet }
        learn(details)
        guard details.zoomRange.contains(id.zoom) else { return .absent }
        switch await blob(for: id, details) {
        case .empty: return .tile(.empty(id))
        case .absent: return await missing(id, details)
        // A refused tile may exist on the server, so it does not count as empty.
        case .refused: return .absent
        case .later: return .notYet
        case .unreadable(let reason): return .unreadable(reason: "\(UnreadableTileError(id, reason))")
        case .tile(let bytes):
            do {
                return .tile(try decoder.decode(try TileBlob.plain(bytes), id: id))
            } catch {
                await layout.forget(id)
                return .unreadable(reason: "\(UnreadableTileError(id, Self.words(error)))")
            }
        }
    }

    private func blob(for id: TileID, _ details: TileSourceDetails) async -> StoredTile {
        await layout.blob(
            for: id, check: .tile(lowestZoom: details.zoomRange.lowerBound) { [decoder] in Self.fault($0.bytes, id, decoder) })
    }

    /// Returns the answer for a tile that the server does not have. It depends on the siblings, the other tiles with the same parent.
    ///
    /// If a sibling exists, this tile counts as empty, and no ancestor is shown in its place. The same holds at the lowest zoom. If no
    /// sibling exists, the map has no tiles of this zoom in this area, and the answer is `absent`. While this is not known, the answer is
    /// `notYet`; offline, this tile counts as empty.
    private func missing(_ id: TileID, _ details: TileSourceDetails) async -> TileAnswer {
        guard id.zoom > details.zoomRange.lowerBound else { return .tile(.empty(id)) }
        for sibling in id.siblings {
            switch await blob(for: sibling, details) {
            case .tile: return .tile(.empty(id))
            case .later: return settings.isOffline ? .tile(.empty(id)) : .notYet
            case .empty, .absent, .refused, .unreadable: continue
            }
        }
        return .absent
    }

    private func learn(_ details: TileSourceDetails) {
        let isNew = state.withLock { known in
            defer { known = details }
            return known != details
        }
        if isNew { tell.yield(.details) }
    }

    /// Returns the reason why a tile's bytes cannot be read; nil if they can be read.
    private static func fault(_ bytes: [UInt8], _ id: TileID, _ decoder: VectorTileDecoder) -> String? {
        if let picture = TileBlob.pictureFormat(bytes) { return "it returns pictures (\(picture)), not vector tiles" }
        do {
            _ = try decoder.decode(try TileBlob.plain(bytes), id: id)
            return nil
        } catch {
            return "its answer is not a tile: \(words(error))"
        }
    }

    private static func words(_ error: any Error) -> String { (error as? TileBlob.Problem)?.words ?? "\(error)" }
}
