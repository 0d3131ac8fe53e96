import GRPCCore
import NIOCore
import NIOHPACK
import NIOHTTP2

/// Answers the calls of one connection: the last of its handlers, behind the one that makes frames of its bytes.
///
/// A call is not given a channel of its own, as a general server would: that takes several times as long as the call.
final class GRPCConnection: ChannelInboundHandler {
    typealias InboundIn = HTTP2Frame
    typealias OutboundOut = HTTP2Frame

    private let service: GRPCService
    private let idle: IdleConnections
    private let wire: WireKeeper
    private var context: ChannelHandlerContext?
    private var calls: [HTTP2StreamID: GRPCCall] = [:]
    /// Bytes of messages that are not complete, and of decompressed ones until their calls are over.
    private var waitingBytes = 0
    private var timer: (moment: NIODeadline, scheduled: Scheduled<Void>)?
    /// Whether no new calls are taken.
    private var isLeaving = false
    /// What is written goes out when all that has arrived is looked at.
    private var isReading = false
    private var isFlushDue = false
    /// What a client gives back that has read all there is for it.
    private static let goodbye = HTTP2PingData(withInteger: 0x7472_6970)

    /// - Parameters:
    ///   - idle: is told when calls begin and end.
    ///   - wire: is told which call began last.
    init(service: GRPCService, idle: IdleConnections, wire: WireKeeper) {
        self.service = service
        self.idle = idle
        self.wire = wire
    }

    private var limits: GRPCLimits { service.limits }

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

    func channelActive(context: ChannelHandlerContext) {
        widenWindow(of: .rootStream, by: GRPCService.connectionWindowBytes - GRPCService.firstWindowBytes)
        flush()
        context.fireChannelActive()
    }

    func channelInactive(context: ChannelHandlerContext) {
        timer?.scheduled.cancel()
        timer = nil
        isReading = false
        for stream in Array(calls.keys) { forget(stream) }
        context.fireChannelInactive()
    }

    /// Who does not read his answers is not asked for more calls.
    func channelWritabilityChanged(context: ChannelHandlerContext) {
        try? context.channel.syncOptions?.setOption(.autoRead, value: context.channel.isWritable)
        context.fireChannelWritabilityChanged()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let frame = unwrapInboundIn(data)
        isReading = true
        switch frame.payload {
        case .headers(let headers):
            if let call = calls[frame.streamID] { call.isReceived = headers.endStream } else { begin(frame.streamID, headers) }
            if headers.endStream { received(frame.streamID) }
        case .data(let part):
            guard let call = calls[frame.streamID] else { return }
            call.isReceived = part.endStream
            if case .byteBuffer(let bytes) = part.data { take(bytes, of: call) }
            if part.endStream { received(frame.streamID) }
        case .ping(Self.goodbye, ack: true) where isLeaving && calls.isEmpty: context.close(promise: nil)
        default: break
        }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        isReading = false
        if isFlushDue { flush() }
        context.fireChannelReadComplete()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        switch event {
        case let event as NIOHTTP2WindowUpdatedEvent: keepWindowOpen(event)
        case let event as StreamClosedEvent: forget(event.streamID)
        case is ChannelShouldQuiesceEvent: leave(context)
        default: context.fireUserInboundEventTriggered(event)
        }
    }

    /// Trouble with one stream has ended that one; after any other the connection is of no use.
    ///
    /// NIO hands out the same errors for both. For those of a connection it writes a GOAWAY first, which it may not do when one with an
    /// earlier stream is written already.
    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        let isOfHTTP2 = error is any NIOHTTP2Error || error is NIOHTTP2Errors.StreamError
        if isOfHTTP2, !wire.hasFailed, !(error is NIOHTTP2Errors.RaisedGoawayLastStreamID) { return }
        context.close(promise: nil)
    }

    // MARK: Requests

    private func begin(_ stream: HTTP2StreamID, _ headers: HTTP2Frame.FramePayload.Headers) {
        let now = NIODeadline.now()
        wire.lastStream = stream
        idle.callBegan()
        do throws(NoGRPCCall) {
            let head = try GRPCCallHead(headers.headers)
            let call = GRPCCall(stream: stream, head: head, method: service.methods[head.path], limits: limits, now: now)
            call.isReceived = headers.endStream
            calls[stream] = call
            if call.method == nil {
                fail(call, RPCError(code: .unimplemented, message: "this server has no such method"))
            } else if head.encoding == nil {
                fail(call, RPCError(code: .unimplemented, message: "requests are compressed with gzip or not at all"))
            } else if let moment = call.limit?.moment {
                setTimer(at: moment)
            }
        } catch {
            let call = GRPCCall(refused: stream)
            call.isReceived = headers.endStream
            calls[stream] = call
            end(call, with: error.headers)
        }
    }

    private func take(_ bytes: ByteBuffer, of call: GRPCCall) {
        guard case .receiving(var request) = call.stage else { return }
        // Two that hold the bytes would copy them.
        call.stage = .over
        let before = request.count
        var failure: RPCError?
        do throws(RPCError) { try request.take(bytes) } catch { failure = error }
        waitingBytes += request.count - before
        call.stage = .receiving(request)
        if waitingBytes > limits.waitingBytes { failure = tooManyBytes }
        if let failure { fail(call, failure) }
    }

    private var tooManyBytes: RPCError {
        RPCError(code: .resourceExhausted, message: "the messages under way on a connection have at most \(limits.waitingBytes) bytes")
    }

    /// Nothing more of a call comes.
    private func received(_ stream: HTTP2StreamID) {
        guard let call = calls[stream], case .receiving(let request) = call.stage else { return }
        do throws(RPCError) {
            let message = try request.message()
            stop(call)
            let unpackedBytes = message.unpackedCount ?? 0
            // A small message may be a thousand times as large after decompression.
            guard unpackedBytes == 0 || waitingBytes + unpackedBytes <= limits.waitingBytes else { throw tooManyBytes }
            waitingBytes += unpackedBytes
            call.unpackedBytes = unpackedBytes
            work(on: call, with: message)
        } catch {
            fail(call, error)
        }
    }

    private func work(on call: GRPCCall, with message: GRPCMessage) {
        guard let loop = context?.eventLoop, let head = call.head, let method = call.method else { return }
        let (connection, stream) = (NIOLoopBound(self, eventLoop: loop), call.stream)
        let onLoop: @Sendable (@escaping @Sendable (GRPCConnection) -> Void) -> Void = { work in
            loop.execute { work(connection.value) }
        }
        let task: Task<Void, Never> =
            switch method {
            case .unary(let answer):
                Task {
                    do {
                        let plain = try await answer(head, try message.unpacked())
                        let reply = head.acceptsGzip ? plain.grpcCompressed() : plain
                        onLoop { $0.answer(stream, reply) }
                    } catch {
                        onLoop { $0.fail(stream, error) }
                    }
                }
            case .serverStreaming(let tell):
                Task {
                    do {
                        try await tell(try message.unpacked()) { message in onLoop { $0.tell(stream, message) } }
                        onLoop { $0.finish(stream) }
                    } catch {
                        onLoop { $0.fail(stream, error) }
                    }
                }
            }
        call.stage = .working(task)
    }

    /// The stream is closed, whoever did it.
    private func forget(_ stream: HTTP2StreamID) {
        guard let call = calls.removeValue(forKey: stream) else { return }
        stop(call)
        waitingBytes -= call.unpackedBytes
        idle.callEnded()
        if isLeaving, calls.isEmpty { sayGoodbye() }
    }

    private func stop(_ call: GRPCCall) {
        switch call.stage {
        case .receiving(let request): waitingBytes -= request.count
        case .working(let task): task.cancel()
        case .over: break
        }
        call.stage = .over
    }

    // MARK: Answers

    private func answer(_ stream: HTTP2StreamID, _ message: ByteBuffer) {
        guard let call = calls[stream], case .working = call.stage else { return }
        call.stage = .over
        write(stream, .headers(.init(headers: message.isGRPCCompressed ? GRPCEnd.gzipHead : GRPCEnd.head)))
        write(stream, .data(.init(data: .byteBuffer(message))))
        write(stream, .headers(.init(headers: GRPCEnd.ok, endStream: true)))
        flush()
    }

    private func tell(_ stream: HTTP2StreamID, _ message: ByteBuffer) {
        guard let call = calls[stream], case .working = call.stage else { return }
        beginAnswer(call)
        write(stream, .data(.init(data: .byteBuffer(message))))
        flush()
    }

    private func finish(_ stream: HTTP2StreamID) {
        guard let call = calls[stream], case .working = call.stage else { return }
        beginAnswer(call)
        end(call, with: GRPCEnd.ok)
    }

    private func beginAnswer(_ call: GRPCCall) {
        if !call.isBeingAnswered { write(call.stream, .headers(.init(headers: GRPCEnd.head))) }
        call.isBeingAnswered = true
    }

    private func fail(_ stream: HTTP2StreamID, _ error: any Error) {
        guard let call = calls[stream], case .working = call.stage else { return }
        fail(call, error)
    }

    private func fail(_ call: GRPCCall, _ error: any Error) {
        end(call, with: GRPCEnd.headers(service.failure(error), isAlone: !call.isBeingAnswered, date: service.date))
    }

    private func end(_ call: GRPCCall, with headers: HPACKHeaders) {
        stop(call)
        write(call.stream, .headers(.init(headers: headers, endStream: true)))
        // The rest of the message is of no use to anybody.
        if !call.isReceived { write(call.stream, .rstStream(.noError)) }
        flush()
    }

    private func flush() {
        isFlushDue = isReading
        if !isReading { context?.flush() }
    }

    private func write(_ stream: HTTP2StreamID, _ payload: HTTP2Frame.FramePayload) {
        context?.write(wrapOutboundOut(HTTP2Frame(streamID: stream, payload: payload)), promise: nil)
    }

    // MARK: The end

    /// Tells the client to go, and that no call after the last one so far is looked at: of those nothing is done, and it may make them elsewhere.
    private func leave(_ context: ChannelHandlerContext) {
        guard !isLeaving else { return }
        isLeaving = true
        write(.rootStream, .goAway(lastStreamID: wire.lastStream, errorCode: .noError, opaqueData: nil))
        flush()
        if calls.isEmpty { sayGoodbye() }
        context.eventLoop.assumeIsolated().scheduleTask(in: limits.drainTime) { self.context?.close(promise: nil) }
    }

    /// Closes as soon as the client has read the last answer: who closes before can lose it.
    private func sayGoodbye() {
        guard context?.channel.isActive == true else { return }
        write(.rootStream, .ping(Self.goodbye, ack: false))
        flush()
    }

    // MARK: Windows

    /// Lets the client go on before what it may send has come.
    private func keepWindowOpen(_ event: NIOHTTP2WindowUpdatedEvent) {
        guard let open = event.inboundWindowSize else { return }
        if event.streamID == .rootStream {
            guard open <= GRPCService.connectionWindowBytes / 2 else { return }
            widenWindow(of: .rootStream, by: GRPCService.connectionWindowBytes - open)
        } else {
            // A client that has not read the settings yet has the smaller window, and most calls fit even there.
            guard open <= GRPCService.firstWindowBytes / 2, let call = calls[event.streamID], case .receiving = call.stage,
                !call.isReceived
            else { return }
            widenWindow(of: event.streamID, by: GRPCService.streamWindowBytes - open)
        }
        flush()
    }

    private func widenWindow(of stream: HTTP2StreamID, by bytes: Int) {
        if bytes > 0 { write(stream, .windowUpdate(windowSizeIncrement: bytes)) }
    }

    // MARK: Time

    /// One timer does for all calls: most are over long before it rings, and to set and stop one for each would cost more than to look.
    private func setTimer(at moment: NIODeadline) {
        guard let context, timer.map({ moment < $0.moment }) ?? true else { return }
        timer?.scheduled.cancel()
        timer = (moment, context.eventLoop.assumeIsolated().scheduleTask(deadline: moment) { self.giveUpWhatIsTooLate() })
    }

    private func giveUpWhatIsTooLate() {
        timer = nil
        let now = NIODeadline.now()
        for call in Array(calls.values) {
            if let limit = call.limit, limit.moment <= now { fail(call, limit.reason) }
        }
        if let next = calls.values.compactMap({ $0.limit?.moment }).min() { setTimer(at: next) }
    }
}
