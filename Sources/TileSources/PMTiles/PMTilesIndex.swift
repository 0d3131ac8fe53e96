package import VectorTiles

/// The index of a PMTiles archive. It holds the header and the root directory, and parses leaf directories.
///
/// The index itself never reads from a file or the network. The caller fetches the bytes, and the index returns the position of the next
/// bytes to fetch.
package struct PMTilesIndex: Sendable {
    /// Largest depth of leaf directories; the specification advises against more than one level.
    package static let maximumDepth = 4
    /// Size of the first part of a file, which contains the header and the root directory.
    package static let firstPartByteCount = PMTilesHeader.firstPartByteCount

    /// A piece of the archive, checked to lie entirely inside the archive.
    package struct Piece: Hashable, Sendable {
        /// Offset from the start of the archive, in bytes.
        package let offset: UInt64
        package let byteCount: Int
    }

    /// The next step in the search for a tile.
    package enum Step: Sendable {
        case tile(Piece)
        /// A leaf directory, where the search continues.
        case directory(Piece)
        /// The archive has no such tile.
        case absent
    }

    /// The archive's own details, including the metadata once it is read.
    package private(set) var details: TileSourceDetails
    /// The piece with the archive's metadata; nil if the metadata is missing or too large.
    package let metadataPiece: Piece?

    private let header: PMTilesHeader
    private let root: PMTilesDirectory
    private let zoomRange: ClosedRange<Int>

    /// Reads the first bytes of an archive: ``firstPartByteCount``, or all bytes of a shorter archive.
    package init(firstPart bytes: [UInt8], fileByteCount: UInt64) throws(BaseMapFileError.Problem) {
        guard bytes.count >= PMTilesHeader.byteCount || fileByteCount > UInt64(bytes.count) else {
            throw .truncated(expectedByteCount: UInt64(PMTilesHeader.byteCount), byteCount: fileByteCount)
        }
        let header = try PMTilesHeader(bytes, fileByteCount: fileByteCount)
        // The header has checked that the root directory lies within the first part.
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

    /// Returns the zooms in the header. The highest zoom may be wrong, so it is corrected by the last entry of the root directory. An entry
    /// that leads to a leaf directory can raise the highest zoom, but not lower it.
    private static func zoomRange(_ header: PMTilesHeader, _ root: PMTilesDirectory) -> ClosedRange<Int> {
        let stated = header.zoomRange
        guard let entry = root.entries.last else { return stated }
        let last = TileID.zoom(ofHilbertNumber: entry.first + UInt64(max(1, entry.run)) - 1)
        return stated.lowerBound...max(stated.lowerBound, entry.run == 0 ? max(stated.upperBound, last) : last)
    }

    /// Reads the metadata. Invalid metadata is ignored, since the tiles can be drawn without it.
    package mutating func read(metadata stored: [UInt8]) {
        guard let json = try? TileBlob.plain(stored, limit: TileMetadata.maximumByteCount) else { return }
        details = TileSourceDetails(header: header, metadata: TileMetadata(json: json), zoomRange: zoomRange)
    }

    /// Returns the next step in the search for a tile.
    ///
    /// - Parameter directory: the leaf directory to which the last step led; nil for the first step.
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

    /// Reads a leaf directory from its bytes.
    package func directory(_ stored: [UInt8]) throws(TileReaderError) -> PMTilesDirectory {
        try Self.directory(stored, header.internalCompression)
    }

    private static func directory(
        _ stored: [UInt8], _ compression: PMTilesHeader.Compression
    ) throws(TileReaderError) -> PMTilesDirectory {
        // An uncompressed directory may begin like gzip data, so the first bytes decide only if the header does not state the compression.
        let isCompressed = compression == .gzip || compression == .unknown && TileBlob.isCompressed(stored)
        let limit = PMTilesDirectory.maximumByteCount
        guard stored.count <= limit, let plain = isCompressed ? try? TileBlob.inflate(stored, limit: limit) : stored,
            let directory = try? PMTilesDirectory(plain)
        else { throw .directory }
        return directory
    }
}
