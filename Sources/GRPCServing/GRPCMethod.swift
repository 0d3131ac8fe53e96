package import NIOCore

/// What is done with calls of one method. Messages are in their encoded form, requests decompressed; answers with what gRPC puts before
/// each, not compressed. The server compresses answers of unary calls.
package struct GRPCMethod: Sendable {
    package typealias Admission = @Sendable (GRPCCallHead) async throws -> Void
    package typealias Answer = @Sendable (GRPCCallHead, ByteBuffer) async throws -> ByteBuffer
    package typealias Telling = @Sendable (ByteBuffer, @escaping @Sendable (ByteBuffer) -> Void) async throws -> Void

    package enum Work: Sendable {
        case unary(Answer)
        case serverStreaming(Telling)
    }

    package let work: Work
    /// Looks at the header of a call whose message is not there yet; what it throws ends the call. Nil lets every call through.
    private(set) var admission: Admission?
    /// A message has at most as many bytes, where that is less than what the server takes.
    private(set) var messageBytes = Int.max

    private init(_ work: Work) { self.work = work }

    /// One message is asked, and one answered.
    package static func unary(_ answer: @escaping Answer) -> GRPCMethod { GRPCMethod(.unary(answer)) }

    /// One message is asked, and one after another is told until the work is over.
    package static func serverStreaming(_ tell: @escaping Telling) -> GRPCMethod { GRPCMethod(.serverStreaming(tell)) }

    /// The same for callers whose header is admitted before their message comes.
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
