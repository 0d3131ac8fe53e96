import Files
import Glibc
package import NIOCore
import NIOPosix

/// A TCP port with connection limits.
package struct ServerPort: Sendable {
    /// The event loop on which all ports accept connections. They share it so that no port can take the descriptor that another port
    /// frees for a moment (`ReserveDescriptor`).
    private static let accepting = MultiThreadedEventLoopGroup.singleton.next()
    /// The maximum number of callers in the system's queue.
    private static let backlog: Int32 = 256

    package let address: ServerAddress
    package let door: Door

    /// - Parameters:
    ///   - host: an IPv4 or IPv6 address, or `localhost`.
    ///   - port: 0 for any free port.
    package init(host: String, port: Int, limits: PortLimits, refused: RefusedConnections) throws(ListenError) {
        guard (0...65_535).contains(port) else { throw .init(description: "\(port) is not a port: use a number from 0 to 65535") }
        guard let text = Self.found(host, port: port)?.ipAddress else {
            throw .init(description: "\(host) is not an IP address to listen on")
        }
        address = ServerAddress(host: text, port: port)
        door = Door(limits: limits, refused: refused)
    }

    /// Returns the socket address of a host; nil if the text is not an address.
    static func found(_ host: String, port: Int) -> SocketAddress? {
        let bare = host.hasPrefix("[") && host.hasSuffix("]") ? String(host.dropFirst().dropLast()) : host
        return try? SocketAddress(ipAddress: bare == "localhost" ? "127.0.0.1" : bare, port: port)
    }

    /// Starts to listen. Returns a channel that yields the accepted connections, so that tasks can serve them.
    ///
    /// - Parameters:
    ///   - halfClosure: whether a client still gets an answer after it has closed its sending half.
    ///   - accept: sets up each accepted connection.
    /// - Throws: `ListenError` if the address cannot be bound.
    func listen<Connection: Sendable>(
        halfClosure: Bool, accept: @escaping @Sendable (any Channel) -> EventLoopFuture<Connection>
    ) async throws -> NIOAsyncChannel<Connection, Never> {
        do {
            return try await bootstrap.childChannelOption(.allowRemoteHalfClosure, value: halfClosure)
                .bind(
                    to: try SocketAddress(ipAddress: address.host, port: address.port),
                    childChannelInitializer: { channel in accept(channel).always { _ in door.noteEntered() } })
        } catch {
            throw listenError(error)
        }
    }

    /// Starts to listen. Each accepted connection is served by the handlers of its channel.
    ///
    /// - Parameter accept: adds the handlers to each accepted channel.
    /// - Throws: `ListenError` if the address cannot be bound.
    package func listen(accept: @escaping @Sendable (any Channel) -> EventLoopFuture<Void>) async throws -> any Channel {
        do {
            return try await bootstrap.childChannelInitializer { channel in accept(channel).always { _ in door.noteEntered() } }
                .bind(to: try SocketAddress(ipAddress: address.host, port: address.port)).get()
        } catch {
            throw listenError(error)
        }
    }

    private var bootstrap: ServerBootstrap {
        ServerBootstrap(group: Self.accepting, childGroup: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.backlog, value: Self.backlog)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .serverChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture { try channel.pipeline.syncOperations.addHandler(door.keeper()) }
            }
    }

    private func listenError(_ error: any Error) -> ListenError {
        let code = (error as? IOError)?.errnoCode
        let isPortPrivileged = code == EACCES && (1..<1024).contains(address.port)
        let reason = isPortPrivileged ? "ports below 1024 require elevated privileges" : Self.reason(error)
        return .init(
            description: "cannot listen on \(address): \(reason)", isPortTaken: code == EADDRINUSE, isPortPrivileged: isPortPrivileged)
    }

    /// Returns the address of a listening channel.
    package func bound(_ channel: any Channel) -> ServerAddress {
        ServerAddress(host: address.host, port: channel.localAddress?.port ?? address.port)
    }

    private static func reason(_ error: any Error) -> String {
        guard let error = error as? IOError else { return "\(error)" }
        return switch error.errnoCode {
        case EADDRINUSE: "another program already uses this port"
        case EADDRNOTAVAIL: "this machine has no such address"
        case EACCES: "your system user is not allowed to use the port"
        default: SystemError(error.errnoCode).words
        }
    }
}
