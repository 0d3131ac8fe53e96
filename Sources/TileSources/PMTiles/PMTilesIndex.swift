package import VectorTiles

/// The way to the tiles of a PMTiles archive: its header and root directory, and how leaf directories are read.
///
/// It reads nothing itself: whoever has the bytes, from a file or over a network, is told where the next ones are.
package struct PMTilesIndex: Sendable {
    /// Leaf directories may lead to further ones; the specification advises against more than one level.
    package static let maximumDepth = 4
    /// The number of first bytes in which the header and the root directory lie.
    package static let firstPartByteCount = PMTilesHeader.firstPartByteCount

    /// A piece of the archive, wholly inside of it.
    package struct Piece: Hashable, Sendable {
        /// From the start of the archive.
        package let offset: UInt64
        package let byteCount: Int
    }

    /// Where the way to a tile leads next.
    package enum Step: Sendable {
        case tile(Piece)
        /// A leaf directory, in which the search goes on.
        case directory(Piece)
        /// The archive has no such tile.
        case absent
    }

    /// The archive's own details, as far as metadata have been read.
    package private(set) var details: TileSourceDetails
    /// The archive's metadata; nil where there are none or too many.
    package let metadataPiece: Piece?

    private let header: PMTilesHeader
    private let root: PMTilesDirectory
    private let zoomRange: ClosedRange<Int>

    /// Reads the first bytes of an archive, ``firstPartByteCount`` or all that there are.
    package init(firstPart bytes: [UInt8], fileByteCount: UInt64) throws(BaseMapFileError.Problem) {
        guard bytes.count >= PMTilesHeader.byteCount || fileByteCount > UInt64(bytes.count) else {
            throw .truncated(expectedByteCount: UInt64(PMTilesHeader.byteCount), byteCount: fileByteCount)
        }
        let header = try PMTilesHeader(bytes, fileByteCount: fileByteCount)
        // The header has checked that it lies within the first part.
        let (start, end) = (Int(header.root.offset), Int(header.root.offset + header.root.length))
        guard end <= bytes.count else { throw .damaged("root directory") }
        do {
            root = try Self.directory(Array(bytes[start..<end]), header.internalCompression)
        } catch {
            throw .damaged("root directory")
        }
        let size = header.metadata.length
        let isReadable = size > 0 && size <= UInt64(TileMetadata.maximumByteCount)
        metadataPiece = isReadable ? Piece(offset: header.metadata.offset, byteCount: Int(size)) : nil
        zoomRange = Self.zoomRange(header, root)
        details = TileSourceDetails(header: header, metadata: TileMetadata(), zoomRange: zoomRange)
        self.header = header
    }

    /// The zooms in the header, of which the last is corrected as far as the root directory knows it: tiles stand there in the order of their
    /// zooms.
    private static func zoomRange(_ header: PMTilesHeader, _ root: PMTilesDirectory) -> ClosedRange<Int> {
        let stated = header.zoomRange
        guard let entry = root.entries.last else { return stated }
        let last = TileID.zoom(ofHilbertNumber: entry.first + UInt64(max(1, entry.run)) - 1)
        return stated.lowerBound...max(stated.lowerBound, entry.run == 0 ? max(stated.upperBound, last) : last)
    }

    /// Takes over the metadata. Unreadable ones are ignored: the tiles can be drawn without.
    package mutating func read(metadata stored: [UInt8]) {
        guard let json = try? TileBlob.plain(stored, limit: TileMetadata.maximumByteCount) else { return }
        details = TileSourceDetails(header: header, metadata: TileMetadata(json: json), zoomRange: zoomRange)
    }

    /// The next step on the way to a tile.
    ///
    /// - Parameter directory: the leaf directory that the last step led to; nil to begin.
    package func step(to id: TileID, in directory: PMTilesDirectory? = nil) throws(TileReaderError) -> Step {
        guard let entry = (directory ?? root).entry(for: id.hilbertNumber) else { return .absent }
        let isDirectory = entry.run == 0
        guard Int(entry.length) <= (isDirectory ? PMTilesDirectory.maximumByteCount : TileBlob.maximumByteCount) else {
            throw isDirectory ? .directory : .tooLarge
        }
        let section = isDirectory ? header.leaves : header.tiles
        guard let offset = section.offset(ofPiece: entry.offset, length: UInt64(entry.length)) else { throw .directory }
        let piece = Piece(offset: offset, byteCount: Int(entry.length))
        return isDirectory ? .directory(piece) : .tile(piece)
    }

    /// A leaf directory from its bytes.
    package func directory(_ stored: [UInt8]) throws(TileReaderError) -> PMTilesDirectory {
        try Self.directory(stored, header.internalCompression)
    }

    private static func directory(
        _ stored: [UInt8], _ compression: PMTilesHeader.Compression
    ) throws(TileReaderError) -> PMTilesDirectory {
        // An uncompressed directory may begin like gzip, so that here it counts what the header says.
        let isCompressed = compression == .gzip || compression == .unknown && TileBlob.isCompressed(stored)
        let limit = PMTilesDirectory.maximumByteCount
        guard stored.count <= limit, let plain = isCompressed ? try? TileBlob.inflate(stored, limit: limit) : stored,
            let directory = try? PMTilesDirectory(plain)
        else { throw .directory }
        return directory
    }
}
