import NIOCore

/// Closes a connection that has received more bytes than allowed.
///
/// NIO's HTTP/2 parser keeps all bytes of a connection if every read ends inside a frame. A hostile server could fill the memory with frames
/// that belong to no answer. The limits of single answers do not count these frames.
final class ReceivedBytesLimit: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    /// The number of bytes that may still arrive; negative once the connection is being closed.
    private var left: Int

    init(byteCount: Int) { left = byteCount }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard left >= 0 else { return }
        left -= unwrapInboundIn(data).readableBytes
        guard left >= 0 else { return context.close(promise: nil) }
        context.fireChannelRead(data)
    }
}
