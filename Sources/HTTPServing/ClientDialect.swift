import NIOCore
import NIOHTTP1

/// Adapts answers to a client. A client that is waiting to send its body gets 100 Continue. A client of HTTP/1.0 gets answers in that
/// version, without chunks, and its connection is closed after the answer.
final class ClientDialect: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    /// One element for each unanswered request, oldest first: whether the request is HTTP/1.0.
    private var unanswered = CircularBuffer<Bool>()
    private var answersOldClient: Bool { unanswered.first ?? false }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if case .head(let head) = unwrapInboundIn(data) {
            let isOld = head.version.major == 1 && head.version.minor == 0
            let waits = head.headers[canonicalForm: "expect"].contains { $0.lowercased() == "100-continue" }
            // While an earlier request is unanswered, the client would mistake 100 Continue for the answer to that request.
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
