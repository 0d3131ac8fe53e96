import Files
import VectorTiles

/// An open archive of tiles in any format, which returns the stored bytes for an address.
protocol TileReader: Sendable {
    /// The name, attribution, zooms, bounds and initial view of the archive.
    var details: TileSourceDetails { get }
    /// The archive's metadata as unchecked JSON; empty if there is no JSON.
    var metadata: [UInt8] { get }
    /// Highest zoom at which all tiles exist. At higher zooms only some exist, for instance because a tool stopped early.
    var lastWholeZoom: Int { get }
    /// Returns the stored bytes of a tile, compressed or not; nil if there is no such tile. At most ``TileBlob/maximumByteCount`` bytes.
    func blob(for id: TileID) async throws(TileReaderError) -> [UInt8]?
}

extension TileReader {
    var metadata: [UInt8] { [] }
    var lastWholeZoom: Int { details.zoomRange.upperBound }
}

/// The reason why an archive cannot return a tile that it should have.
package enum TileReaderError: Error, Hashable {
    /// The tile is larger than ``TileBlob/maximumByteCount``.
    case tooLarge
    /// The file ends before the end of the tile.
    case ended
    /// The directory that leads to the tile is damaged.
    case directory
    /// The database or the system reported an error; the text is its message.
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
        case .directory: "the index that points to it is damaged"
        case .other(let reason): PlainText.line(reason)
        }
    }
}

extension TileBlob.Problem {
    package var words: String {
        switch self {
        case .tooLarge: "it is too large"
        case .truncated: "its compressed data ends too early"
        case .damaged: "its compressed data is damaged"
        case .outOfMemory: "there is not enough memory to decompress it"
        }
    }
}
