import FleetEngine
import NIOCore
import NIOHTTP2
import NIOSSL

/// Accepts gRPC connections at a port with a door, and answers their calls.
struct GRPCConnections: Sendable {
    /// What a client may send before it hears anything: HTTP/2's own figure, bytes.
    static let firstWindowBytes = 65_535
    /// What a client may be ahead with on one connection, and with one call, bytes.
    static let connectionWindowBytes = 1 << 20
    static let streamWindowBytes = 1 << 18

    let port: ServerPort
    let limits: ServerLimits
    /// Nil without TLS.
    let certificate: PortCertificate?
    /// By their paths.
    let methods: [String: GRPCMethod]
    /// The server's clock.
    let time: any TimeSource

    /// Listens, and answers until the port's door is closed and the last connection has ended.
    ///
    /// - Parameter onListening: told the bound address.
    /// - Throws: `ListenError` when the address cannot be bound.
    func serve(onListening: (LocalFleetEngineServer.Address) -> Void) async throws {
        let listening = try await port.listen { channel in
            channel.eventLoop.makeCompletedFuture { try addHandlers(to: channel.pipeline.syncOperations) }
        }
        onListening(port.bound(listening))
        // However it was closed, it is.
        try? await listening.closeFuture.get()
        await port.door.whenEmpty()
    }

    private func addHandlers(to pipeline: ChannelPipeline.SynchronousOperations) throws {
        if let certificate { try pipeline.addHandler(NIOSSLServerHandler(context: certificate.context)) }
        let idle = IdleConnections(limits: limits, isEncrypted: certificate != nil)
        try pipeline.addHandler(idle)
        var configuration = NIOHTTP2Handler.ConnectionConfiguration()
        configuration.initialSettings = [
            HTTP2Setting(parameter: .maxConcurrentStreams, value: limits.callsPerConnection),
            HTTP2Setting(parameter: .maxHeaderListSize, value: limits.headerBytes),
            HTTP2Setting(parameter: .initialWindowSize, value: Self.streamWindowBytes),
        ]
        try pipeline.addHandler(NIOHTTP2Handler(mode: .server, connectionConfiguration: configuration))
        try pipeline.addHandler(GRPCConnection(methods: methods, limits: limits, idle: idle, time: time))
    }
}
