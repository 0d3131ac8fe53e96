import GRPCCore
import NIOCore

/// Puts the one message of a call together, as its parts come.
struct GRPCRequest {
    /// A message with more is refused, bytes.
    let limit: Int
    private var received = ByteBuffer()

    init(limit: Int) { self.limit = limit }

    /// Bytes that wait for the rest.
    var count: Int { received.readableBytes }

    /// Takes the next part.
    ///
    /// - Throws: RESOURCE_EXHAUSTED as soon as it is clear that the message is too large, UNIMPLEMENTED for what is compressed or more than
    ///   one message.
    mutating func take(_ part: ByteBuffer) throws(RPCError) {
        if received.readableBytes == 0 {
            received = part
        } else {
            received.writeImmutableBuffer(part)
        }
        guard let (isCompressed, length) = prefix else { return }
        guard !isCompressed else { throw Self.unimplemented("compressed messages are not taken") }
        guard length <= limit else {
            throw RPCError(
                code: .resourceExhausted, message: "a request has at most \(limit) bytes, this one \(length)")
        }
        guard received.readableBytes <= ByteBuffer.grpcPrefixBytes + length else { throw Self.unimplemented("a call has one message") }
    }

    /// The message, once nothing more comes.
    /// - Throws: UNIMPLEMENTED without one, INVALID_ARGUMENT for one that is cut off.
    func message() throws(RPCError) -> ByteBuffer {
        guard received.readableBytes > 0 else { throw Self.unimplemented("a call has a message") }
        guard let (_, length) = prefix, received.readableBytes == ByteBuffer.grpcPrefixBytes + length else {
            throw RPCError(code: .invalidArgument, message: "the message ends before it should")
        }
        return received.getSlice(at: received.readerIndex + ByteBuffer.grpcPrefixBytes, length: length) ?? ByteBuffer()
    }

    private var prefix: (isCompressed: Bool, length: Int)? {
        guard let flag = received.getInteger(at: received.readerIndex, as: UInt8.self),
            let length = received.getInteger(at: received.readerIndex + 1, as: UInt32.self)
        else { return nil }
        return (flag != 0, Int(length))
    }

    private static func unimplemented(_ message: String) -> RPCError { RPCError(code: .unimplemented, message: message) }
}
