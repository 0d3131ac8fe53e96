import NIOCore
import NIOHTTP2

/// Stands before NIO's HTTP/2 handler, hears which frames it writes, and corrects them.
///
/// A GOAWAY of NIO names stream 0 for a client that sends too much, although calls may have been carried out. A client makes such calls
/// again, and a trip that exists is created twice. Each GOAWAY therefore names the last call that was begun.
///
/// NIO takes 100 calls until the client acknowledges the server's settings, and then gives a connection up for one call more than they say.
/// A client may begin more before it has read them, and the one call too many is to be refused alone. So NIO is told two more settings, which
/// are not sent, and that the client has acknowledged all but the last. What the client does acknowledge then stands for the last one.
final class WireKeeper: ChannelDuplexHandler, NIOHTTP2FrameDelegate {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundIn = IOData
    typealias OutboundOut = IOData

    /// Settings that only NIO hears of.
    static let unsentSettings = 2
    /// What a client sends before its first frame, which holds its settings. Bytes.
    private static let prefaceBytes = 24
    /// Length, type, flags and stream of a frame, bytes.
    private static let frameHeaderBytes = 9
    /// A frame that acknowledges settings.
    private static let acknowledgement = ByteBuffer(bytes: [0, 0, 0, 4, 1, 0, 0, 0, 0])

    private enum Correction {
        case lastStream
        /// The frame is not sent.
        case left
    }

    /// The last call that was begun.
    var lastStream = HTTP2StreamID.rootStream
    /// Whether NIO has given the connection up: its GOAWAY says why. Trouble with one stream brings none.
    private(set) var hasFailed = false
    /// What is to be done with the next bytes that NIO writes: it tells of a frame immediately before it writes the bytes.
    private var correction: Correction?
    private var hasSentSettings = false
    /// Whether the client's settings have come.
    private var hasSettings = false
    /// Bytes of the client before them.
    private var receivedBytes = 0
    /// The length of the frame that holds them, as far as it has come.
    private var settingsBytes = 0

    // MARK: What NIO writes

    func wroteFrame(_ frame: HTTP2Frame) {
        switch frame.payload {
        case .goAway(_, let code, _):
            correction = .lastStream
            if code != .noError { hasFailed = true }
        case .settings(.settings):
            if hasSentSettings { correction = .left }
            hasSentSettings = true
        default: break
        }
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        defer { correction = nil }
        switch correction {
        case nil: context.write(data, promise: promise)
        case .left: promise?.succeed()
        case .lastStream:
            guard case .byteBuffer(var bytes) = unwrapOutboundIn(data) else { return context.write(data, promise: promise) }
            let place = bytes.readerIndex + Self.frameHeaderBytes
            if bytes.getInteger(at: place, as: UInt32.self) != nil { bytes.setInteger(UInt32(clamping: Int(lastStream)), at: place) }
            context.write(wrapOutboundOut(.byteBuffer(bytes)), promise: promise)
        }
    }

    // MARK: What the client sends

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !hasSettings else { return context.fireChannelRead(data) }
        var bytes = unwrapInboundIn(data)
        noteLength(bytes)
        let end = Self.prefaceBytes + Self.frameHeaderBytes + settingsBytes
        guard receivedBytes + bytes.readableBytes >= end, let first = bytes.readSlice(length: end - receivedBytes) else {
            receivedBytes += bytes.readableBytes
            return context.fireChannelRead(data)
        }
        hasSettings = true
        context.fireChannelRead(wrapInboundOut(first))
        guard !hasFailed else { return }
        for _ in 0..<Self.unsentSettings { context.fireChannelRead(wrapInboundOut(Self.acknowledgement)) }
        if bytes.readableBytes > 0 { context.fireChannelRead(wrapInboundOut(bytes)) }
    }

    /// The length of a frame stands in its first three bytes.
    private func noteLength(_ bytes: ByteBuffer) {
        for place in 0..<3 {
            let offset = Self.prefaceBytes + place - receivedBytes
            guard offset >= 0, let byte = bytes.getInteger(at: bytes.readerIndex + offset, as: UInt8.self) else { continue }
            settingsBytes |= Int(byte) << (16 - 8 * place)
        }
    }
}
