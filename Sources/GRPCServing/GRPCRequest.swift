import GRPCCore
import NIOCore

/// Puts the one message of a call together, as its parts come.
struct GRPCRequest {
    /// A message with more is refused, bytes.
    let limit: Int
    /// As the call's header names it.
    let encoding: GRPCEncoding
    private var received = ByteBuffer()

    /// - Parameter limit: of a message, also after decompression, bytes.
    init(limit: Int, encoding: GRPCEncoding = .identity) {
        self.limit = limit
        self.encoding = encoding
    }

    /// Memory that the parts take until the rest comes, bytes. A buffer that grows doubles, so this can be twice the parts.
    var heldBytes: Int { received.capacity }

    /// Takes the next part.
    ///
    /// - Throws: RESOURCE_EXHAUSTED as soon as it is clear that the message is too large, UNIMPLEMENTED for more than one message, INTERNAL
    ///   for one that claims to be compressed when the header names no compression.
    mutating func append(_ part: ByteBuffer) throws(RPCError) {
        if received.readableBytes == 0 {
            received = part
        } else {
            received.writeImmutableBuffer(part)
        }
        guard let (flag, length) = prefix else { return }
        guard flag == 0 || flag == 1 && encoding == .gzip else {
            throw RPCError(code: .internalError, message: "the Compressed-Flag is \(flag), and grpc-encoding is \(encoding)")
        }
        guard length <= limit else { throw tooLarge(length) }
        guard received.readableBytes <= ByteBuffer.grpcPrefixBytes + length else { throw Self.unimplemented("a call has one message") }
    }

    /// The message, once nothing more comes.
    /// - Throws: UNIMPLEMENTED without one, INTERNAL for one that is cut off or is not compressed as its flag says, RESOURCE_EXHAUSTED for one
    ///   that announces too large a size after decompression.
    func message() throws(RPCError) -> GRPCMessage {
        guard received.readableBytes > 0 else { throw Self.unimplemented("a call has a message") }
        guard let (flag, length) = prefix, received.readableBytes == ByteBuffer.grpcPrefixBytes + length else {
            throw RPCError(code: .internalError, message: "the message ends before it should")
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
        RPCError(code: .resourceExhausted, message: "a request has at most \(limit) bytes, this one \(count)")
    }

    private static func unimplemented(_ message: String) -> RPCError { RPCError(code: .unimplemented, message: message) }
}
