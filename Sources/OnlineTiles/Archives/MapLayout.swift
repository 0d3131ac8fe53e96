import TileSources
import VectorTiles

/// What is stored for a tile.
enum StoredTile: Sendable {
    case tile([UInt8])
    case absent
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
    /// - Parameter isKeptEnough: the server is not asked.
    func blob(for id: TileID, check: TileFetcher.Check = .no, isKeptEnough: Bool = false) async -> StoredTile {
        if case .archive(let archive) = layout { return await archive.blob(for: id, isKeptEnough: isKeptEnough) }
        if case .tileJSON(_, let known) = layout {
            guard let known else { return .later }
            guard known.details.mayHave(id) else { return .absent }
        }
        guard let url = url(of: id) else { return .absent }
        switch await fetcher.piece(url, check: check, isKeptEnough: isKeptEnough) {
        case .piece(let piece): return .tile(piece.bytes)
        case .none: return .absent
        case .later: return .later
        }
    }

    /// A tile that cannot be read is not kept.
    func forget(_ id: TileID) async {
        if let url = url(of: id) { await fetcher.forget(url) }
    }

    /// Nil in an archive, where tiles have none, and where it is not known.
    private func url(of id: TileID) -> WebURL? {
        switch layout {
        case .template(let template): template.url(of: id)
        case .tileJSON(_, let known): known?.url(of: id)
        case .archive: nil
        }
    }

    private func open(_ url: WebURL) async -> TileJSON? {
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
            TileJSON($0.bytes, from: url) == nil ? "what it gives is no TileJSON with addresses of tiles" : nil
        }
        switch await fetcher.piece(url, check: check) {
        case .piece(let piece): return TileJSON(piece.bytes, from: url)
        case .later: return nil
        case .none:
            await fetcher.refuse(url, WebFailure(.refused(404), "it has no such TileJSON"))
            return nil
        }
    }
}
