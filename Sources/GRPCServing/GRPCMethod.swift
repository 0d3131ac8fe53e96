package import NIOCore

/// The implementation of a method. It takes an encoded, decompressed request, and returns encoded, uncompressed answers with gRPC's prefix.
/// The server then compresses answers of unary calls.
package struct GRPCMethod: Sendable {
    package typealias Admission = @Sendable (GRPCCallHead) async throws -> Void
    package typealias Answer = @Sendable (GRPCCallHead, ByteBuffer) async throws -> ByteBuffer
    package typealias Telling = @Sendable (ByteBuffer, @escaping @Sendable (ByteBuffer) -> Void) async throws -> Void

    package enum Work: Sendable {
        case unary(Answer)
        case serverStreaming(Telling)
    }

    package let work: Work
    /// Checks the header of a call before its message arrives; nil admits every call. If it throws, the call ends with that error.
    private(set) var admission: Admission?
    /// Maximum size of a message, bytes, if that is less than the server's limit.
    private(set) var messageBytes = Int.max

    private init(_ work: Work) { self.work = work }

    /// A method with one request and one answer.
    package static func unary(_ answer: @escaping Answer) -> GRPCMethod { GRPCMethod(.unary(answer)) }

    /// A method with one request and a stream of answers, which ends when the work returns.
    package static func serverStreaming(_ tell: @escaping Telling) -> GRPCMethod { GRPCMethod(.serverStreaming(tell)) }

    /// The same method with an admission, which checks the header before the message arrives.
    package func admitting(_ admission: @escaping Admission) -> GRPCMethod {
        var method = self
        method.admission = admission
        return method
    }

    /// The same method with another limit for a message, bytes.
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

    /// Creates a message in gRPC's framing, not compressed. Source: https://github.com/grpc/grpc/blob/master/doc/PROTOCOL-HTTP2.md
    package init(grpcMessage bytes: [UInt8]) {
        self.init()
        reserveCapacity(Self.grpcPrefixBytes + bytes.count)
        writeInteger(UInt8(0))
        writeInteger(UInt32(clamping: bytes.count))
        writeBytes(bytes)
    }
}
