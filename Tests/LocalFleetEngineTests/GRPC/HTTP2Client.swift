import NIOCore
import NIOHPACK
import NIOHTTP2
import NIOPosix
import Synchronization

/// An HTTP/2 client that sends individual frames, including frames that no gRPC library sends.
struct HTTP2Client: Sendable {
    /// The data received on one stream.
    struct Answer: Sendable {
        /// All header blocks, trailers included. The keys are the names of the headers.
        var headers: [[String: String]] = []
        var bytes: [UInt8] = []
        var isOver = false

        /// The gRPC status in the last header block.
        var status: String? { headers.last?["grpc-status"] }
        var message: String? { headers.last?["grpc-message"] }
        var details: String? { headers.last?["grpc-status-details-bin"] }
    }

    private final class Collector: ChannelInboundHandler, Sendable {
        typealias InboundIn = HTTP2Frame
        let answers = Mutex<[HTTP2StreamID: Answer]>([:])
        let goAway = Mutex<HTTP2StreamID?>(nil)
        let (arrivals, arrival) = AsyncStream.makeStream(of: Void.self)

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            let frame = unwrapInboundIn(data)
            answers.withLock { answers in
                switch frame.payload {
                case .headers(let part):
                    let fields = part.headers.map { ($0.name, $0.value) }
                    answers[frame.streamID, default: Answer()].headers.append(Dictionary(fields) { first, _ in first })
                    if part.endStream { answers[frame.streamID]?.isOver = true }
                case .data(let part):
                    if case .byteBuffer(let bytes) = part.data {
                        answers[frame.streamID, default: Answer()].bytes += bytes.readableBytesView
                    }
                    if part.endStream { answers[frame.streamID]?.isOver = true }
                case .goAway(let last, _, _): goAway.withLock { $0 = last }
                default: break
                }
            }
            arrival.yield()
        }

        func channelInactive(context: ChannelHandlerContext) {
            arrival.finish()
            context.fireChannelInactive()
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) {}
    }

    private let channel: any Channel
    private let collector = Collector()

    /// - Parameter windowBytes: the flow-control window of each call, in bytes.
    init(port: Int, windowBytes: Int = 1 << 24) async throws {
        let collector = collector
        channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let settings = [HTTP2Setting(parameter: .initialWindowSize, value: windowBytes)]
                    try channel.pipeline.syncOperations.addHandler(NIOHTTP2Handler(mode: .client, initialSettings: settings))
                    try channel.pipeline.syncOperations.addHandler(collector)
                }
            }
            .connect(host: "127.0.0.1", port: port).get()
        try await send(.rootStream, .windowUpdate(windowSizeIncrement: windowBytes))
    }

    func send(_ stream: HTTP2StreamID, _ payload: HTTP2Frame.FramePayload) async throws {
        try await channel.writeAndFlush(HTTP2Frame(streamID: stream, payload: payload))
    }

    /// Begins a call.
    ///
    /// - Parameters:
    ///   - fields: header fields to add; they replace usual fields with the same name.
    ///   - endStream: whether the call ends after its header, that is, has no message.
    func begin(_ stream: HTTP2StreamID, _ path: String, fields: [String: String] = [:], endStream: Bool = false) async throws {
        var headers: HPACKHeaders = [
            ":method": "POST", ":scheme": "http", ":path": path, ":authority": "here", "content-type": "application/grpc",
            "te": "trailers",
        ]
        // Pseudo-headers, whose names begin with a colon, must come first.
        let own = fields.filter { !$0.key.hasPrefix(":") }
        headers = HPACKHeaders(headers.map { ($0.name, fields[$0.name] ?? $0.value) })
        for (name, value) in own { headers.replaceOrAdd(name: name, value: value) }
        try await send(stream, .headers(.init(headers: headers, endStream: endStream)))
    }

    func send(_ stream: HTTP2StreamID, bytes: [UInt8], endStream: Bool = true) async throws {
        try await send(stream, .data(.init(data: .byteBuffer(ByteBuffer(bytes: bytes)), endStream: endStream)))
    }

    /// Makes the client read from its socket, or stop reading.
    func setReading(_ isReading: Bool) async throws { try await channel.setOption(.autoRead, value: isReading).get() }

    /// Waits until the server has finished its answer to a call.
    /// - Returns: the answer; if the connection ends first, the part of it that has arrived, or nil.
    func answer(_ stream: HTTP2StreamID) async -> Answer? {
        func now() -> Answer? { collector.answers.withLock { $0[stream] } }
        if now()?.isOver == true { return now() }
        for await _ in collector.arrivals where now()?.isOver == true { break }
        return now()
    }

    /// Waits until the server has begun to answer a call.
    /// - Returns: false if the connection ends first.
    func isAnswered(_ stream: HTTP2StreamID) async -> Bool {
        func now() -> Bool { collector.answers.withLock { $0[stream]?.headers.isEmpty == false } }
        if now() { return true }
        for await _ in collector.arrivals where now() { break }
        return now()
    }

    /// Waits until the server closes the connection.
    func waitForEnd() async throws { try await channel.closeFuture.get() }

    /// Waits until the server sends GOAWAY.
    /// - Returns: the number of the last call that the server still handles; nil if the connection ends without GOAWAY.
    func lastStreamOfGoAway() async -> HTTP2StreamID? {
        func now() -> HTTP2StreamID? { collector.goAway.withLock { $0 } }
        if let last = now() { return last }
        for await _ in collector.arrivals where now() != nil { break }
        return now()
    }

    func close() async { try? await channel.close() }
}
