import GRPCServing
import HTTPServing
import NIOCore
import NIOSSL

/// Accepts gRPC connections on a port, within the connection limits of the port, and answers their calls.
struct GRPCConnections: Sendable {
    let port: ServerPort
    /// The certificate of the port; nil if the port does not use TLS.
    let certificate: PortCertificate?
    let service: GRPCService

    /// Listens and answers calls. Returns when the port has been closed and the last connection has ended.
    ///
    /// - Parameter onListening: receives the bound address.
    /// - Throws: `ListenError` if the address cannot be bound.
    func serve(onListening: (ServerAddress) -> Void) async throws {
        let listening = try await port.listen { channel in
            channel.eventLoop.makeCompletedFuture { try addHandlers(to: channel.pipeline.syncOperations) }
        }
        onListening(port.bound(listening))
        // The socket is closed even if `closeFuture` fails.
        try? await listening.closeFuture.get()
        await port.door.whenEmpty()
    }

    private func addHandlers(to pipeline: ChannelPipeline.SynchronousOperations) throws {
        if let certificate { try pipeline.addHandler(NIOSSLServerHandler(context: certificate.context)) }
        try service.addHandlers(to: pipeline, isEncrypted: certificate != nil)
    }
}
