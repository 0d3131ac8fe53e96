import TileSources
import VectorTiles

/// A PMTiles archive on a server. Its directories are fetched and kept, and its tiles are fetched one by one.
actor RemoteArchive {
    /// The directories of one version of the archive.
    private struct Version: Sendable {
        let index: PMTilesIndex
        let etag: String?
    }

    private static let largestChangeCount = 3
    private static let firstPart = TileFetcher.Part(range: 0..<PMTilesIndex.firstPartByteCount)

    let url: WebURL
    private let fetcher: TileFetcher
    /// The version of the archive that was read last, with its directories.
    private var known: Version?
    private var leaves = LeafDirectories(entryLimit: LeafDirectories.standardEntryLimit)
    private var opening: Task<Version?, Never>?
    /// Number of version changes in a row. Reading a part successfully, or no longer trusting ETags, sets it back to 0.
    private var changes = 0
    /// Whether ETags identify versions. Proxies, and several servers at one address, may send different ETags for the same file.
    private var trustsTags = true

    /// Largest size of a part that is fetched, in bytes.
    private let largestByteCount: Int

    init(_ url: WebURL, _ fetcher: TileFetcher, largestByteCount: Int) {
        self.url = url
        self.fetcher = fetcher
        self.largestByteCount = largestByteCount
    }

    /// Returns the archive's details; nil while they cannot be fetched.
    func details() async -> TileSourceDetails? { await version()?.index.details }

    /// Returns the bytes of a tile.
    ///
    /// - Parameter asked: the sources from which the tile may come.
    func blob(for id: TileID, from asked: TileFetcher.Asked) async -> StoredTile {
        guard let version = await version(from: asked) else { return .later }
        let index = version.index
        var directory: PMTilesDirectory?
        for _ in 0..<PMTilesIndex.maximumDepth {
            let step: PMTilesIndex.Step
            do {
                step = try index.step(to: id, in: directory)
            } catch {
                return .unreadable(error.words)
            }
            switch step {
            case .absent: return .absent
            case .tile(let piece):
                guard piece.byteCount <= largestByteCount else { return .unreadable(TileReaderError.tooLarge.words) }
                guard let bytes = await read(piece, of: id, version, from: asked) else { return .later }
                return .tile(bytes)
            case .directory(let piece):
                if isKnown(version), let kept = leaves.directory(at: piece.offset) {
                    directory = kept
                    continue
                }
                guard let bytes = await read(piece, version, from: asked) else { return .later }
                guard let leaf = try? index.directory(bytes) else { return .unreadable(TileReaderError.directory.words) }
                if isKnown(version) { leaves.keep(leaf, at: piece.offset) }
                directory = leaf
            }
        }
        return .unreadable(TileReaderError.directory.words)
    }

    /// Reads a part of the archive. Returns nil if the part is not available now, or if the archive has changed.
    private func read(
        _ piece: PMTilesIndex.Piece, of id: TileID? = nil, _ version: Version, from asked: TileFetcher.Asked
    ) async -> [UInt8]? {
        let etag = trustsTags ? version.etag : nil
        let wanted = TileFetcher.Part(range: piece.range, etag: etag)
        let mark = id.map { TileStore.Mark(map: url.text, id: $0) }
        guard case .piece(let part) = await fetcher.piece(url, part: wanted, of: mark, from: asked) else { return nil }
        guard !trustsTags || part.etag == etag, part.bytes.count == piece.byteCount else {
            if asked == .all { await drop(ifStill: version.etag) }
            return nil
        }
        changes = 0
        return part.bytes
    }

    /// Forgets the directories of an archive that has been replaced on the server. After more than `largestChangeCount` changes in a row,
    /// ETags are no longer trusted. If as many changes follow again, the archive is refused.
    private func drop(ifStill etag: String?) async {
        guard known != nil, known?.etag == etag else { return }
        known = nil
        await fetcher.forget(url, part: Self.firstPart)
        leaves = LeafDirectories(entryLimit: LeafDirectories.standardEntryLimit)
        changes += 1
        guard changes > Self.largestChangeCount else { return fetcher.wake() }
        guard trustsTags else {
            await fetcher.refuse(url, WebFailure(.notATileServer, "its file changes with every request"))
            return
        }
        trustsTags = false
        changes = 0
        fetcher.wake()
    }

    private func isKnown(_ version: Version) -> Bool { known?.etag == version.etag && known != nil }

    /// Returns the current version, or the stored one if no request may be sent. The stored version may be out of date: use it
    /// only for reading the store.
    private func version(from asked: TileFetcher.Asked) async -> Version? {
        if let known { return known }
        guard asked != .all else { return await version() }
        guard case .piece(let part) = await fetcher.piece(url, part: Self.firstPart, from: asked), let index = try? Self.index(part) else {
            return nil
        }
        return Version(index: index, etag: part.etag)
    }

    private func version() async -> Version? {
        if let known { return known }
        if let opening { return await opening.value }
        let task = Task { await open() }
        opening = task
        defer { opening = nil }
        return await task.value
    }

    private func open() async -> Version? {
        let check = TileFetcher.Check.essential { part in
            do throws(BaseMapFileError.Problem) {
                _ = try Self.index(part)
                return nil
            } catch {
                return "its file cannot be used: \(error.reason)"
            }
        }
        switch await fetcher.piece(url, part: Self.firstPart, check: check) {
        case .later: return nil
        case .none, .refused:
            await fetcher.refuse(url, WebFailure(.refused(404), "it does not have this file"))
            return nil
        case .piece(let part):
            guard var index = try? Self.index(part) else { return nil }
            if let piece = index.metadataPiece,
                case .piece(let metadata) = await fetcher.piece(url, part: TileFetcher.Part(range: piece.range, etag: part.etag)),
                metadata.etag == part.etag || !trustsTags
            {
                index.read(metadata: metadata.bytes)
            }
            let version = Version(index: index, etag: part.etag)
            known = version
            return version
        }
    }

    private static func index(_ part: TileFetcher.Piece) throws(BaseMapFileError.Problem) -> PMTilesIndex {
        try PMTilesIndex(firstPart: part.bytes, fileByteCount: part.fileByteCount ?? UInt64.max >> 1)
    }
}

extension PMTilesIndex.Piece {
    fileprivate var range: Range<UInt64> { offset..<offset + UInt64(byteCount) }
}
