import GRPCCore
package import NIOCore

/// A complete message as it was received.
package struct GRPCMessage: Sendable {
    let bytes: ByteBuffer
    /// The size after decompression, as stated at the end of the gzip data; nil for an uncompressed message.
    let unpackedCount: Int?

    /// - Throws: RESOURCE_EXHAUSTED if the data is larger than stated, or if memory is short; INTERNAL if the data is smaller or damaged;
    ///   or `CancellationError`.
    package func unpacked() throws -> ByteBuffer {
        guard let unpackedCount else { return bytes }
        try Task.checkCancellation()
        return try Gzip.unpack(bytes, count: unpackedCount)
    }
}

extension ByteBuffer {
    /// Size above which a message is compressed if the client accepts compression, in bytes.
    static let grpcPlainBytes = 1_024

    /// Returns this message with its prefix, compressed if it is large and compression makes it smaller.
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

    /// Whether the prefix says that the message is compressed.
    var isGRPCCompressed: Bool { getInteger(at: readerIndex, as: UInt8.self) == 1 }
}
