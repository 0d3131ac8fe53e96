import NIOCore
import NIOHTTP1

/// Answers with 431 if the header of a request is too large, and with 400 if data is not HTTP. Then the handler closes the outgoing half of
/// the connection. Other errors are only passed on, and so is every error while an earlier request has no answer yet.
final class HeaderLimit: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    private static let complaint = #"{"message":"this is not an HTTP request; write a space in an address as %20","status":400}"#
    /// The body of a 431. It has the members of Google's errors and those of the provider API, because the request's path is not known and
    /// could belong to either API.
    private let tooLarge: String

    /// The number of requests that have no answer yet.
    private var unanswered = 0

    private init(limitBytes: Int) {
        let message = "the header of the request has more than \(limitBytes) bytes"
        let error = #"{"code":431,"message":"\#(message)","status":"RESOURCE_EXHAUSTED"}"#
        tooLarge = #"{"error":\#(error),"message":"\#(message)","status":431}"#
    }

    /// Adds this handler directly after the decoder of a channel.
    /// - Parameter limitBytes: the decoder's limit, for the text of the refusal.
    static func add(to channel: any Channel, limitBytes: Int) throws {
        let operations = channel.pipeline.syncOperations
        let decoder = try operations.handler(type: ByteToMessageHandler<HTTPRequestDecoder>.self)
        try operations.addHandler(HeaderLimit(limitBytes: limitBytes), position: .after(decoder))
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if case .head = unwrapInboundIn(data) { unanswered += 1 }
        context.fireChannelRead(data)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        if case .end = unwrapOutboundIn(data) { unanswered -= 1 }
        context.write(data, promise: promise)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard let parserError = error as? HTTPParserError, unanswered == 0 else { return context.fireErrorCaught(error) }
        let isTooLarge = parserError == .headerOverflow
        let body = isTooLarge ? tooLarge : Self.complaint
        let head = HTTPResponseHead(
            version: .http1_1, status: isTooLarge ? .requestHeaderFieldsTooLarge : .badRequest,
            headers: ["connection": "close", "content-length": "\(body.utf8.count)", "content-type": "application/json; charset=utf-8"])
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(string: body)))), promise: nil)
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
        // Only the outgoing half is closed. If the incoming half were closed too, a client that is still sending would not get the answer.
        context.close(mode: .output, promise: nil)
    }
}
