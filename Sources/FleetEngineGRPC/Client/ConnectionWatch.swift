import HTTP2Frames
import NIOCore
import NIOHTTP2
import NIOSSL

/// The error that closes a connection on which no data arrived for too long.
struct SilentConnection: Error {}

/// Stores the time at which data last arrived. This handler comes before TLS, so that it can close the connection without a TLS close
/// message.
final class ReceiptClock: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private(set) var lastReceiptAt = NIODeadline.now()
    private let signals: ConnectionSignals
    private var hasHeard = false
    private var context: ChannelHandlerContext?

    init(signals: ConnectionSignals) { self.signals = signals }

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        lastReceiptAt = .now()
        if !hasHeard { signals.heard() }
        hasHeard = true
        context.fireChannelRead(data)
    }

    /// Closes the connection at once.
    func abandon() {
        context?.fireErrorCaught(SilentConnection())
        context?.close(promise: nil)
    }
}

/// Watches one connection. Reports when it is usable, and closes it when the server sends no data for too long.
///
/// The transport's own keepalive stops when the first call ends, and does not cover the TLS and HTTP/2 handshakes. This watch
/// sends at most one ping for each call, because some servers count pings.
final class ConnectionWatch: ChannelInboundHandler {
    typealias InboundIn = HTTP2Frame
    typealias OutboundOut = HTTP2Frame

    /// A connection is closed at this number of GOAWAYs. Servers send at most two; NIO does not limit them.
    private static let mostGoAways = 100
    /// The longest time without data while an answer is expected, and the longest time for the answer to a ping.
    private static let longestSilence = TimeAmount.seconds(5)

    private let receipts: ReceiptClock
    private let signals: ConnectionSignals
    private var isReady = false
    /// Whether ``ConnectionPace`` has allowed this connection attempt. Until the attempt ends, it blocks other attempts.
    private var isCounted = false
    /// Whether this watch has closed the connection because the server was silent.
    private var isAbandoned = false
    private var openStreams = 0
    private var goAways = 0
    private var expectsSince = NIODeadline.now()
    private var pingedAt: NIODeadline?
    private var nextLook: Scheduled<Void>?
    private var context: ChannelHandlerContext?

    init(receipts: ReceiptClock, signals: ConnectionSignals) {
        self.receipts = receipts
        self.signals = signals
    }

    /// Adds a watch to a connection that gRPC has opened.
    ///
    /// - Throws: `UnansweredConnection` if the connection attempt comes too early.
    static func install(in channel: any Channel, signals: ConnectionSignals) throws {
        let pipeline = channel.pipeline.syncOperations
        let receipts = ReceiptClock(signals: signals)
        try pipeline.addHandler(receipts, position: .first)
        let http2 = try pipeline.handler(type: NIOHTTP2Handler.self)
        try pipeline.addHandler(FrameSplitter(of: .server), position: .before(http2))
        let watch = ConnectionWatch(receipts: receipts, signals: signals)
        try pipeline.addHandler(watch, position: .after(http2))
        try signals.allowConnection()
        watch.isCounted = true
    }

    /// Counts a call as open on its connection until the call ends.
    static func count(_ stream: any Channel) throws {
        guard let watch = try stream.parent?.pipeline.syncOperations.handler(type: ConnectionWatch.self) else { return }
        watch.streamOpened()
        stream.closeFuture.assumeIsolated().whenComplete { _ in watch.streamClosed() }
    }

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
        nextLook?.cancel()
        if isCounted, !isReady { signals.failedToConnect() }
    }

    func channelActive(context: ChannelHandlerContext) {
        expect()
        context.fireChannelActive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let payload = unwrapInboundIn(data).payload
        if case .goAway = payload { goAways += 1 }
        guard goAways < Self.mostGoAways else { return context.close(promise: nil) }
        guard !isReady, case .settings(.settings) = payload else { return context.fireChannelRead(data) }
        isReady = true
        rest()
        context.fireChannelRead(data)
        let certificate = try? context.pipeline.syncOperations.nioSSL_peerCertificate()
        signals.connected(certificateDates: certificate.map { (from: Int($0.notValidBefore), to: Int($0.notValidAfter)) })
    }

    func channelInactive(context: ChannelHandlerContext) {
        // If the attempt was not allowed, this client closed the connection itself. This says nothing about the server.
        if isCounted, !isAbandoned { signals.heard() }
        context.fireChannelInactive()
    }

    private func streamOpened() {
        openStreams += 1
        if nextLook == nil { expect() }
    }

    private func streamClosed() {
        openStreams -= 1
        if openStreams == 0 { rest() }
    }

    private func expect() {
        expectsSince = .now()
        pingedAt = nil
        look(at: expectsSince + Self.longestSilence)
    }

    private func rest() {
        nextLook?.cancel()
        nextLook = nil
    }

    private func look(at moment: NIODeadline) {
        nextLook?.cancel()
        nextLook = context?.eventLoop.assumeIsolated().scheduleTask(deadline: moment) { self.look() }
    }

    private func look() {
        let heardAt = max(receipts.lastReceiptAt, expectsSince)
        let now = NIODeadline.now()
        if now - heardAt < Self.longestSilence {
            look(at: heardAt + Self.longestSilence)
        } else if isReady, pingedAt == nil {
            pingedAt = now
            let ping = HTTP2Frame(streamID: .rootStream, payload: .ping(HTTP2PingData(withInteger: .random(in: 0 ... .max)), ack: false))
            context?.writeAndFlush(wrapOutboundOut(ping), promise: nil)
            look(at: now + Self.longestSilence)
        } else if let pingedAt, heardAt > pingedAt {
            // The connection works but is slow, so only the call's deadline ends the call.
            nextLook = nil
        } else {
            isAbandoned = true
            signals.wentSilent()
            receipts.abandon()
        }
    }
}
