import GRPCNIOTransportHTTP2Posix
import NIOCore
import NIOPosix
import NIOSSL

/// Accepts gRPC connections at a port with a door, and ends those that are of no use.
struct EngineListener: HTTP2ServerTransport.ListenerFactory {
    let port: ServerPort
    let limits: ServerLimits
    /// Nil without TLS.
    let certificate: PortCertificate?
    let bound = BoundAddress()
    var eventLoopGroup: any EventLoopGroup { MultiThreadedEventLoopGroup.singleton }

    func makeListeningChannel(
        listenerConfigurator: HTTP2ServerTransport.ListenerConfigurator,
        connectionConfigurator: HTTP2ServerTransport.ConnectionConfigurator
    ) async throws -> NIOAsyncChannel<HTTP2ServerTransport.ConnectionConfigurator.ConnectionChannel, Never> {
        let listening = try await port.listen(halfClosure: false, prepare: listenerConfigurator.configure) { channel in
            channel.eventLoop.makeCompletedFuture {
                if let certificate { try channel.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: certificate.context)) }
                try channel.pipeline.syncOperations.addHandler(IdleConnections(limits: limits, isEncrypted: certificate != nil))
            }.flatMap {
                connectionConfigurator.configure(channel: channel, tls: certificate == nil ? .none : .configured(requireALPN: false))
            }
        }
        bound.note(port.bound(listening.channel))
        return listening
    }

    /// How the connections are run. Consumers that wait for hours keep theirs alive with pings of their own, so these are allowed also
    /// between calls.
    var transportConfig: HTTP2ServerTransport.Custom<EngineListener>.Config {
        var config = HTTP2ServerTransport.Custom<EngineListener>.Config.defaults
        // The library cuts a call off whose message is larger, so that its caller is told nothing; up to here he is told why.
        config.rpc.maxRequestPayloadSize = 2 * limits.messageBytes
        config.http2.maxConcurrentStreams = limits.callsPerConnection
        config.connection.maxGraceTime = .seconds(limits.drainSeconds)
        config.connection.keepalive.clientBehavior.allowWithoutCalls = true
        config.connection.keepalive.clientBehavior.minPingIntervalWithoutCalls = .seconds(10)
        // To wait for more to send would take longer than most calls.
        config.connection.flushCoalescing = nil
        config.channelDebuggingCallbacks.onAcceptHTTP2Stream = { IdleConnections.noteCall($0) }
        return config
    }
}
