package import GRPCCore
package import NIOCore
import NIOHTTP2

/// A gRPC server for connections that another module accepts: unary calls and streamed answers on NIO's HTTP/2 frames, with limits and
/// deadlines.
///
/// The server is our own because the library's (`GRPCServer` over `HTTP2ServerTransport`) lacks two settings: for NIO's limit of 200 control
/// frames in 30 s, which clients in Go reach because they send a PING with nearly every call, and for the memory that messages take.
/// Calls that follow each other without a pause bring thousands of pings in a second.
///
/// This module knows neither the engine nor its messages. Methods take and return encoded messages.
package struct GRPCService: Sendable {
    /// What a client may send before it hears anything: HTTP/2's own figure, bytes.
    static let firstWindowBytes = 65_535
    /// What a client may be ahead with on one connection, and with one call, bytes.
    static let connectionWindowBytes = 1 << 20
    static let streamWindowBytes = 1 << 18
    /// PINGs and other control frames that a client may send in a tenth of a second. NIO reserves memory for each, so the time is short.
    private static let controlFrames = 2_000

    /// By their paths.
    let methods: [String: GRPCMethod]
    let limits: GRPCLimits
    /// What all connections may take together.
    let budget: GRPCBudget
    /// The server's time, as HTTP writes it in a `date` header.
    let date: @Sendable () -> String
    private let rpcError: @Sendable (any Error) -> RPCError

    /// - Parameters:
    ///   - methods: by their paths, `/SERVICE/METHOD`.
    ///   - date: the server's time, as HTTP writes it in a `date` header; refusals carry it.
    ///   - rpcError: the status of an error that a method has thrown and that is neither an `RPCError` nor a cancellation.
    package init(
        methods: [String: GRPCMethod], limits: GRPCLimits, date: @escaping @Sendable () -> String,
        rpcError: @escaping @Sendable (any Error) -> RPCError
    ) {
        self.methods = methods
        self.limits = limits
        budget = GRPCBudget(limit: limits.waitingBytes)
        self.date = date
        self.rpcError = rpcError
    }

    /// Adds the handlers that answer the calls of a new connection. Those of TLS stand before them.
    package func addHandlers(to pipeline: ChannelPipeline.SynchronousOperations, isEncrypted: Bool) throws {
        let idle = IdleConnections(limits: limits, isEncrypted: isEncrypted)
        try pipeline.addHandler(idle)
        let wire = WireKeeper()
        try pipeline.addHandler(wire)
        var configuration = NIOHTTP2Handler.ConnectionConfiguration()
        configuration.controlFrameRateLimit.maximumCount = Self.controlFrames
        configuration.controlFrameRateLimit.windowLength = .milliseconds(100)
        // The rest of messages that are refused at their headers may still be on the way.
        configuration.maximumRecentlyResetStreams = limits.callsPerConnection
        // A proxy's connection lasts for days, and a malformed call in an hour is no attack. 200 in 30 s still are.
        configuration.maximumConnectionGlitches = .max
        configuration.initialSettings = [
            HTTP2Setting(parameter: .maxConcurrentStreams, value: limits.callsPerConnection),
            HTTP2Setting(parameter: .maxHeaderListSize, value: limits.headerBytes),
            HTTP2Setting(parameter: .initialWindowSize, value: Self.streamWindowBytes),
        ]
        try pipeline.addHandler(NIOHTTP2Handler(mode: .server, frameDelegate: wire, connectionConfiguration: configuration))
        try pipeline.addHandler(GRPCConnection(service: self, idle: idle, wire: wire))
    }

    /// The status of a call that ended with an error.
    func failure(_ error: any Error) -> RPCError {
        switch error {
        case let error as RPCError: error
        case is CancellationError: RPCError(code: .cancelled, message: "the call was given up")
        default: rpcError(error)
        }
    }
}
