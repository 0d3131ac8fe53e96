import Geo
import VectorTiles

/// The first 127 bytes of a PMTiles archive, version 3 (https://github.com/protomaps/PMTiles/blob/main/spec/v3/spec.md, chapter 3). The
/// fields are checked against each other and against the size of the file.
struct PMTilesHeader: Equatable {
    static let byteCount = 127
    /// Size of the first part of a file, which contains the header and the root directory.
    static let firstPartByteCount: UInt64 = 16_384
    static let magic = Array("PMTiles".utf8)

    /// A part of the file, checked to lie entirely inside the file.
    struct Section: Equatable {
        let offset: UInt64
        let length: UInt64

        init(offset: UInt64, length: UInt64, fileByteCount: UInt64) throws(BaseMapFileError.Problem) {
            let (end, overflow) = offset.addingReportingOverflow(length)
            guard !overflow else { throw .damaged("header") }
            guard end <= fileByteCount else { throw .truncated(expectedByteCount: end, byteCount: fileByteCount) }
            (self.offset, self.length) = (offset, length)
        }

        /// Converts the offset of a piece in the section to its offset in the file. Returns nil if the piece is not entirely inside the
        /// section.
        func offset(ofPiece piece: UInt64, length pieceLength: UInt64) -> UInt64? {
            let (end, overflow) = piece.addingReportingOverflow(pieceLength)
            return overflow || end > length ? nil : offset + piece
        }
    }

    /// The compression of directories and metadata.
    enum Compression: UInt8 {
        case unknown = 0
        case none = 1
        case gzip = 2
        case brotli = 3
        case zstandard = 4
    }

    let root: Section
    let metadata: Section
    let leaves: Section
    let tiles: Section
    let internalCompression: Compression
    let zoomRange: ClosedRange<Int>
    /// The bounds; nil if an edge is out of range.
    let bounds: BoundingBox?
    let center: Coordinate?
    let centerZoom: Int

    /// Reads the header of a file of `fileByteCount` bytes.
    init(_ bytes: [UInt8], fileByteCount: UInt64) throws(BaseMapFileError.Problem) {
        guard bytes.count >= Self.byteCount, bytes.starts(with: Self.magic) else { throw .damaged("header") }
        guard bytes[7] == 3 else { throw .version(Int(bytes[7])) }
        func number(_ offset: Int) -> UInt64 { bytes[offset..<offset + 8].reversed().reduce(0) { $0 << 8 | UInt64($1) } }
        func section(_ offset: Int) throws(BaseMapFileError.Problem) -> Section {
            try Section(offset: number(offset), length: number(offset + 8), fileByteCount: fileByteCount)
        }
        root = try section(8)
        guard root.length > 0, root.offset >= UInt64(Self.byteCount), root.offset + root.length <= Self.firstPartByteCount else {
            throw .damaged("header")
        }
        metadata = try section(24)
        leaves = try section(40)
        tiles = try section(56)
        internalCompression = try Self.compression(bytes[97])
        _ = try Self.compression(bytes[98])
        try Self.checkContents(bytes[99])
        guard bytes[100] <= bytes[101], Int(bytes[101]) <= TileID.zoomRange.upperBound else { throw .damaged("header") }
        zoomRange = Int(bytes[100])...Int(bytes[101])
        func degrees(_ offset: Int) -> Double {
            Double(Int32(bitPattern: bytes[offset..<offset + 4].reversed().reduce(0) { $0 << 8 | UInt32($1) })) / 1e7
        }
        bounds = TileSourceDetails.bounds(west: degrees(102), south: degrees(106), east: degrees(110), north: degrees(114))
        centerZoom = Int(bytes[118])
        let center = Coordinate(latitude: degrees(123), longitude: degrees(119))
        self.center = center.isValid ? center : nil
    }

    private static func compression(_ code: UInt8) throws(BaseMapFileError.Problem) -> Compression {
        switch Compression(rawValue: code) {
        case .brotli: throw .compression("Brotli")
        case .zstandard: throw .compression("Zstandard")
        case .some(let known): return known
        case nil: throw .damaged("header")
        }
    }

    /// Accepts vector tiles and tiles of an unspecified kind.
    private static func checkContents(_ code: UInt8) throws(BaseMapFileError.Problem) {
        switch code {
        case 0, 1: return
        case 2: throw .contents("pictures (PNG)")
        case 3: throw .contents("pictures (JPEG)")
        case 4: throw .contents("pictures (WebP)")
        case 5: throw .contents("pictures (AVIF)")
        case 6: throw .contents("MapLibre tiles (MLT)")
        default: throw .damaged("header")
        }
    }
}
