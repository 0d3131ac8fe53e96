import NIOCore
import NIOHTTP1

/// Speaks with clients as they want it: tells a client that waits for it to send the body, and answers one of HTTP/1.0 in its own version,
/// which has no chunks, and with the end of the connection.
final class ClientDialect: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    /// Of the requests that have no answer yet, oldest first: whether they are of HTTP/1.0.
    private var unanswered = CircularBuffer<Bool>()
    private var answersOldClient: Bool { unanswered.first ?? false }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if case .head(let head) = unwrapInboundIn(data) {
            let isOld = head.version.major == 1 && head.version.minor == 0
            let waits = head.headers[canonicalForm: "expect"].contains { $0.lowercased() == "100-continue" }
            // In front of the answer to another request it would be taken for that one's.
            if waits, !isOld, unanswered.isEmpty {
                let go = HTTPResponseHead(version: .http1_1, status: .continue)
                context.writeAndFlush(wrapOutboundOut(.head(go)), promise: nil)
            }
            unanswered.append(isOld)
        }
        context.fireChannelRead(data)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        switch unwrapOutboundIn(data) {
        case .head(var head) where answersOldClient:
            head.version = .http1_0
            head.headers.replaceOrAdd(name: "connection", value: "close")
            context.write(wrapOutboundOut(.head(head)), promise: promise)
        case .end where answersOldClient:
            let sent = promise ?? context.eventLoop.makePromise()
            let channel = context.channel
            sent.futureResult.whenComplete { _ in channel.close(mode: .output, promise: nil) }
            unanswered.removeAll()
            context.write(data, promise: sent)
        case .end:
            if !unanswered.isEmpty { unanswered.removeFirst() }
            context.write(data, promise: promise)
        default: context.write(data, promise: promise)
        }
    }
}
