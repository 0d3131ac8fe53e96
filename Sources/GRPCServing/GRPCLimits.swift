package import NIOCore

/// What a gRPC server takes from one connection.
package struct GRPCLimits: Sendable {
    /// A call's header, as HTTP/2 counts it, bytes.
    let headerBytes: Int
    /// A message, also after decompression, bytes.
    let messageBytes: Int
    /// The messages of a connection that are not complete, and decompressed ones until their calls are over, together, bytes.
    let waitingBytes: Int
    /// Calls that a connection may have under way.
    let callsPerConnection: Int
    /// From a call's header to the end of its message.
    let requestTime: TimeAmount
    /// For the TLS handshake.
    let handshakeTime: TimeAmount
    /// Until the first call.
    let firstCallTime: TimeAmount
    /// Between two calls.
    let idleTime: TimeAmount
    /// From telling a client to go until its connection is closed, without a call under way.
    let goodbyeTime: TimeAmount
    /// How long calls may go on when the server is told to end.
    let drainTime: TimeAmount

    package init(
        headerBytes: Int, messageBytes: Int, waitingBytes: Int, callsPerConnection: Int, requestTime: TimeAmount, handshakeTime: TimeAmount,
        firstCallTime: TimeAmount, idleTime: TimeAmount, goodbyeTime: TimeAmount, drainTime: TimeAmount
    ) {
        self.headerBytes = headerBytes
        self.messageBytes = messageBytes
        self.waitingBytes = waitingBytes
        self.callsPerConnection = callsPerConnection
        self.requestTime = requestTime
        self.handshakeTime = handshakeTime
        self.firstCallTime = firstCallTime
        self.idleTime = idleTime
        self.goodbyeTime = goodbyeTime
        self.drainTime = drainTime
    }
}
