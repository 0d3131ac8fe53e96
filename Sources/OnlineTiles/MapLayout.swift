import TileSources
import VectorTiles

/// What is stored for a tile.
enum StoredTile: Sendable {
    case tile([UInt8])
    /// For certain there is nothing to draw.
    case empty
    case absent
    /// The server gives something else in its place.
    case refused
    /// It cannot be had now.
    case later
    /// Why it cannot be read, to continue a sentence.
    case unreadable(String)
}

/// How a map on the network is laid out, and with that the bytes of its tiles.
actor MapLayout {
    private enum Layout {
        case template(TileTemplate)
        /// Nil until it is known.
        case tileJSON(WebURL, TileJSON?)
        case archive(RemoteArchive)
    }

    private var layout: Layout
    private let fetcher: TileFetcher
    private var opening: Task<TileJSON?, Never>?

    init(_ address: MapAddress, _ fetcher: TileFetcher, limits: OnlineLimits) {
        self.fetcher = fetcher
        layout =
            switch address.kind {
            case .template(let template): .template(template)
            case .tileJSON(let url): .tileJSON(url, nil)
            case .archive(let url): .archive(RemoteArchive(url, fetcher, largestByteCount: limits.bodyByteCount))
            }
    }

    /// The map's own details; nil while they cannot be had.
    func details() async -> TileSourceDetails? {
        switch layout {
        case .template: OnlineTileSource.standardDetails
        case .archive(let archive): await archive.details()
        case .tileJSON(let url, let known): if let known { known.details } else { await open(url)?.details }
        }
    }

    /// The bytes of a tile. The details must be known.
    ///
    /// - Parameter asked: who is asked for it.
    func blob(for id: TileID, check: TileFetcher.Check = .no, from asked: TileFetcher.Asked = .all) async -> StoredTile {
        if case .archive(let archive) = layout { return await archive.blob(for: id, from: asked) }
        if case .tileJSON(let url, var known) = layout {
            if known == nil, asked != .all { known = await open(url, from: asked) }
            guard let known else { return .later }
            guard known.details.mayHave(id) else { return .empty }
        }
        guard let (url, template) = place(of: id) else { return .empty }
        switch await fetcher.piece(url, of: TileStore.Mark(map: template.name, id: id), check: check, from: asked) {
        case .piece(let piece): return .tile(piece.bytes)
        case .none: return .absent
        case .refused: return .refused
        case .later: return .later
        }
    }

    /// A tile that cannot be read is not kept.
    func forget(_ id: TileID) async {
        if let (url, _) = place(of: id) { await fetcher.forget(url) }
    }

    /// Nil in an archive, where tiles have none, and where it is not known.
    private func place(of id: TileID) -> (url: WebURL, template: TileTemplate)? {
        let template: TileTemplate? =
            switch layout {
            case .template(let template): template
            case .tileJSON(_, let known): known?.template(of: id)
            case .archive: nil
            }
        return template.flatMap { template in template.url(of: id).map { ($0, template) } }
    }

    /// The tiles that are kept, the last used first.
    func keptTiles(limit: Int) async -> [TileID] {
        switch layout {
        case .template(let template): return await fetcher.keptTiles(of: template.name, limit: limit)
        case .archive(let archive): return await fetcher.keptTiles(of: archive.url.text, limit: limit)
        case .tileJSON(let url, var known):
            if known == nil { known = await open(url, from: .storeUnused) }
            var ids: [TileID] = []
            for name in Set(known?.templates.map(\.name) ?? []) { ids += await fetcher.keptTiles(of: name, limit: limit) }
            return Array(ids.prefix(limit))
        }
    }

    private func open(_ url: WebURL, from asked: TileFetcher.Asked = .all) async -> TileJSON? {
        guard asked == .all else {
            guard case .piece(let piece) = await fetcher.piece(url, from: asked), let found = TileJSON(piece.bytes, from: url) else {
                return nil
            }
            layout = .tileJSON(url, found)
            return found
        }
        let task = opening ?? Task { [fetcher] in await Self.tileJSON(at: url, fetcher) }
        opening = task
        let found = await task.value
        opening = nil
        // Whoever of those that waited comes first keeps it, so that the next step of each finds it.
        if let found { layout = .tileJSON(url, found) }
        return found
    }

    private static func tileJSON(at url: WebURL, _ fetcher: TileFetcher) async -> TileJSON? {
        let check = TileFetcher.Check.essential {
            TileJSON($0.bytes, from: url) == nil ? TileJSON.fault(of: $0.bytes, from: url) : nil
        }
        switch await fetcher.piece(url, check: check) {
        case .piece(let piece): return TileJSON(piece.bytes, from: url)
        case .later: return nil
        case .none, .refused:
            await fetcher.refuse(url, WebFailure(.refused(404), "it has no such TileJSON"))
            return nil
        }
    }
}
