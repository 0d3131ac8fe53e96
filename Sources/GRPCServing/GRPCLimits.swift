package import NIOCore

/// What a gRPC server takes from its connections.
package struct GRPCLimits: Sendable {
    /// A call's header, as HTTP/2 counts it, bytes.
    let headerBytes: Int
    /// A message, also after decompression, bytes.
    let messageBytes: Int
    /// Of all connections together: messages until their calls are answered, also after decompression, and answers that are not sent. Bytes.
    let waitingBytes: Int
    /// What each connection may take of these besides, bytes.
    let ownBytes: Int
    /// The answers of a connection that are not sent, bytes.
    let unreadBytes: Int
    /// How long a client may read nothing of its answers.
    let unreadTime: TimeAmount
    /// Calls that a connection may have under way.
    let callsPerConnection: Int
    /// Calls of one connection that are told one message after another.
    let watchesPerConnection: Int
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
        headerBytes: Int, messageBytes: Int, waitingBytes: Int, ownBytes: Int, unreadBytes: Int, unreadTime: TimeAmount,
        callsPerConnection: Int, watchesPerConnection: Int, requestTime: TimeAmount, handshakeTime: TimeAmount, firstCallTime: TimeAmount,
        idleTime: TimeAmount, goodbyeTime: TimeAmount, drainTime: TimeAmount
    ) {
        self.headerBytes = headerBytes
        self.messageBytes = messageBytes
        self.waitingBytes = waitingBytes
        self.ownBytes = ownBytes
        self.unreadBytes = unreadBytes
        self.unreadTime = unreadTime
        self.callsPerConnection = callsPerConnection
        self.watchesPerConnection = watchesPerConnection
        self.requestTime = requestTime
        self.handshakeTime = handshakeTime
        self.firstCallTime = firstCallTime
        self.idleTime = idleTime
        self.goodbyeTime = goodbyeTime
        self.drainTime = drainTime
    }
}
