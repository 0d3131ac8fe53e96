package import GRPCCore
import HTTP2Frames
package import NIOCore
import NIOHTTP2

/// A gRPC server without a socket of its own: another module accepts the connections. It answers unary calls, and calls whose answers are
/// streams. It works with NIO's HTTP/2 frames, and applies limits and deadlines.
///
/// The server of the gRPC library (`GRPCServer` over `HTTP2ServerTransport`) cannot limit the memory of messages. Nor can it
/// raise NIO's limit of 200 control frames in 30 s. Clients written in Go exceed this limit, because they send a PING with nearly
/// every call.
///
/// This module knows neither the engine nor its messages. Methods take and return encoded messages.
package struct GRPCService: Sendable {
    /// Number of bytes that a client may send before it has read the settings. HTTP/2 fixes this number.
    static let firstWindowBytes = 65_535
    /// Flow-control windows: the bytes that a client may send ahead of the server's reads, per connection and per call.
    static let connectionWindowBytes = 1 << 20
    static let streamWindowBytes = 1 << 18
    /// Maximum number of PINGs and other control frames in a tenth of a second. The interval is short because NIO reserves memory for each
    /// frame.
    private static let controlFrames = 2_000
    /// A client's connection is closed at this number of GOAWAYs. Ordinary clients send at most two. NIO itself does not limit the number
    /// of GOAWAYs.
    static let mostGoAways = 100
    /// Maximum number of frames in which a header continues. A header of 128 KiB needs 7 of them.
    private static let continuationFrames = 8

    let methods: [String: GRPCMethod]
    let limits: GRPCLimits
    let budget: GRPCBudget
    /// Returns the server's time, in the format of an HTTP `date` header.
    let date: @Sendable () -> String
    private let rpcError: @Sendable (any Error) -> RPCError

    /// - Parameters:
    ///   - methods: the methods by their paths, `/SERVICE/METHOD`.
    ///   - date: returns the server's time, in the format of an HTTP `date` header. Refusals contain it.
    ///   - rpcError: converts an error of a method to a status. It is not called for an `RPCError` or a cancellation.
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

    /// Number of bytes of `GRPCLimits.waitingBytes` that are in use.
    package var waitingBytes: Int { budget.takenBytes }

    /// Adds the handlers for the calls of a new connection. If the connection uses TLS, the TLS handler must already be in the pipeline.
    package func addHandlers(to pipeline: ChannelPipeline.SynchronousOperations, isEncrypted: Bool) throws {
        let idle = IdleConnections(limits: limits, isEncrypted: isEncrypted)
        try pipeline.addHandler(idle)
        try pipeline.addHandler(FrameSplitter(of: .client))
        let wire = WireKeeper()
        try pipeline.addHandler(wire)
        var configuration = NIOHTTP2Handler.ConnectionConfiguration()
        configuration.controlFrameRateLimit.maximumCount = Self.controlFrames
        configuration.controlFrameRateLimit.windowLength = .milliseconds(100)
        configuration.maximumSequentialContinuationFrames = Self.continuationFrames
        // After a header has been refused, the rest of the message may still arrive.
        configuration.maximumRecentlyResetStreams = limits.callsPerConnection
        // NIO never resets this count, so rare malformed calls would in the end close a proxy's connection. NIO's separate limit
        // on the rate, 200 malformed calls in 30 s, still applies.
        configuration.maximumConnectionGlitches = .max
        configuration.initialSettings = [
            HTTP2Setting(parameter: .maxConcurrentStreams, value: limits.callsPerConnection),
            HTTP2Setting(parameter: .maxHeaderListSize, value: limits.headerBytes),
            HTTP2Setting(parameter: .initialWindowSize, value: Self.streamWindowBytes),
        ]
        try pipeline.addHandler(NIOHTTP2Handler(mode: .server, frameDelegate: wire, connectionConfiguration: configuration))
        try pipeline.addHandler(GRPCConnection(service: self, idle: idle, wire: wire))
    }

    /// Returns the status of a call that ended with an error.
    func failure(_ error: any Error) -> RPCError {
        switch error {
        case let error as RPCError: error
        case is CancellationError: RPCError(code: .cancelled, message: "the call was cancelled")
        default: rpcError(error)
        }
    }
}
