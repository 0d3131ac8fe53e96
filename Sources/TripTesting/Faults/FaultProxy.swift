import Glibc
import NIOCore
import NIOPosix
import Synchronization

/// A port on loopback that forwards connections to a server, and injects the faults that a test sets. TLS is forwarded without decryption.
public final class FaultProxy: Sendable {
    private struct State {
        var fault = ConnectionFault.none
        /// The number of times that the fault has changed.
        var era = 0
        var listener: (any Channel)?
        var connections: [ObjectIdentifier: any Channel] = [:]
        var connectionCount = 0
    }

    /// The port that clients connect to. While connections are refused, the proxy keeps the port, so that no other program gets it.
    public let port: Int
    private let target: Int
    private let reservation: UnansweredPort
    private let state = Mutex(State())

    private init(target: Int) throws {
        self.target = target
        reservation = try UnansweredPort(isShared: true)
        port = reservation.number
    }

    /// The address that clients connect to: `127.0.0.1:PORT`.
    public var address: String { "127.0.0.1:\(port)" }

    /// The number of connections so far.
    public var connectionCount: Int { state.withLock { $0.connectionCount } }

    /// Forwards connections to a port of this machine while `body` runs.
    ///
    /// - Parameters:
    ///   - target: the port of the server.
    ///   - fault: the initial fault.
    public static func with<Value>(
        to target: Int, _ fault: ConnectionFault = .none, _ body: (FaultProxy) async throws -> Value
    ) async throws -> Value {
        let proxy = try FaultProxy(target: target)
        do {
            try await proxy.set(fault)
            let value = try await body(proxy)
            await proxy.stop()
            return value
        } catch {
            await proxy.stop()
            throw error
        }
    }

    /// Changes the fault. The new fault also affects the next bytes of open connections. A connection that has lost bytes never works
    /// again.
    public func set(_ fault: ConnectionFault) async throws {
        let isListening = state.withLock { state in
            state.fault = fault
            state.era += 1
            return state.listener != nil
        }
        if fault == .refuse {
            await stop()
        } else if !isListening {
            let listener = try await listen()
            state.withLock { $0.listener = listener }
        }
    }

    private func stop() async {
        let channels = state.withLock { state in
            defer { state.listener = nil }
            return [state.listener].compactMap { $0 } + state.connections.values
        }
        for channel in channels { try? await channel.close() }
    }

    private func listen() async throws -> any Channel {
        let bootstrap = ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelInitializer { [self] client in accept(client) }
        let deadline = ContinuousClock.now + .seconds(10)
        while true {
            do {
                return try await bootstrap.bind(host: "127.0.0.1", port: port).get()
            } catch let error as IOError where error.errnoCode == EADDRINUSE && ContinuousClock.now < deadline {
                // While the proxy was not listening, the system may have given the port to another connection.
                try await Task.sleep(for: .milliseconds(50))
            }
        }
    }

    private func accept(_ client: any Channel) -> EventLoopFuture<Void> {
        note(client)
        let connection = FaultyConnection(client: client) { [self] in state.withLock { ($0.fault, $0.era) } }
        let bound = NIOLoopBound(connection, eventLoop: client.eventLoop)
        return ClientBootstrap(group: client.eventLoop)
            .channelOption(.autoRead, value: false)
            .channelInitializer { server in
                server.eventLoop.makeCompletedFuture { try bound.value.listen(to: server) }
            }
            .connect(host: "127.0.0.1", port: target)
            .flatMapThrowing { server in try bound.value.join(server) }
    }

    private func note(_ client: any Channel) {
        let id = ObjectIdentifier(client)
        state.withLock { state in
            state.connections[id] = client
            state.connectionCount += 1
        }
        client.closeFuture.whenComplete { [self] _ in state.withLock { state in state.connections[id] = nil } }
    }
}
