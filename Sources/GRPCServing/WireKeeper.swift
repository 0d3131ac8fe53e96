import NIOCore
import NIOHTTP2

/// A handler before NIO's HTTP/2 handler. It observes the frames that NIO writes, and corrects some of them.
///
/// If a client sends too much, NIO's GOAWAY names stream 0 as the last one handled, although calls may have been carried out. The
/// client would repeat these calls, and could create a trip twice. This handler therefore writes the stream of the last call into
/// each GOAWAY.
///
/// NIO ends a connection that exceeds the limit on calls by even one call, although the client may not have read the limit yet. It also
/// ends a connection for one header over the limit. `GRPCConnection` therefore makes NIO write two more settings frames, with higher
/// limits. This handler drops these frames. NIO applies the limits of a frame when it is acknowledged, so this handler gives NIO two
/// acknowledgements, as if they came from the client. NIO then takes the client's own acknowledgement as that of the third frame.
final class WireKeeper: ChannelDuplexHandler, NIOHTTP2FrameDelegate {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundIn = IOData
    typealias OutboundOut = IOData

    /// The number of settings frames that NIO writes and this handler drops.
    static let unsentSettings = 2
    /// Size of the preface that a client sends before its first frame, in bytes. The first frame contains the client's settings.
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
    /// Whether NIO has ended the connection because of an error. NIO's GOAWAY shows this; an error of a single stream causes no GOAWAY.
    private(set) var hasFailed = false
    /// The correction for the next bytes that NIO writes. NIO reports a frame immediately before it writes the bytes of the frame.
    private var correction: Correction?
    private var hasSentSettings = false
    /// Whether the client's settings have arrived.
    private var hasSettings = false
    /// The number of bytes received before the client's settings were complete.
    private var receivedBytes = 0
    /// The length of the client's settings frame, from the three length bytes of its header. Bytes that have not arrived yet count as 0.
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

    /// Reads the length of the settings frame from the first three bytes of its header.
    private func noteLength(_ bytes: ByteBuffer) {
        for place in 0..<3 {
            let offset = Self.prefaceBytes + place - receivedBytes
            guard offset >= 0, let byte = bytes.getInteger(at: bytes.readerIndex + offset, as: UInt8.self) else { continue }
            settingsBytes |= Int(byte) << (16 - 8 * place)
        }
    }
}
