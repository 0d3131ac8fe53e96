import Synchronization
import VectorTiles

/// A PMTiles archive, version 3.
final class PMTilesReader: TileReader {
    /// Leaf directories may lead to further ones; the specification advises against more than one level.
    static let maximumDepth = 4

    let details: TileSourceDetails

    private let file: TileFile
    private let header: PMTilesHeader
    private let root: PMTilesDirectory
    private let leaves = Mutex(LeafDirectories(entryLimit: 1 << 19))

    init(_ file: TileFile) throws(BaseMapFileError.Problem) {
        self.file = file
        header = try PMTilesHeader(try Self.read(file, at: 0, count: PMTilesHeader.byteCount), fileByteCount: file.byteCount)
        do {
            root = try Self.directory(file, at: header.root.offset, length: header.root.length, header.internalCompression)
        } catch {
            throw .damaged("root directory")
        }
        details = TileSourceDetails(header: header, metadata: TileMetadata(json: Self.metadata(of: file, header: header)))
    }

    private static func read(_ file: TileFile, at offset: UInt64, count: Int) throws(BaseMapFileError.Problem) -> [UInt8] {
        do {
            return try file.read(at: offset, count: count)
        } catch {
            switch error {
            case .ended: throw .truncated(expectedByteCount: offset + UInt64(count), byteCount: file.byteCount)
            case .system(let code): throw .init(systemError: code)
            }
        }
    }

    /// Unreadable metadata are ignored: the tiles can be drawn without.
    private static func metadata(of file: TileFile, header: PMTilesHeader) -> [UInt8] {
        guard header.metadata.length <= UInt64(TileMetadata.maximumByteCount), let length = Int(exactly: header.metadata.length),
            let stored = try? file.read(at: header.metadata.offset, count: length),
            let json = try? TileBlob.plain(stored, limit: TileMetadata.maximumByteCount)
        else { return [] }
        return json
    }

    var metadata: [UInt8] { Self.metadata(of: file, header: header) }

    func blob(for id: TileID) async throws(TileReaderError) -> [UInt8]? {
        let number = id.hilbertNumber
        var directory = root
        for _ in 0..<Self.maximumDepth {
            guard let entry = directory.entry(for: number) else { return nil }
            if entry.run == 0 {
                directory = try leaf(entry)
                continue
            }
            guard Int(entry.length) <= TileBlob.maximumByteCount else { throw .tooLarge }
            guard let offset = header.tiles.offset(ofPiece: entry.offset, length: UInt64(entry.length)) else { throw .directory }
            do {
                return try file.read(at: offset, count: Int(entry.length))
            } catch {
                throw TileReaderError(error)
            }
        }
        throw .directory
    }
}

// MARK: - Directories

extension PMTilesReader {
    private func leaf(_ entry: PMTilesDirectory.Entry) throws(TileReaderError) -> PMTilesDirectory {
        if let known = leaves.withLock({ $0.directory(at: entry.offset) }) { return known }
        guard let offset = header.leaves.offset(ofPiece: entry.offset, length: UInt64(entry.length)) else { throw .directory }
        let directory = try Self.directory(file, at: offset, length: UInt64(entry.length), header.internalCompression)
        leaves.withLock { $0.keep(directory, at: entry.offset) }
        return directory
    }

    private static func directory(
        _ file: TileFile, at offset: UInt64, length: UInt64, _ compression: PMTilesHeader.Compression
    ) throws(TileReaderError) -> PMTilesDirectory {
        let limit = PMTilesDirectory.maximumByteCount
        guard let length = Int(exactly: length), length <= limit else { throw .directory }
        let stored: [UInt8]
        do {
            stored = try file.read(at: offset, count: length)
        } catch {
            throw TileReaderError(error)
        }
        // An uncompressed directory may begin like gzip, so that here it counts what the header says.
        let isCompressed = compression == .gzip || compression == .unknown && TileBlob.isCompressed(stored)
        guard let plain = isCompressed ? try? TileBlob.inflate(stored, limit: limit) : stored,
            let directory = try? PMTilesDirectory(plain)
        else { throw .directory }
        return directory
    }
}
