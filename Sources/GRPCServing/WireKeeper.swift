import NIOCore
import NIOHTTP2

/// Stands before NIO's HTTP/2 handler, hears which frames it writes, and corrects them.
///
/// A GOAWAY of NIO names stream 0 for a client that sends too much, although calls may have been carried out. A client makes such calls
/// again, and a trip that exists is created twice. Each GOAWAY therefore names the last call that was begun.
final class WireKeeper: ChannelOutboundHandler, NIOHTTP2FrameDelegate {
    typealias OutboundIn = IOData
    typealias OutboundOut = IOData

    /// Length, type, flags and stream of a frame, bytes.
    private static let frameHeaderBytes = 9

    /// The last call that was begun.
    var lastStream = HTTP2StreamID.rootStream
    /// Whether NIO has given the connection up: its GOAWAY says why. Trouble with one stream brings none.
    private(set) var hasFailed = false
    /// Whether the next bytes that NIO writes are a GOAWAY: NIO tells of a frame immediately before it writes the bytes.
    private var isGoAwayNext = false

    func wroteFrame(_ frame: HTTP2Frame) {
        guard case .goAway(_, let code, _) = frame.payload else { return }
        isGoAwayNext = true
        if code != .noError { hasFailed = true }
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard isGoAwayNext, case .byteBuffer(var bytes) = unwrapOutboundIn(data) else { return context.write(data, promise: promise) }
        isGoAwayNext = false
        let place = bytes.readerIndex + Self.frameHeaderBytes
        if bytes.getInteger(at: place, as: UInt32.self) != nil { bytes.setInteger(UInt32(clamping: Int(lastStream)), at: place) }
        context.write(wrapOutboundOut(.byteBuffer(bytes)), promise: promise)
    }
}
