package import NIOCore

/// The implementation of a method. It takes and returns encoded messages without compression. Its answers have gRPC's prefix. The server
/// compresses large answers of unary calls if the client accepts gzip.
package struct GRPCMethod: Sendable {
    package typealias Admission = @Sendable (GRPCCallHead) async throws -> Void
    package typealias Answer = @Sendable (GRPCCallHead, ByteBuffer) async throws -> ByteBuffer
    package typealias Telling = @Sendable (ByteBuffer, @escaping @Sendable (ByteBuffer) -> Void) async throws -> Void

    package enum Work: Sendable {
        case unary(Answer)
        case serverStreaming(Telling)
    }

    package let work: Work
    /// Checks the header of a call before its message has arrived. The check runs only if the whole message is not in the same read as the
    /// header; otherwise the method itself must check the header. If the check throws, the call ends with that error. If `admission` is
    /// nil, no header is checked before the message has arrived.
    private(set) var admission: Admission?
    /// Maximum size of a message of this method, in bytes. The server's limit applies if it is lower.
    private(set) var messageBytes = Int.max

    private init(_ work: Work) { self.work = work }

    /// Creates a method with one request and one answer.
    package static func unary(_ answer: @escaping Answer) -> GRPCMethod { GRPCMethod(.unary(answer)) }

    /// Creates a method with one request and a stream of answers. The stream ends when `tell` returns.
    package static func serverStreaming(_ tell: @escaping Telling) -> GRPCMethod { GRPCMethod(.serverStreaming(tell)) }

    /// Returns the same method with a check of the header. The check runs only if the message has not arrived in the same read as the
    /// header. Otherwise, the method itself must check the header.
    package func admitting(_ admission: @escaping Admission) -> GRPCMethod {
        var method = self
        method.admission = admission
        return method
    }

    /// Returns the same method with a different limit on the size of a message, in bytes.
    package func taking(messageBytes: Int) -> GRPCMethod {
        var method = self
        method.messageBytes = messageBytes
        return method
    }

    var isStreaming: Bool { if case .serverStreaming = work { true } else { false } }
}

extension ByteBuffer {
    /// Size of the prefix of each message, bytes: one for the compression flag, four for the length.
    static let grpcPrefixBytes = 5

    /// Creates a message with gRPC's prefix, not compressed. Source: https://github.com/grpc/grpc/blob/master/doc/PROTOCOL-HTTP2.md
    package init(grpcMessage bytes: [UInt8]) {
        self.init()
        reserveCapacity(Self.grpcPrefixBytes + bytes.count)
        writeInteger(UInt8(0))
        writeInteger(UInt32(clamping: bytes.count))
        writeBytes(bytes)
    }
}
