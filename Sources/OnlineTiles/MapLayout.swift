import TileSources
import VectorTiles

/// The bytes of a stored tile, or the reason why they are missing.
enum StoredTile: Sendable {
    case tile([UInt8])
    /// The tile is empty.
    case empty
    case absent
    /// The server refuses the tile, or sends other content instead.
    case refused
    /// The tile is not available now.
    case later
    /// The tile cannot be read. The text is the reason, as a clause.
    case unreadable(String)
}

/// The way in which a map on the network stores its tiles. Gives access to the bytes of tiles.
actor MapLayout {
    private enum Layout {
        case template(TileTemplate)
        /// A TileJSON with its address. The TileJSON is nil until it has been read.
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

    /// Returns the map's own details, or the standard details for a template; nil while they are not available.
    func details() async -> TileSourceDetails? {
        switch layout {
        case .template: OnlineTileSource.standardDetails
        case .archive(let archive): await archive.details()
        case .tileJSON(let url, let known): if let known { known.details } else { await open(url)?.details }
        }
    }

    /// Returns the bytes of a tile. If `asked` is `.all`, the details of the map must already have been read.
    ///
    /// - Parameter asked: the sources from which the tile may come.
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

    /// Removes an unreadable tile from the store.
    func forget(_ id: TileID) async {
        if let (url, _) = place(of: id) { await fetcher.forget(url) }
    }

    /// Returns the address of a tile and its template; nil for an archive, for a tile that has no address, and until the TileJSON has been
    /// read.
    private func place(of id: TileID) -> (url: WebURL, template: TileTemplate)? {
        let template: TileTemplate? =
            switch layout {
            case .template(let template): template
            case .tileJSON(_, let known): known?.template(of: id)
            case .archive: nil
            }
        return template.flatMap { template in template.url(of: id).map { ($0, template) } }
    }

    /// Returns the stored tiles, the most recently used first. If a TileJSON has several templates, this order applies only within each of
    /// them, and the tiles of the templates alternate.
    func keptTiles(limit: Int) async -> [TileID] {
        switch layout {
        case .template(let template): return await fetcher.keptTiles(of: template.name, limit: limit)
        case .archive(let archive): return await fetcher.keptTiles(of: archive.url.text, limit: limit)
        case .tileJSON(let url, var known):
            if known == nil { known = await open(url, from: .storeUnused) }
            let names = known?.templates.map(\.name) ?? []
            var lists: [[TileID]] = []
            for (index, name) in names.enumerated() where !names.prefix(index).contains(name) {
                lists.append(await fetcher.keptTiles(of: name, limit: limit))
            }
            return Array(Self.alternating(lists).prefix(limit))
        }
    }

    /// Returns the tiles of several lists: the first of each list, then the second of each, and so on.
    private static func alternating(_ lists: [[TileID]]) -> [TileID] {
        let longest = lists.map(\.count).max() ?? 0
        return (0..<longest).flatMap { place in lists.compactMap { $0.dropFirst(place).first } }
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
        // All waiting callers get the same TileJSON, so it does not matter that each of them sets the layout.
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
            await fetcher.refuse(url, WebFailure(.refused(404), "it does not have this TileJSON"))
            return nil
        }
    }
}
