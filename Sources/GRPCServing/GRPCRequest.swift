package import GRPCCore
package import NIOCore

/// Assembles the message of a call from the parts in which it arrives.
package struct GRPCRequest {
    /// Maximum size of a message, in bytes.
    let limit: Int
    /// The encoding in the call's header.
    let encoding: GRPCEncoding
    private var received = ByteBuffer()

    /// - Parameter limit: maximum size of the message, in bytes. It also applies after decompression.
    package init(limit: Int, encoding: GRPCEncoding = .identity) {
        self.limit = limit
        self.encoding = encoding
    }

    /// Memory of the parts received so far, in bytes. A buffer doubles when it grows, so this can be twice the size of the parts.
    var heldBytes: Int { received.capacity }

    /// Adds the next part.
    ///
    /// - Throws: RESOURCE_EXHAUSTED as soon as the message is known to be too large; UNIMPLEMENTED for a second message. INTERNAL for an
    ///   unknown compression flag, and for a compressed message if the header does not name gzip.
    package mutating func append(_ part: ByteBuffer) throws(RPCError) {
        if received.readableBytes == 0 {
            received = part
        } else {
            received.writeImmutableBuffer(part)
        }
        guard let (flag, length) = prefix else { return }
        guard flag == 0 || flag == 1 && encoding == .gzip else {
            throw RPCError(code: .internalError, message: "the Compressed-Flag is \(flag), but grpc-encoding is \(encoding)")
        }
        guard length <= limit else { throw tooLarge(length) }
        guard received.readableBytes <= ByteBuffer.grpcPrefixBytes + length else {
            throw Self.unimplemented("the call has more than one message")
        }
    }

    /// Returns the message once its last part has been added.
    /// - Throws: UNIMPLEMENTED without a message, INTERNAL for a truncated or damaged message, RESOURCE_EXHAUSTED if its stated size after
    ///   decompression is too large.
    package func message() throws(RPCError) -> GRPCMessage {
        guard received.readableBytes > 0 else { throw Self.unimplemented("the call has no message") }
        guard let (flag, length) = prefix, received.readableBytes == ByteBuffer.grpcPrefixBytes + length else {
            throw RPCError(code: .internalError, message: "the message is cut off")
        }
        let bytes = received.getSlice(at: received.readerIndex + ByteBuffer.grpcPrefixBytes, length: length) ?? ByteBuffer()
        guard flag == 1 else { return GRPCMessage(bytes: bytes, unpackedCount: nil) }
        guard let count = Gzip.unpackedCount(bytes) else { throw Gzip.damaged }
        guard count <= limit else { throw tooLarge(count) }
        return GRPCMessage(bytes: bytes, unpackedCount: count)
    }

    private var prefix: (flag: UInt8, length: Int)? {
        guard let flag = received.getInteger(at: received.readerIndex, as: UInt8.self),
            let length = received.getInteger(at: received.readerIndex + 1, as: UInt32.self)
        else { return nil }
        return (flag, Int(length))
    }

    private func tooLarge(_ count: Int) -> RPCError {
        RPCError(code: .resourceExhausted, message: "the request has \(count) bytes; the limit is \(limit)")
    }

    private static func unimplemented(_ message: String) -> RPCError { RPCError(code: .unimplemented, message: message) }
}
