import Files
import VectorTiles

/// An open archive of tiles in any format: addresses in, stored bytes out.
protocol TileReader: Sendable {
    /// The archive's own details.
    var details: TileSourceDetails { get }
    /// The JSON of the archive's metadata as it stands there, not checked; empty where there is none that is read.
    var metadata: [UInt8] { get }
    /// Beyond this zoom the archive has some of the tiles only, as where a tool gave up.
    var lastWholeZoom: Int { get }
    /// The bytes stored for a tile, compressed or not; nil without the tile. At most ``TileBlob/maximumByteCount``.
    func blob(for id: TileID) async throws(TileReaderError) -> [UInt8]?
}

extension TileReader {
    var metadata: [UInt8] { [] }
    var lastWholeZoom: Int { details.zoomRange.upperBound }
}

/// Why an archive has no bytes for a tile that it should have.
package enum TileReaderError: Error, Hashable {
    /// The tile is larger than ``TileBlob/maximumByteCount``.
    case tooLarge
    /// The file ends before the tile.
    case ended
    /// The directory that leads to the tile is damaged.
    case directory
    /// The database or the system says no; why.
    case other(String)

    init(_ problem: TileFile.Problem) {
        switch problem {
        case .ended: self = .ended
        case .system(let error): self = .other(error.words)
        }
    }

    package var words: String {
        switch self {
        case .tooLarge: "it is too large"
        case .ended: "the file has become shorter"
        case .directory: "the directory that leads to it is damaged"
        case .other(let reason): PlainText.line(reason)
        }
    }
}

extension TileBlob.Problem {
    package var words: String {
        switch self {
        case .tooLarge: "it is too large"
        case .truncated: "its compressed data end too early"
        case .damaged: "its compressed data are damaged"
        case .outOfMemory: "there is no memory to decompress it"
        }
    }
}
