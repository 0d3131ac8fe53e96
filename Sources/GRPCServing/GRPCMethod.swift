package import NIOCore

/// What is done with calls of one method. Messages are in their encoded form, requests decompressed; answers with what gRPC puts before
/// each, not compressed. The server compresses answers of unary calls.
package enum GRPCMethod: Sendable {
    /// One message is asked, and one answered.
    case unary(@Sendable (GRPCCallHead, ByteBuffer) async throws -> ByteBuffer)
    /// One message is asked, and one after another is told until the work is over.
    case serverStreaming(@Sendable (ByteBuffer, @escaping @Sendable (ByteBuffer) -> Void) async throws -> Void)
}

extension ByteBuffer {
    /// What stands before each message: whether it is compressed, in one byte, and its length in four.
    static let grpcPrefixBytes = 5

    /// A message as gRPC sends it, not compressed. Source: https://github.com/grpc/grpc/blob/master/doc/PROTOCOL-HTTP2.md
    package init(grpcMessage bytes: [UInt8]) {
        self.init()
        reserveCapacity(Self.grpcPrefixBytes + bytes.count)
        writeInteger(UInt8(0))
        writeInteger(UInt32(clamping: bytes.count))
        writeBytes(bytes)
    }
}
