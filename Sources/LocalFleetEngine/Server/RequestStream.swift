import NIOCore
import NIOHPACK
import NIOHTTP2

/// The stream of one call, watched until its request is complete.
///
/// The library waits for a request for as long as its connection lives, and for the message of a call that has ended with its header for ever.
final class RequestStream: ChannelInboundHandler {
    typealias InboundIn = HTTP2Frame.FramePayload
    typealias InboundOut = HTTP2Frame.FramePayload
    typealias OutboundOut = HTTP2Frame.FramePayload

    /// When the call began.
    let start = NIODeadline.now()
    private let connection: IdleConnections
    private var context: ChannelHandlerContext?

    init(connection: IdleConnections) { self.connection = connection }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        connection.began(self)
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
        connection.ended(self)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .headers(var headers) where headers.endStream:
            connection.received(self)
            headers.endStream = false
            context.fireChannelRead(wrapInboundOut(.headers(headers)))
            context.fireChannelRead(wrapInboundOut(.data(.init(data: .byteBuffer(ByteBuffer()), endStream: true))))
        case .data(let part):
            if part.endStream { connection.received(self) }
            context.fireChannelRead(data)
        default: context.fireChannelRead(data)
        }
    }

    /// Answers a call whose request has not come in time, and ends it.
    func giveUp() {
        guard let context else { return }
        let headers: HPACKHeaders = [
            ":status": "200", "content-type": "application/grpc", "grpc-status": "4",
            "grpc-message": "the request has not come in time",
        ]
        context.writeAndFlush(wrapOutboundOut(.headers(.init(headers: headers, endStream: true))), promise: nil)
        context.close(promise: nil)
    }
}
