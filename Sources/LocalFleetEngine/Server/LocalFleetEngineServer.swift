import FleetEngine
public import FleetEngineAccess
import GRPCServing
public import HTTPServing

/// The gRPC server of a local engine, on a TCP port.
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
    /// The security of connections: TLS or plaintext.
    public typealias Security = ServerSecurity
    /// The address that a server listens on.
    public typealias Address = ServerAddress
    /// The reason why a server cannot listen, as one sentence.
    public typealias ListenError = HTTPServing.ListenError

    /// Whether a server can listen on a host: an IPv4 or IPv6 address, with or without brackets, or `localhost`.
    public static func isListenable(_ host: String) -> Bool { ServerAddress.isListenable(host) }

    /// The address that was requested. If its port is 0, the system chooses a free port.
    public var requestedAddress: Address { connections.port.address }
    private let connections: GRPCConnections
    private let bound = BoundAddress()
    private let health: ServerHealth

    /// - Parameters:
    ///   - host: an IPv4 or IPv6 address, or `localhost`.
    ///   - port: 0 for any free port.
    ///   - refused: counts the refused connections.
    ///   - gate: checks the tokens of calls; nil accepts every call.
    ///   - health: provides the answers to health checks, which need no token.
    /// - Throws: `ListenError` if the host or the port is invalid, or the certificate cannot be used.
    public init(
        engine: LocalFleetEngine, host: String = "127.0.0.1", port: Int = 50_051, security: Security = .plaintext,
        limits: ServerLimits = ServerLimits(), refused: RefusedConnections = RefusedConnections(), gate: AccessGate? = nil,
        health: ServerHealth = ServerHealth()
    ) throws(ListenError) {
        try self.init(
            methods: EngineMethods(engine: engine, gate: gate).all, host: host, port: port, security: security, limits: limits,
            refused: refused, health: health, time: engine.time)
    }

    /// - Parameter methods: the methods by path, except those of health checks.
    init(
        methods: [String: GRPCMethod], host: String, port: Int, security: Security, limits: ServerLimits, refused: RefusedConnections,
        health: ServerHealth, time: any TimeSource
    ) throws(ListenError) {
        self.health = health
        connections = GRPCConnections(
            port: try ServerPort(host: host, port: port, limits: limits.port, refused: refused),
            certificate: try PortCertificate(security, protocols: ["grpc-exp", "h2"]),
            service: GRPCService(
                methods: methods.merging(HealthMethods(health: health).all) { own, _ in own }, limits: limits.grpc,
                date: { HTTPDate.text(time.now()) }, rpcError: { FleetEngineError.rpcError($0) }))
    }

    /// Listens and answers calls. Returns when `beginGracefulShutdown` has been called and the last call has ended, or when the task is
    /// cancelled. Call it once only.
    ///
    /// - Parameter onListening: receives the bound address.
    /// - Throws: `ListenError` if the address cannot be bound.
    public func serve(onListening: (Address) -> Void = { _ in }) async throws {
        defer { bound.end() }
        try await withTaskCancellationHandler {
            try await connections.serve { address in
                bound.note(address)
                onListening(address)
            }
        } onCancel: {
            endNow()
        }
    }

    /// The address to which the server is bound. Waits until the server listens.
    ///
    /// - Throws: `ListenError` if the server cannot listen, or no longer listens.
    public var listeningAddress: Address {
        get async throws {
            if let address = await bound.value { return address }
            throw ListenError(description: "the server is not listening on \(requestedAddress)")
        }
    }

    /// Reads the certificate's files again. New connections use the new certificate. If the files cannot be used, the
    /// certificate stays unchanged.
    /// - Throws: a `ListenError` that names the file and the fault.
    public func readCertificateAgain() throws(ListenError) { try connections.certificate?.readAgain() }

    /// Number of open connections.
    var connectionCount: Int { connections.port.door.count }

    /// Memory now in use that counts towards `ServerLimits.waitingBytes`, in bytes.
    var waitingBytes: Int { connections.service.waitingBytes }

    /// Number of connections accepted so far.
    package var acceptedConnections: Int { connections.port.door.admitted }

    /// Stops accepting calls, finishes the calls under way, and then lets `serve` return.
    public func beginGracefulShutdown() {
        health.noteEnding()
        connections.port.door.beginClosing()
    }

    /// Cuts off the calls that are still under way, so that `serve` returns.
    public func endNow() { connections.port.door.closeNow() }
}
