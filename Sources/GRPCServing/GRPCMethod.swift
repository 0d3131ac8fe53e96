package import NIOCore

/// The implementation of a method. Messages are encoded; requests are decompressed, and answers carry gRPC's prefix and are not compressed.
/// The server compresses answers of unary calls.
package struct GRPCMethod: Sendable {
    package typealias Admission = @Sendable (GRPCCallHead) async throws -> Void
    package typealias Answer = @Sendable (GRPCCallHead, ByteBuffer) async throws -> ByteBuffer
    package typealias Telling = @Sendable (ByteBuffer, @escaping @Sendable (ByteBuffer) -> Void) async throws -> Void

    package enum Work: Sendable {
        case unary(Answer)
        case serverStreaming(Telling)
    }

    package let work: Work
    /// Judges the header of a call before its message arrives. An error ends the call. Nil admits every call.
    private(set) var admission: Admission?
    /// The most bytes of a message, if that is less than the server's limit.
    private(set) var messageBytes = Int.max

    private init(_ work: Work) { self.work = work }

    /// A method with one request and one answer.
    package static func unary(_ answer: @escaping Answer) -> GRPCMethod { GRPCMethod(.unary(answer)) }

    /// A method with one request and a stream of answers until the work is over.
    package static func serverStreaming(_ tell: @escaping Telling) -> GRPCMethod { GRPCMethod(.serverStreaming(tell)) }

    /// The same method with an admission, which judges the header before the message arrives.
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
    /// The bytes before each message: one for the compression flag, four for the length.
    static let grpcPrefixBytes = 5

    /// A message in gRPC's framing, not compressed. Source: https://github.com/grpc/grpc/blob/master/doc/PROTOCOL-HTTP2.md
    package init(grpcMessage bytes: [UInt8]) {
        self.init()
        reserveCapacity(Self.grpcPrefixBytes + bytes.count)
        writeInteger(UInt8(0))
        writeInteger(UInt32(clamping: bytes.count))
        writeBytes(bytes)
    }
}
