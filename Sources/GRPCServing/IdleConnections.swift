import NIOCore
import NIOTLS

/// Ends a gRPC connection that is not used: without a finished TLS handshake, without a first call, or without a call for a long
/// time. Refused calls do not keep a connection open, because the caller may have no permission.
///
/// A client that has sent any HTTP/2 bytes gets a GOAWAY, as gRPC clients expect. The client connects again for its next call, and its user
/// notices nothing.
final class IdleConnections: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private enum Stage {
        case handshake
        /// No call has done useful work yet.
        case fresh
        case used
        /// A GOAWAY was sent to the client.
        case leaving
    }

    private let limits: GRPCLimits
    private var stage: Stage
    private var hasSpoken = false
    private var context: ChannelHandlerContext?
    private var calls = 0
    /// The time at which the connection ends, unless a call begins before that.
    private var deadline = NIODeadline.distantFuture
    /// A timer that fires at the deadline or before it. Most calls move only the deadline. The timer then fires too early and is set again,
    /// which costs less than a new timer for each call.
    private var timer: (deadline: NIODeadline, scheduled: Scheduled<Void>)?

    init(limits: GRPCLimits, isEncrypted: Bool) {
        self.limits = limits
        stage = isEncrypted ? .handshake : .fresh
    }

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

    func channelActive(context: ChannelHandlerContext) {
        wait(context)
        context.fireChannelActive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        hasSpoken = true
        context.fireChannelRead(data)
    }

    func channelInactive(context: ChannelHandlerContext) {
        timer?.scheduled.cancel()
        timer = nil
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

    func callBegan() { calls += 1 }

    /// Records the end of a call.
    /// - Parameter isUse: whether the call did useful work for its caller.
    func callEnded(isUse: Bool) {
        calls -= 1
        if isUse, case .fresh = stage { stage = .used }
        guard let context, context.channel.isActive else { return }
        if isUse {
            wait(context)
        } else if calls == 0 {
            if case .leaving = stage { wait(context) } else if timer == nil { setTimer(context) }
        }
    }

    private func wait(_ context: ChannelHandlerContext) {
        let time =
            switch stage {
            case .handshake: limits.handshakeTime
            case .fresh: limits.firstCallTime
            case .used: limits.idleTime
            case .leaving: limits.goodbyeTime
            }
        deadline = .now() + time
        if timer.map({ $0.deadline > deadline }) ?? true { setTimer(context) }
    }

    private func setTimer(_ context: ChannelHandlerContext) {
        timer?.scheduled.cancel()
        timer = (deadline, context.eventLoop.assumeIsolated().scheduleTask(deadline: deadline) { self.look(context) })
    }

    private func look(_ context: ChannelHandlerContext) {
        timer = nil
        guard calls == 0 else { return }
        if .now() < deadline { setTimer(context) } else { end(context) }
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
