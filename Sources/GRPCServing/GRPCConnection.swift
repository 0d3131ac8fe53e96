import GRPCCore
import NIOCore
import NIOHPACK
import NIOHTTP2

/// Answers the calls of one connection. It is the last handler of the channel; the handler before it decodes frames.
///
/// A call has no channel of its own, because creating a channel takes several times as long as answering the call.
final class GRPCConnection: ChannelInboundHandler {
    typealias InboundIn = HTTP2Frame
    typealias OutboundOut = HTTP2Frame

    let service: GRPCService
    private let idle: IdleConnections
    private let wire: WireKeeper
    private(set) var context: ChannelHandlerContext?
    private(set) var calls: [HTTP2StreamID: GRPCCall] = [:]
    /// New calls whose headers have not been checked. They are checked at the end of the current read.
    private var unjudged: [HTTP2StreamID] = []
    /// The number of calls whose answers are streams of messages.
    private var watches = 0
    /// The memory that this connection's messages and answers take, in bytes.
    var share: GRPCShare
    /// The number of answer bytes that have not been sent, because the client has not read the earlier ones.
    var unreadBytes = 0
    /// The last time at which the client read part of an answer. It matters only while answers are unread.
    var lastRead = NIODeadline.uptimeNanoseconds(0)
    private var peer: SocketAddress?
    private var goAways = 0
    private var timer: (moment: NIODeadline, scheduled: Scheduled<Void>)?
    /// Whether the GOAWAY has been sent.
    private var isLeaving = false
    /// Whether a read is in progress. Writes are flushed at its end.
    private var isReading = false
    private var isFlushDue = false
    /// The data of the ping that the server sends after its last answer. The client answers this ping once it has read everything.
    private static let goodbye = HTTP2PingData(withInteger: 0x7472_6970)

    /// - Parameters:
    ///   - idle: receives the beginning and the end of each call.
    ///   - wire: receives the stream of the newest call.
    init(service: GRPCService, idle: IdleConnections, wire: WireKeeper) {
        self.service = service
        self.idle = idle
        self.wire = wire
        share = GRPCShare(of: service.budget, ownBytes: service.limits.ownBytes)
    }

    var limits: GRPCLimits { service.limits }

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

    func channelActive(context: ChannelHandlerContext) {
        peer = context.remoteAddress
        // NIO would end a connection with too many calls or with a large header. These settings raise NIO's limits, and `WireKeeper` drops
        // the settings before they are sent. `begin` refuses only the extra calls and the calls with a large header.
        let raised = [
            HTTP2Setting(parameter: .maxConcurrentStreams, value: Int(Int32.max)),
            HTTP2Setting(parameter: .maxHeaderListSize, value: limits.headerBytesOfConnection),
        ]
        for _ in 0..<WireKeeper.unsentSettings { write(.rootStream, .settings(.settings(raised))) }
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

    /// Stops reading from a client that does not read its answers.
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
            if case .byteBuffer(let bytes) = part.data { receive(bytes, of: call) }
            if part.endStream { received(frame.streamID) }
        case .goAway:
            goAways += 1
            if goAways == GRPCService.mostGoAways { context.close(promise: nil) }
        case .ping(Self.goodbye, ack: true) where isLeaving && calls.isEmpty: context.close(promise: nil)
        default: break
        }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        judge()
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

    /// Handles an error. An error of a single stream is ignored, because the stream has already ended. Any other error closes the
    /// connection.
    ///
    /// NIO uses the same types for both errors, but writes a GOAWAY only before it reports a connection error (`hasFailed`). If an
    /// earlier GOAWAY prevents this GOAWAY, NIO reports `RaisedGoawayLastStreamID` instead.
    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        let isOfHTTP2 = error is any NIOHTTP2Error || error is NIOHTTP2Errors.StreamError
        if isOfHTTP2, !wire.hasFailed, !(error is NIOHTTP2Errors.RaisedGoawayLastStreamID) { return }
        context.close(promise: nil)
    }

    // MARK: Requests

    private func begin(_ stream: HTTP2StreamID, _ headers: HTTP2Frame.FramePayload.Headers) {
        // A call beyond the limit is refused before any work is done for it, so the client may repeat it safely.
        guard calls.count < limits.callsPerConnection else {
            write(stream, .rstStream(.refusedStream))
            return flush()
        }
        let now = NIODeadline.now()
        wire.lastStream = stream
        idle.callBegan()
        do throws(NoGRPCCall) {
            let head = try GRPCCallHead(headers.headers, from: peer)
            let call = GRPCCall(stream: stream, head: head, method: service.methods[head.path], limits: limits, now: now)
            call.isReceived = headers.endStream
            calls[stream] = call
            if call.isWatch { watches += 1 }
            if let refusal = refusal(of: call, head, now) {
                fail(call, refusal)
            } else if !hold(head.authorization?.utf8.count ?? 0, for: call) {
                fail(call, Self.tooManyBytes)
            } else {
                if call.method?.admission != nil { unjudged.append(stream) }
                if let moment = call.limit?.moment { setTimer(at: moment) }
            }
        } catch {
            let call = GRPCCall(refused: stream)
            call.isReceived = headers.endStream
            calls[stream] = call
            end(call, with: error.headers)
        }
    }

    /// Returns the error with which to refuse a call; nil to accept the call.
    private func refusal(of call: GRPCCall, _ head: GRPCCallHead, _ now: NIODeadline) -> RPCError? {
        guard head.byteCount <= limits.headerBytes else {
            return RPCError(code: .resourceExhausted, message: "the call's header has more than \(limits.headerBytes) bytes")
        }
        if call.method == nil { return RPCError(code: .unimplemented, message: "this server has no such method") }
        if head.encoding == nil {
            return RPCError(code: .unimplemented, message: "this compression is not supported: use gzip, or send the request uncompressed")
        }
        if let limit = call.limit, limit.moment <= now { return limit.reason }
        let limit = limits.watchesPerConnection
        guard call.isWatch, watches > limit else { return nil }
        let message = "the connection would have more than \(limit) streaming calls: end one, or open another connection"
        return RPCError(code: .resourceExhausted, message: message)
    }

    /// Checks the headers of calls whose messages did not arrive in the same read. The headers of all other calls are checked with their
    /// messages.
    private func judge() {
        guard !unjudged.isEmpty else { return }
        for stream in unjudged {
            guard let call = calls[stream], case .receiving = call.stage, let head = call.head, let admit = call.method?.admission,
                let onLoop
            else { continue }
            call.admission = Task {
                do {
                    try await admit(head)
                } catch {
                    onLoop { $0.refuse(stream, error) }
                    throw error
                }
            }
        }
        unjudged.removeAll(keepingCapacity: true)
    }

    private func refuse(_ stream: HTTP2StreamID, _ error: any Error) {
        guard let call = calls[stream], case .receiving = call.stage else { return }
        fail(call, error)
    }

    private func receive(_ bytes: ByteBuffer, of call: GRPCCall) {
        guard case .receiving(var request) = call.stage else { return }
        // The stage must not hold the request while bytes are appended: appending would copy a shared buffer.
        call.stage = .over
        let before = request.heldBytes
        var failure: RPCError?
        do throws(RPCError) { try request.append(bytes) } catch { failure = error }
        if !hold(request.heldBytes - before, for: call) { failure = Self.tooManyBytes }
        call.stage = .receiving(request)
        if let failure { fail(call, failure) }
    }

    private func hold(_ bytes: Int, for call: GRPCCall) -> Bool {
        guard share.reserve(bytes) else { return false }
        call.heldBytes += bytes
        return true
    }

    static var tooManyBytes: RPCError {
        RPCError(
            code: .resourceExhausted, message: "the server has no memory left for this call: try again later")
    }

    /// Handles the complete request of a call.
    private func received(_ stream: HTTP2StreamID) {
        guard let call = calls[stream], case .receiving(let request) = call.stage else { return }
        do throws(RPCError) {
            let message = try request.message()
            // After decompression, a small message can be a thousand times as large.
            guard hold(message.unpackedCount ?? 0, for: call) else { throw Self.tooManyBytes }
            work(on: call, with: message)
        } catch {
            fail(call, error)
        }
    }

    /// Returns a function that runs work with this connection on the connection's event loop; nil if the connection is closed.
    private var onLoop: (@Sendable (@escaping @Sendable (GRPCConnection) -> Void) -> Void)? {
        guard let loop = context?.eventLoop else { return nil }
        let connection = NIOLoopBound(self, eventLoop: loop)
        return { work in loop.execute { work(connection.value) } }
    }

    private func work(on call: GRPCCall, with message: GRPCMessage) {
        guard let onLoop, let began = call.head, let method = call.method else { return }
        let (stream, admission) = (call.stream, call.admission)
        let head = admission == nil ? began : began.admitted
        let task: Task<Void, Never> =
            switch method.work {
            case .unary(let answer):
                Task {
                    do {
                        try await admission?.value
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
                        try await admission?.value
                        try await tell(try message.unpacked()) { message in onLoop { $0.tell(stream, message) } }
                        onLoop { $0.finish(stream) }
                    } catch {
                        onLoop { $0.fail(stream, error) }
                    }
                }
            }
        call.stage = .working(task)
    }

    /// Removes the call of a closed stream, whether the client or the server closed it.
    private func forget(_ stream: HTTP2StreamID) {
        guard let call = calls.removeValue(forKey: stream) else { return }
        stop(call)
        if call.isWatch { watches -= 1 }
        idle.callEnded(isUse: call.isUse)
        if isLeaving, calls.isEmpty { sayGoodbye() }
    }

    /// Stops the work for a call, and gives back its memory.
    func stop(_ call: GRPCCall) {
        if case .working(let task) = call.stage { task.cancel() }
        call.admission?.cancel()
        call.stage = .over
        share.giveBack(call.heldBytes)
        call.heldBytes = 0
    }

    // MARK: Frames

    func flush() {
        isFlushDue = isReading
        if !isReading { context?.flush() }
    }

    /// - Parameter promise: completes when the frame is sent or its stream is closed.
    func write(_ stream: HTTP2StreamID, _ payload: HTTP2Frame.FramePayload, promise: EventLoopPromise<Void>? = nil) {
        guard let context else { return promise?.fail(ChannelError.ioOnClosedChannel) ?? () }
        context.write(wrapOutboundOut(HTTP2Frame(streamID: stream, payload: payload)), promise: promise)
    }

    // MARK: Ending

    /// Sends a GOAWAY that names the last call that is handled. The client may repeat later calls on another connection.
    private func leave(_ context: ChannelHandlerContext) {
        guard !isLeaving else { return }
        isLeaving = true
        write(.rootStream, .goAway(lastStreamID: wire.lastStream, errorCode: .noError, opaqueData: nil))
        flush()
        if calls.isEmpty { sayGoodbye() }
        context.eventLoop.assumeIsolated().scheduleTask(in: limits.drainTime) { self.context?.close(promise: nil) }
    }

    /// Sends a ping after the last answer. The client's reply shows that it has read this answer, so the connection can be closed.
    private func sayGoodbye() {
        guard context?.channel.isActive == true else { return }
        write(.rootStream, .ping(Self.goodbye, ack: false))
        flush()
    }

    // MARK: Time

    /// Sets the timer to this time, unless it is set to an earlier time. All calls share one timer. A timer for each call would cost more,
    /// because most calls end long before their time limits.
    func setTimer(at moment: NIODeadline) {
        guard let context, timer.map({ moment < $0.moment }) ?? true else { return }
        timer?.scheduled.cancel()
        timer = (moment, context.eventLoop.assumeIsolated().scheduleTask(deadline: moment) { self.giveUpWhatIsTooLate() })
    }

    private func giveUpWhatIsTooLate() {
        timer = nil
        let now = NIODeadline.now()
        if let limit = readLimit, limit <= now { return context?.close(promise: nil) ?? () }
        for call in Array(calls.values) {
            if let limit = call.limit, limit.moment <= now { fail(call, limit.reason) }
        }
        let moments = calls.values.compactMap { $0.limit?.moment } + [readLimit].compactMap { $0 }
        if let next = moments.min() { setTimer(at: next) }
    }
}
