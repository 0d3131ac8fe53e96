import Synchronization
import VectorTiles

/// A PMTiles archive, version 3, in a file.
final class PMTilesReader: TileReader {
    let details: TileSourceDetails

    private let file: TileFile
    private let index: PMTilesIndex
    private let leaves = Mutex(LeafDirectories(entryLimit: LeafDirectories.standardEntryLimit))

    init(_ file: TileFile) throws(BaseMapFileError.Problem) {
        self.file = file
        let count = min(file.byteCount, PMTilesIndex.firstPartByteCount)
        var index = try PMTilesIndex(firstPart: try Self.read(file, at: 0, count: Int(count)), fileByteCount: file.byteCount)
        index.read(metadata: Self.metadata(of: file, index))
        details = index.details
        self.index = index
    }

    var metadata: [UInt8] { Self.metadata(of: file, index) }

    /// Reads the metadata. Invalid metadata is ignored, since the tiles can be drawn without it.
    private static func metadata(of file: TileFile, _ index: PMTilesIndex) -> [UInt8] {
        guard let piece = index.metadataPiece, let stored = try? file.read(at: piece.offset, count: piece.byteCount) else { return [] }
        return (try? TileBlob.plain(stored, limit: TileMetadata.maximumByteCount)) ?? []
    }

    private static func read(_ file: TileFile, at offset: UInt64, count: Int) throws(BaseMapFileError.Problem) -> [UInt8] {
        do {
            return try file.read(at: offset, count: count)
        } catch {
            switch error {
            case .ended: throw .truncated(expectedByteCount: offset + UInt64(count), byteCount: file.byteCount)
            case .system(let reason): throw .init(systemError: reason)
            }
        }
    }

    func blob(for id: TileID) async throws(TileReaderError) -> [UInt8]? {
        var directory: PMTilesDirectory?
        for _ in 0..<PMTilesIndex.maximumDepth {
            switch try index.step(to: id, in: directory) {
            case .absent: return nil
            case .tile(let piece): return try read(piece)
            case .directory(let piece): directory = try leaf(piece)
            }
        }
        throw .directory
    }

    private func leaf(_ piece: PMTilesIndex.Piece) throws(TileReaderError) -> PMTilesDirectory {
        if let known = leaves.withLock({ $0.directory(at: piece.offset) }) { return known }
        let directory = try index.directory(try read(piece))
        leaves.withLock { $0.keep(directory, at: piece.offset) }
        return directory
    }

    private func read(_ piece: PMTilesIndex.Piece) throws(TileReaderError) -> [UInt8] {
        do {
            return try file.read(at: piece.offset, count: piece.byteCount)
        } catch {
            throw TileReaderError(error)
        }
    }
}
