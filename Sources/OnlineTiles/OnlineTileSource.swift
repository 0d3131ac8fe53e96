import HTTPCalls
import NIOSSL
import Synchronization
import TileSources
public import VectorTiles

/// A base map from a server: tiles by a template of their addresses, a TileJSON, or parts of a PMTiles archive.
///
/// No answer waits longer than a request may take; what cannot be had now is ``TileAnswer/notYet``, and ``news`` tells when to ask again.
public final class OnlineTileSource: RemoteTileSource {
    /// What happens, for one listener.
    public let news: AsyncStream<TileNews>
    /// The map's details as far as they are known: a standard until the server has told them.
    public var details: TileSourceDetails { state.withLock { $0 } }
    /// Whether only kept tiles are used.
    public var isOffline: Bool { settings.isOffline }
    /// Whom the map is owed to, plain text on one line.
    public var attribution: String { details.attribution }
    /// The zooms that the server has tiles for.
    public var zoomRange: ClosedRange<Int> { details.zoomRange }

    /// Of templates, and of everything that is not known yet.
    static let standardDetails = TileSourceDetails(attribution: TileSchema.shortbread.attribution, zoomRange: 0...14)

    private let state: Mutex<TileSourceDetails>
    private let settings: OnlineSettings
    private let fetcher: TileFetcher
    private let layout: MapLayout
    private let decoder: VectorTileDecoder
    private let tell: AsyncStream<TileNews>.Continuation

    /// - Throws: `MapAddressError` for a CA file that cannot be read.
    public init(_ address: MapAddress, settings: OnlineSettings) throws(MapAddressError) {
        (news, tell) = AsyncStream.makeStream(of: TileNews.self)
        let tls: TLSConfiguration?
        do throws(HTTPFailure) {
            tls = if let file = settings.caFile { try HTTPExchange.trusting(caFile: file) } else { nil }
        } catch {
            throw MapAddressError(description: error.words)
        }
        self.settings = settings
        fetcher = TileFetcher(settings, tls: tls) { [tell] in tell.yield($0) }
        layout = MapLayout(address, fetcher, limits: settings.limits)
        decoder = VectorTileDecoder(languages: settings.languages)
        state = Mutex(Self.standardDetails)
    }

    /// Forgets how long servers are to be left alone: they are asked again now.
    public func askNow() async { await fetcher.askNow() }

    /// The nearest ancestor in the store; nil where the tile itself is there, or no ancestor is.
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

    /// The tile where the store has it. This does not count as a use of the tile.
    public func kept(_ id: TileID) async -> VectorTile? { await stored(id, from: .storeUnused) }

    /// Addresses of tiles in the store, the last used first, at most `limit` of them.
    public func keptTiles(limit: Int) async -> [TileID] { await layout.keptTiles(limit: max(0, limit)) }

    private func stored(_ id: TileID, from asked: TileFetcher.Asked) async -> VectorTile? {
        guard settings.store != nil, case .tile(let bytes) = await layout.blob(for: id, from: asked),
            let plain = try? TileBlob.plain(bytes)
        else { return nil }
        return try? decoder.decode(plain, id: id)
    }

    /// The tile, nil where there is none; throws where it cannot be had now.
    public func tile(_ id: TileID) async throws -> VectorTile? {
        switch await answer(for: id) {
        case .tile(let tile): return tile
        case .absent: return nil
        case .unreadable(let reason): throw UnreadableTileError(id, reason)
        case .notYet: throw UnreadableTileError(id, "it cannot be fetched now")
        }
    }

    /// The tile from the store or the network, or the reason why it is missing.
    public func answer(for id: TileID) async -> TileAnswer {
        guard let details = await layout.details() else { return .notYet }
        learn(details)
        guard details.zoomRange.contains(id.zoom) else { return .absent }
        switch await blob(for: id, details) {
        case .empty: return .tile(.empty(id))
        case .absent: return await missing(id, details)
        // A refused tile may exist.
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

    /// The answer for a tile that the server has not. Among others of its zoom it is a tile with nothing in it: an ancestor would show what is
    /// not there. Where its siblings are missing too, the map ends above.
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

    /// What is wrong with the bytes of a tile; nil for nothing.
    private static func fault(_ bytes: [UInt8], _ id: TileID, _ decoder: VectorTileDecoder) -> String? {
        if let picture = TileBlob.pictureFormat(bytes) { return "what it gives are pictures (\(picture)), not vector tiles" }
        do {
            _ = try decoder.decode(try TileBlob.plain(bytes), id: id)
            return nil
        } catch {
            return "what it gives is no tile: \(words(error))"
        }
    }

    private static func words(_ error: any Error) -> String { (error as? TileBlob.Problem)?.words ?? "\(error)" }
}
