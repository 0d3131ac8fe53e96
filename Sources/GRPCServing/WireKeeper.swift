import NIOCore
import NIOHTTP2

/// A handler before NIO's HTTP/2 handler. It observes the frames that NIO writes, and corrects some of them.
///
/// If a client sends too much, NIO's GOAWAY names stream 0, although calls may have been carried out. The client would repeat such calls,
/// and create a trip twice. Each GOAWAY therefore names the last call that began.
///
/// NIO accepts 100 calls until the client acknowledges the server's settings. After that it ends a connection that exceeds the limit by one
/// call. A client may exceed the limit before it has read the settings, and only the extra call should be refused. NIO is therefore made to
/// write two more settings frames, which this handler drops. It passes NIO acknowledgements for all but one of the three. The client's real
/// acknowledgement then counts for the last one.
final class WireKeeper: ChannelDuplexHandler, NIOHTTP2FrameDelegate {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundIn = IOData
    typealias OutboundOut = IOData

    /// The number of settings frames that NIO writes and this handler drops.
    static let unsentSettings = 2
    /// Size of the preface that a client sends before its first frame, bytes. The first frame contains the client's settings.
    private static let prefaceBytes = 24
    /// Size of a frame's header, bytes: length, type, flags and stream.
    private static let frameHeaderBytes = 9
    /// A frame that acknowledges settings.
    private static let acknowledgement = ByteBuffer(bytes: [0, 0, 0, 4, 1, 0, 0, 0, 0])

    private enum Correction {
        case lastStream
        /// The frame is dropped.
        case left
    }

    /// The stream of the call that began last.
    var lastStream = HTTP2StreamID.rootStream
    /// Whether NIO has ended the connection. It is known from NIO's GOAWAY, which an error of one stream does not cause.
    private(set) var hasFailed = false
    /// The correction for the next bytes. NIO reports a frame immediately before it writes the bytes.
    private var correction: Correction?
    private var hasSentSettings = false
    /// Whether the client's settings have arrived.
    private var hasSettings = false
    /// The number of bytes received before the client's settings were complete.
    private var receivedBytes = 0
    /// The length that the header of the client's settings frame states. Until all three bytes of it have arrived, the missing ones count
    /// as 0.
    private var settingsBytes = 0

    // MARK: Frames from NIO

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

    // MARK: Bytes from the client

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

    /// Reads the length of the settings frame from its first three bytes.
    private func noteLength(_ bytes: ByteBuffer) {
        for place in 0..<3 {
            let offset = Self.prefaceBytes + place - receivedBytes
            guard offset >= 0, let byte = bytes.getInteger(at: bytes.readerIndex + offset, as: UInt8.self) else { continue }
            settingsBytes |= Int(byte) << (16 - 8 * place)
        }
    }
}
