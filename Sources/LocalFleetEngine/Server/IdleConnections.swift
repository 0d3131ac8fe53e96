import NIOCore
import NIOTLS

/// Ends a gRPC connection that is of no use: one that does not finish its TLS handshake, that never has a call, or has had none for long.
///
/// Who has spoken at all is told by GOAWAY, as gRPC clients expect it: they connect again with their next call, and nobody notices.
final class IdleConnections: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private enum Stage {
        case handshake
        /// No call yet.
        case fresh
        case used
        /// Told to go.
        case leaving
    }

    private let limits: ServerLimits
    private var stage: Stage
    private var hasSpoken = false
    private var calls = 0
    private var timer: Scheduled<Void>?

    init(limits: ServerLimits, isEncrypted: Bool) {
        self.limits = limits
        stage = isEncrypted ? .handshake : .fresh
    }

    /// Counts a call on the connection of its stream.
    static func noteCall(_ stream: any Channel) -> EventLoopFuture<Void> {
        guard let connection = stream.parent,
            let handler = try? connection.pipeline.syncOperations.handler(type: IdleConnections.self),
            let context = try? connection.pipeline.syncOperations.context(handler: handler)
        else { return stream.eventLoop.makeSucceededVoidFuture() }
        handler.began(context)
        stream.closeFuture.assumeIsolated().whenComplete { _ in handler.ended(context) }
        return stream.eventLoop.makeSucceededVoidFuture()
    }

    func channelActive(context: ChannelHandlerContext) {
        wait(context)
        context.fireChannelActive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        hasSpoken = true
        context.fireChannelRead(data)
    }

    func channelInactive(context: ChannelHandlerContext) {
        timer?.cancel()
        context.fireChannelInactive()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case .handshake = stage, case TLSUserEvent.handshakeCompleted = event {
            stage = .fresh
            wait(context)
        } else if event is ChannelShouldQuiesceEvent {
            guard hasSpoken else { return context.close(promise: nil) }
            stage = .leaving
            if calls == 0 { wait(context) }
        }
        context.fireUserInboundEventTriggered(event)
    }

    private func began(_ context: ChannelHandlerContext) {
        calls += 1
        if case .leaving = stage {} else { stage = .used }
        timer?.cancel()
    }

    private func ended(_ context: ChannelHandlerContext) {
        calls -= 1
        if calls == 0, context.channel.isActive { wait(context) }
    }

    private func wait(_ context: ChannelHandlerContext) {
        timer?.cancel()
        let seconds =
            switch stage {
            case .handshake: limits.handshakeSeconds
            case .fresh: limits.firstCallSeconds
            case .used: limits.idleSeconds
            case .leaving: limits.goodbyeSeconds
            }
        timer = context.eventLoop.assumeIsolated().scheduleTask(in: TimeAmount(seconds: seconds)) { self.end(context) }
    }

    private func end(_ context: ChannelHandlerContext) {
        switch stage {
        case .fresh where hasSpoken, .used:
            stage = .leaving
            context.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
            wait(context)
        case .handshake, .fresh, .leaving: context.close(promise: nil)
        }
    }
}

extension TimeAmount {
    init(seconds: Double) { self = .nanoseconds(Int64((min(max(seconds, 0), 1e9) * 1e9).rounded())) }
}
