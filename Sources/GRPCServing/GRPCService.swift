package import GRPCCore
package import NIOCore
import NIOHTTP2

/// A gRPC server for connections that another module accepts. It answers unary calls and streams on NIO's HTTP/2 frames, with limits and
/// deadlines.
///
/// The library's own server (`GRPCServer` over `HTTP2ServerTransport`) lacks two settings. One is NIO's limit of 200 control frames in 30
/// s. Clients in Go reach it, because they send a PING with nearly every call, and calls without pauses bring thousands of pings in a
/// second. The other is a limit for the memory of messages.
///
/// This module knows neither the engine nor its messages. Methods take and return encoded messages.
package struct GRPCService: Sendable {
    /// Maximum number of bytes that a client may send before it has read the settings. HTTP/2 fixes this number.
    static let firstWindowBytes = 65_535
    /// Maximum number of bytes that a client may send ahead, on one connection and for one call.
    static let connectionWindowBytes = 1 << 20
    static let streamWindowBytes = 1 << 18
    /// Maximum number of PINGs and other control frames in a tenth of a second. NIO reserves memory for each frame, so the time is short.
    private static let controlFrames = 2_000

    let methods: [String: GRPCMethod]
    let limits: GRPCLimits
    let budget: GRPCBudget
    /// The server's time, as HTTP writes it in a `date` header.
    let date: @Sendable () -> String
    private let rpcError: @Sendable (any Error) -> RPCError

    /// - Parameters:
    ///   - methods: the methods by their paths, `/SERVICE/METHOD`.
    ///   - date: the server's time, as HTTP writes it in a `date` header. Refusals contain it.
    ///   - rpcError: the status of a method's error that is neither an `RPCError` nor a cancellation.
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

    /// Number of bytes of `GRPCLimits.waitingBytes` in use.
    package var waitingBytes: Int { budget.takenBytes }

    /// Adds the handlers for the calls of a new connection. A handler for TLS must already be in the pipeline.
    package func addHandlers(to pipeline: ChannelPipeline.SynchronousOperations, isEncrypted: Bool) throws {
        let idle = IdleConnections(limits: limits, isEncrypted: isEncrypted)
        try pipeline.addHandler(idle)
        let wire = WireKeeper()
        try pipeline.addHandler(wire)
        var configuration = NIOHTTP2Handler.ConnectionConfiguration()
        configuration.controlFrameRateLimit.maximumCount = Self.controlFrames
        configuration.controlFrameRateLimit.windowLength = .milliseconds(100)
        // The rest of a message may still arrive after its header was refused.
        configuration.maximumRecentlyResetStreams = limits.callsPerConnection
        // A proxy's connection lasts for days, and this count is never reset. A malformed call each hour is not an attack, but 200 in 30 s
        // are, for which NIO has another limit.
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
        case is CancellationError: RPCError(code: .cancelled, message: "the call was cancelled")
        default: rpcError(error)
        }
    }
}
