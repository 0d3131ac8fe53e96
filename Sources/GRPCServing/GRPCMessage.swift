import GRPCCore
import NIOCore

/// A whole message as it came.
struct GRPCMessage: Sendable {
    let bytes: ByteBuffer
    /// The size after decompression, as the end of the gzip data announces it; nil for a message that is not compressed.
    let unpackedCount: Int?

    /// The message itself.
    /// - Throws: RESOURCE_EXHAUSTED if more comes out than was announced, INTERNAL for damaged data, `CancellationError`.
    func unpacked() throws -> ByteBuffer {
        guard let unpackedCount else { return bytes }
        try Task.checkCancellation()
        return try Gzip.unpack(bytes, count: unpackedCount)
    }
}

extension ByteBuffer {
    /// Larger messages are compressed for clients that accept it, bytes.
    static let grpcPlainBytes = 1_024

    /// This message, with what stands before it, compressed if it is large and becomes smaller.
    func grpcCompressed() -> ByteBuffer {
        guard readableBytes > Self.grpcPrefixBytes + Self.grpcPlainBytes else { return self }
        var plain = self
        plain.moveReaderIndex(forwardBy: Self.grpcPrefixBytes)
        guard let packed = Gzip.pack(plain) else { return self }
        var message = ByteBuffer()
        message.reserveCapacity(Self.grpcPrefixBytes + packed.readableBytes)
        message.writeInteger(UInt8(1))
        message.writeInteger(UInt32(clamping: packed.readableBytes))
        message.writeImmutableBuffer(packed)
        return message
    }

    /// Whether what stands before this message says that it is compressed.
    var isGRPCCompressed: Bool { getInteger(at: readerIndex, as: UInt8.self) == 1 }
}
