import Glibc
import NIOCore

/// A connection through a ``FaultProxy``. It consists of two channels on the same event loop.
final class FaultyConnection {
    private let client: any Channel
    private let fault: @Sendable () -> (fault: ConnectionFault, era: Int)
    private var server: (any Channel)?
    private var bytes = ServerBytes()
    /// The steps that have not been carried out yet, in order.
    private var waiting: [ServerBytes.Step] = []
    private var lastMoment = NIODeadline.uptimeNanoseconds(0)

    init(client: any Channel, _ fault: @escaping @Sendable () -> (fault: ConnectionFault, era: Int)) {
        self.client = client
        self.fault = fault
    }

    /// Adds the handler that receives the server's bytes.
    func listen(to server: any Channel) throws { try server.pipeline.syncOperations.addHandler(FromServer(self)) }

    /// Connects the client to the server. If one of the two closes its connection, the other connection is closed too. Exception: if the
    /// server closes after bytes were lost in either direction, the client stays connected.
    func join(_ server: any Channel) throws {
        self.server = server
        let client = client
        client.closeFuture.whenComplete { _ in server.close(promise: nil) }
        let connection = NIOLoopBound(self, eventLoop: client.eventLoop)
        server.closeFuture.whenComplete { _ in
            // Bytes that are still delayed reach the client before the end.
            if !connection.value.bytes.isBroken { connection.value.schedule(.end) }
        }
        try client.pipeline.syncOperations.addHandler(FromClient(self))
    }

    /// Starts reading the server's bytes, now that the client's channel can receive them.
    fileprivate func start() { try? server?.syncOptions?.setOption(.autoRead, value: true) }

    fileprivate func receive(fromClient buffer: ByteBuffer) {
        guard !bytes.isBroken else { return }
        switch fault().fault {
        case .refuse, .blackHole: bytes.breakOff()
        case .answer(let answer):
            bytes.breakOff()
            perform(.pass(answer))
            perform(.end)
        default: server?.writeAndFlush(buffer, promise: nil)
        }
    }

    fileprivate func receive(fromServer buffer: ByteBuffer) {
        let (fault, era) = fault()
        for step in bytes.steps(for: Array(buffer.readableBytesView), fault, era: era) { schedule(step) }
    }

    /// Carries out a step after all earlier steps.
    private func schedule(_ step: ServerBytes.Step) {
        guard step.milliseconds > 0 || !waiting.isEmpty else { return perform(step) }
        waiting.append(step)
        lastMoment = max(lastMoment, .now()) + .milliseconds(step.milliseconds)
        let connection = NIOLoopBound(self, eventLoop: client.eventLoop)
        client.eventLoop.scheduleTask(deadline: lastMoment) { connection.value.performNext() }
    }

    private func performNext() {
        guard !waiting.isEmpty else { return }
        perform(waiting.removeFirst())
    }

    private func perform(_ step: ServerBytes.Step) {
        switch step {
        case .pass(let bytes, _):
            if !bytes.isEmpty { client.writeAndFlush(ByteBuffer(bytes: bytes), promise: nil) }
        case .end: client.close(promise: nil)
        case .reset:
            // If the linger time of a socket is 0, closing it sends a reset.
            let client = client
            let isSet = (client as? any SocketOptionProvider)?.setSoLinger(linger(l_onoff: 1, l_linger: 0))
            (isSet ?? client.eventLoop.makeSucceededVoidFuture()).whenComplete { _ in client.close(promise: nil) }
        }
    }
}

private final class FromClient: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    private let connection: FaultyConnection

    init(_ connection: FaultyConnection) { self.connection = connection }

    func channelActive(context: ChannelHandlerContext) {
        connection.start()
        context.fireChannelActive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) { connection.receive(fromClient: unwrapInboundIn(data)) }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}

private final class FromServer: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    private let connection: FaultyConnection

    init(_ connection: FaultyConnection) { self.connection = connection }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) { connection.receive(fromServer: unwrapInboundIn(data)) }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}
