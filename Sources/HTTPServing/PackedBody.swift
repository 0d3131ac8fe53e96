import CZlib
package import Hummingbird
package import NIOCore

extension Request {
    /// Returns the whole body, decompressed if it is compressed.
    ///
    /// - Parameter limit: the maximum size both before and after decompression, in bytes.
    /// - Throws: `NIOTooManyBytesError` above the limit, `UnreadableBody` for damaged data.
    package func wholeBody(upTo limit: Int) async throws -> ByteBuffer {
        let body = try await self.body.collect(upTo: limit)
        switch headers[.contentEncoding]?.lowercased() {
        case nil, "", "identity": return body
        case "gzip", "x-gzip", "deflate": return try Self.unpacked(body, upTo: limit)
        default: throw UnreadableBody.encoding
        }
    }

    private static func unpacked(_ packed: ByteBuffer, upTo limit: Int) throws -> ByteBuffer {
        var plain = ByteBuffer()
        var result = CZLIB_BROKEN
        plain.writeWithUnsafeMutableBytes(minimumWritableBytes: limit) { output in
            var written = 0
            result = packed.withUnsafeReadableBytes { input in
                czlib_inflate(
                    input.baseAddress?.assumingMemoryBound(to: UInt8.self), input.count,
                    output.baseAddress?.assumingMemoryBound(to: UInt8.self), limit, &written)
            }
            return written
        }
        switch result {
        case CZLIB_DONE: return plain
        case CZLIB_FULL: throw NIOTooManyBytesError(maxBytes: limit)
        default: throw UnreadableBody.damaged
        }
    }
}

/// The reason why a compressed body cannot be read.
package enum UnreadableBody: Error {
    case encoding, damaged

    package var status: HTTPResponse.Status { self == .encoding ? .unsupportedMediaType : .badRequest }

    package var message: String {
        switch self {
        case .encoding: "the content-encoding of the body is not supported: use gzip or deflate, or send the body uncompressed"
        case .damaged: "the body cannot be decompressed: it does not match its content-encoding"
        }
    }
}
