public import GRPCCore
import GRPCNIOTransportHTTP2Posix
import Glibc

/// A local engine as a gRPC server on a TCP port.
///
/// ```swift
/// let server = try LocalFleetEngineServer(engine: engine, host: "127.0.0.1", port: 0)
/// try await withThrowingTaskGroup(of: Void.self) { group in
///     group.addTask { try await server.serve() }
///     print("listening grpc=\(try await server.listeningAddress)")
///     …
///     server.beginGracefulShutdown()
/// }
/// ```
public struct LocalFleetEngineServer: Sendable {
    /// How connections are protected.
    public enum Security: Hashable, Sendable {
        case plaintext
        /// PEM files; the certificate file may hold a chain, the server's own first.
        case tls(certificateFile: String, keyFile: String)
    }

    /// Where a server listens.
    public struct Address: Hashable, Sendable, CustomStringConvertible {
        /// An IP address.
        public var host: String
        public var port: Int

        /// `127.0.0.1:50051`, `[::1]:50051`.
        public var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
    }

    /// Why a server does not listen. The text is one sentence.
    public struct ListenError: Error, Hashable, Sendable, CustomStringConvertible {
        public let description: String
    }

    /// The largest request that is read, bytes. A route of 200,000 points takes about 1 MB.
    public static let maximumMessageBytes = 8 * 1024 * 1024
    /// Calls that one connection may have under way.
    private static let callsPerConnection = 1_000

    /// The address asked for; its port may be 0, which lets the system choose one.
    public let requestedAddress: Address
    private let server: GRPCServer<HTTP2ServerTransport.Posix>

    /// - Parameters:
    ///   - host: an IPv4 or IPv6 address, or `localhost`.
    ///   - port: 0 for any free one.
    ///   - interceptors: what looks at a call before the services do, such as a check of tokens.
    /// - Throws: `ListenError` when host or port cannot be one.
    public init(
        engine: LocalFleetEngine, host: String = "127.0.0.1", port: Int = 50_051, security: Security = .plaintext,
        interceptors: [any ServerInterceptor] = []
    ) throws(ListenError) {
        let address = try Self.address(host: host, port: port)
        requestedAddress = address
        let transport = HTTP2ServerTransport.Posix(
            address: address.host.contains(":")
                ? .ipv6(host: address.host, port: address.port) : .ipv4(host: address.host, port: address.port),
            transportSecurity: Self.transportSecurity(security), config: Self.transportConfig)
        server = GRPCServer(transport: transport, services: engine.services, interceptors: interceptors)
    }

    /// Listens, and answers calls until `beginGracefulShutdown` was called and the last call has ended. Once only.
    ///
    /// - Throws: `ListenError` when the address cannot be bound or the certificate cannot be used.
    public func serve() async throws {
        do {
            try await server.serve()
        } catch let error as RuntimeError {
            throw ListenError(description: "cannot listen on \(requestedAddress): \(Self.reason(error))")
        }
    }

    /// What lies at the bottom of a failure. The socket layer tells its reason only as a number inside a text.
    private static func reason(_ error: RuntimeError) -> String {
        var innermost: any Error = error
        while let cause = (innermost as? RuntimeError)?.cause { innermost = cause }
        let text = (innermost as? RuntimeError)?.message ?? "\(innermost)"
        let known: [(Int32, String)] = [
            (EADDRINUSE, "another program listens there"), (EADDRNOTAVAIL, "this machine has no such address"),
            (EACCES, "ports below 1024 need special rights"),
        ]
        if let found = known.first(where: { text.contains("(errno: \($0.0))") }) { return found.1 }
        return text == "failedToLoadCertificate" || text == "failedToLoadPrivateKey"
            ? "the certificate or its key cannot be read" : text
    }

    /// Where it listens; waits until it does.
    ///
    /// - Throws: `ListenError` when it does not, or no longer.
    public var listeningAddress: Address {
        get async throws {
            let bound = try? await server.transport.listeningAddress
            if let address = bound?.ipv4 { return Address(host: address.host, port: address.port) }
            if let address = bound?.ipv6 { return Address(host: address.host, port: address.port) }
            throw ListenError(description: "the server does not listen on \(requestedAddress)")
        }
    }

    /// Takes no new calls, lets those under way end, for 5 seconds at most, and then lets `serve` return.
    public func beginGracefulShutdown() { server.beginGracefulShutdown() }

    private static func address(host: String, port: Int) throws(ListenError) -> Address {
        guard (0...65_535).contains(port) else { throw ListenError(description: "\(port) is no port: 0 to 65535 are") }
        let bare = host.hasPrefix("[") && host.hasSuffix("]") ? String(host.dropFirst().dropLast()) : host
        let text = bare == "localhost" ? "127.0.0.1" : bare
        var bytes = in6_addr()
        guard inet_pton(AF_INET, text, &bytes) == 1 || inet_pton(AF_INET6, text, &bytes) == 1 else {
            throw ListenError(description: "\(host) is no IP address to listen on")
        }
        return Address(host: text, port: port)
    }

    private static func transportSecurity(_ security: Security) -> HTTP2ServerTransport.Posix.TransportSecurity {
        switch security {
        case .plaintext: .plaintext
        case .tls(let certificateFile, let keyFile):
            .tls(
                certificateChain: [.file(path: certificateFile, format: .pem)], privateKey: .file(path: keyFile, format: .pem))
        }
    }

    /// Consumers that wait for hours keep their connection alive with pings of their own, so these are allowed also between calls.
    private static var transportConfig: HTTP2ServerTransport.Posix.Config {
        .defaults { config in
            config.rpc.maxRequestPayloadSize = maximumMessageBytes
            config.http2.maxConcurrentStreams = callsPerConnection
            config.connection.maxGraceTime = .seconds(5)
            config.connection.keepalive.clientBehavior.allowWithoutCalls = true
            config.connection.keepalive.clientBehavior.minPingIntervalWithoutCalls = .seconds(10)
        }
    }
}
