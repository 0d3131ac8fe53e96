import FleetEngine
import NIOHTTP1
import TileSources
import VectorTiles

// Converts answers into outcomes.
extension TileFetcher {
    /// Returns the outcome for a stored answer; nil if the answer cannot be unpacked.
    static func outcome(_ kept: TileStore.Entry, part: Part?) -> Outcome? {
        guard let body = kept.body else { return Outcome.none }
        guard let bytes = part == nil ? try? TileBlob.plain(body) : body else { return nil }
        return .piece(Piece(bytes: bytes, etag: kept.etag, fileByteCount: kept.fileByteCount))
    }

    static func outcome(_ answer: WebAnswer, part: Part?, kept: TileStore.Entry?) throws -> Outcome {
        if answer.status == 304 {
            guard let kept, let outcome = outcome(kept, part: part) else {
                throw WebFailure(.notATileServer, "it answered with HTTP 304, which has no content")
            }
            return outcome
        }
        // Status 204 means that the tile exists, but is empty. For status 404 or 410, this address has no content.
        guard [200, 204, 206].contains(answer.status) else { return .none }
        var bytes = answer.body
        var total: UInt64?
        if let range = part?.range {
            if let encoding = answer.headers.first(name: "content-encoding")?.lowercased(), encoding != "identity" {
                throw WebFailure(.noRanges, "it compresses the file, so the file cannot be read in parts")
            }
            guard let part = ContentRange(answer.headers.first(name: "content-range") ?? ""), part.first == range.lowerBound,
                part.count == UInt64(bytes.count), bytes.count <= range.count
            else { throw WebFailure(.noRanges, "it does not return the requested part of the file") }
            total = part.total
        } else if let encoding = answer.headers.first(name: "content-encoding")?.lowercased() {
            // The request asked for gzip, but some caches return the compressed version that they stored for browsers.
            if let name = ["br": "Brotli", "zstd": "Zstandard"][encoding] {
                throw WebFailure(.notATileServer, "its answer is compressed with \(name), which is not supported")
            }
            do {
                bytes = try TileBlob.plain(bytes)
            } catch {
                throw WebFailure(.notATileServer, "its answer cannot be unpacked: \(error.words)")
            }
        }
        guard part != nil || !isPage(bytes) else { throw WebFailure(.notATileServer, "it answered with a web page") }
        return .piece(Piece(bytes: bytes, etag: answer.headers.first(name: "etag"), fileByteCount: total))
    }
}

extension WebFailure {
    /// Whether the failure may concern only this tile, and not the whole server.
    var mayBeOneTile: Bool {
        switch kind {
        case .failed: true
        case .busy(503): askedSeconds == nil
        case .offline, .certificate, .refused, .busy, .noRanges, .notATileServer: false
        }
    }
}

extension TileFetcher {
    /// Whether bytes are HTML or XML, which begin with `<`, unlike tiles and JSON. The media type is not checked, because servers often
    /// send a wrong one.
    private static func isPage(_ bytes: [UInt8]) -> Bool {
        let text = bytes.starts(with: [0xef, 0xbb, 0xbf]) ? bytes.dropFirst(3) : bytes[...]
        return text.first { ![0x09, 0x0a, 0x0d, 0x20].contains($0) } == UInt8(ascii: "<")
    }
}
