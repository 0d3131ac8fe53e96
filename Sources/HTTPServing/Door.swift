import NIOCore
import Synchronization

/// The open connections of one port. The type admits connections up to the limits, and closes all connections when the port closes.
package final class Door: Sendable {
    private struct Guest {
        let channel: any Channel
        let address: CallerAddress?
    }

    private struct State {
        var listening: (any Channel)?
        var inside: [ObjectIdentifier: Guest] = [:]
        /// The number of open connections from each address.
        var counts: [CallerAddress: Int] = [:]
        /// The number of admitted connections whose handlers are not set up yet.
        var entering = 0
        var isClosing = false
        /// The number of connections admitted so far.
        var admitted = 0
        /// The tasks that wait for all connections to close.
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let limits: PortLimits
    private let refused: RefusedConnections
    private let state = Mutex(State())

    init(limits: PortLimits, refused: RefusedConnections) {
        self.limits = limits
        self.refused = refused
    }

    /// The number of open connections.
    package var count: Int { state.withLock { $0.inside.count } }

    package var admitted: Int { state.withLock { $0.admitted } }

    /// Waits until no connection is open. Unless the port is closing, another connection may be admitted later.
    package func whenEmpty() async {
        await withCheckedContinuation { continuation in
            let isEmpty = state.withLock { state in
                if !state.inside.isEmpty { state.waiting.append(continuation) }
                return state.inside.isEmpty
            }
            if isEmpty { continuation.resume() }
        }
    }

    /// Returns the first handler for the listening channel. It counts the connections.
    func keeper() -> DoorKeeper { DoorKeeper(door: self, refused: refused) }

    fileprivate func open(_ listening: any Channel) {
        let isLate = state.withLock { state in
            state.listening = listening
            return state.isClosing
        }
        if isLate { listening.close(promise: nil) }
    }

    /// Admits a connection, or closes it if a limit is reached or the port is closing.
    /// - Returns: whether the connection was admitted.
    fileprivate func admit(_ connection: any Channel) -> Bool {
        let isShort = ReserveDescriptor.isRunningShort
        let address = CallerAddress(connection.remoteAddress)
        let addressLimit = address.flatMap(limits.connections(of:))
        let reason: RefusedConnections.Reason? = state.withLock { state in
            if state.inside.count >= limits.connections { return .full(limit: limits.connections) }
            if let address, let addressLimit, state.counts[address, default: 0] >= addressLimit {
                return .fullForAddress(limit: addressLimit)
            }
            if isShort { return .noDescriptors(limit: ReserveDescriptor.limit) }
            if !state.isClosing {
                state.inside[ObjectIdentifier(connection)] = Guest(channel: connection, address: address)
                if let address { state.counts[address, default: 0] += 1 }
                state.entering += 1
                state.admitted += 1
            }
            return nil
        }
        if let reason { refused.add(reason) }
        guard state.withLock({ $0.inside[ObjectIdentifier(connection)] != nil }) else {
            connection.close(promise: nil)
            return false
        }
        connection.closeFuture.whenComplete { _ in self.leave(connection) }
        return true
    }

    /// Records that an admitted connection has been set up, or has failed.
    func noteEntered() {
        let listening = state.withLock { state -> (any Channel)? in
            state.entering -= 1
            return state.isClosing && state.entering == 0 ? state.listening : nil
        }
        if let listening { Self.closeSoon(listening) }
    }

    /// Closes the listening channel after 50 ms. If it closed at once, connections that are being handed over would stay open for
    /// ever.
    private static func closeSoon(_ listening: any Channel) {
        listening.eventLoop.scheduleTask(in: .milliseconds(50)) { listening.close(promise: nil) }
    }

    private func leave(_ connection: any Channel) {
        let waiting = state.withLock { state in
            if let address = state.inside.removeValue(forKey: ObjectIdentifier(connection))?.address {
                let rest = state.counts[address, default: 1] - 1
                state.counts[address] = rest > 0 ? rest : nil
            }
            guard state.inside.isEmpty else { return [CheckedContinuation<Void, Never>]() }
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting { continuation.resume() }
    }

    /// Stops admitting connections, and asks the open connections to end after the calls under way.
    package func beginClosing() {
        let (listening, inside) = state.withLock { state in
            state.isClosing = true
            return (state.entering == 0 ? state.listening : nil, state.inside)
        }
        if let listening { Self.closeSoon(listening) }
        for guest in inside.values { guest.channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent()) }
    }

    /// Closes all connections, and stops admitting new ones.
    package func closeNow() {
        let (listening, inside) = state.withLock { state in
            state.isClosing = true
            return (state.entering == 0 ? state.listening : nil, state.inside)
        }
        if let listening { Self.closeSoon(listening) }
        for guest in inside.values { guest.channel.close(promise: nil) }
    }
}

/// Counts the connections of a listening channel and closes those that exceed the limits. It is the channel's first handler.
/// If no descriptor is free, it refuses callers one by one, because the event loop would spin on a caller that it cannot accept.
final class DoorKeeper: ChannelInboundHandler {
    typealias InboundIn = any Channel
    typealias InboundOut = any Channel

    private let door: Door
    private let refused: RefusedConnections
    private var reserve = ReserveDescriptor()

    fileprivate init(door: Door, refused: RefusedConnections) {
        self.door = door
        self.refused = refused
    }

    func handlerAdded(context: ChannelHandlerContext) { door.open(context.channel) }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if door.admit(unwrapInboundIn(data)) { context.fireChannelRead(data) }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard let failure = error as? IOError, ReserveDescriptor.helps(against: failure.errnoCode) else {
            return context.fireErrorCaught(error)
        }
        let socket = try? context.pipeline.syncOperations.withUnsafeTransportIfAvailable(of: CInt.self) { $0 }
        switch socket.map({ reserve.turnAway(at: $0) }) {
        case .turnedAway: refused.add(.noDescriptors(limit: ReserveDescriptor.limit))
        case .nobodyThere: break
        case .failed, nil: pause(context.channel)
        }
    }

    /// Stops accepting connections for 100 ms, because even the reserve descriptor is in use. Callers wait in the system's queue.
    private func pause(_ listening: any Channel) {
        guard let options = listening.syncOptions, (try? options.setOption(.autoRead, value: false)) != nil else { return }
        listening.eventLoop.scheduleTask(in: .milliseconds(100)) { listening.setOption(.autoRead, value: true) }
    }
}
