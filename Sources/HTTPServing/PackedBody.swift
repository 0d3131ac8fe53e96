import CZlib
package import Hummingbird
package import NIOCore

extension Request {
    /// Returns the whole body, decompressed if it is compressed.
    ///
    /// - Parameter limit: the maximum size both before and after decompression, in bytes.
    /// - Throws: `NIOTooManyBytesError` above the limit, `UnreadableBody` for damaged data or an unsupported encoding.
    package func wholeBody(upTo limit: Int) async throws -> ByteBuffer {
        try await self.body.collect(upTo: limit).unpacked(headers[.contentEncoding], upTo: limit)
    }
}

extension ByteBuffer {
    /// Returns this body, decompressed if it is compressed.
    ///
    /// - Parameters:
    ///   - encoding: the body's `Content-Encoding`; nil if the request has none.
    ///   - limit: the maximum size after decompression, in bytes. The size of an uncompressed body is not checked.
    /// - Throws: `NIOTooManyBytesError` above the limit, `UnreadableBody` for damaged data or an unsupported encoding.
    package func unpacked(_ encoding: String?, upTo limit: Int) throws -> ByteBuffer {
        switch encoding?.lowercased() {
        case nil, "", "identity": return self
        case "gzip", "x-gzip", "deflate": return try inflated(upTo: limit)
        default: throw UnreadableBody.encoding
        }
    }

    private func inflated(upTo limit: Int) throws -> ByteBuffer {
        var plain = ByteBuffer()
        var result = CZLIB_BROKEN
        plain.writeWithUnsafeMutableBytes(minimumWritableBytes: limit) { output in
            var written = 0
            result = withUnsafeReadableBytes { input in
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
