package import NIOCore

/// The limits of a gRPC server.
package struct GRPCLimits: Sendable {
    /// Maximum size of a call's header, as HTTP/2 counts it, bytes.
    let headerBytes: Int
    /// Maximum size of a message, also after decompression, bytes.
    let messageBytes: Int
    /// Maximum memory of all connections together, bytes: messages of unanswered calls, also after decompression, and unsent answers.
    let waitingBytes: Int
    /// Additional memory of each connection, which does not count towards `waitingBytes`, bytes.
    let ownBytes: Int
    /// Maximum size of a connection's unsent answers together, bytes.
    let unreadBytes: Int
    /// Maximum time for which a client reads nothing of its answers.
    let unreadTime: TimeAmount
    /// Maximum number of simultaneous calls of a connection.
    let callsPerConnection: Int
    /// Maximum number of a connection's calls that are answered with a stream of messages.
    let watchesPerConnection: Int
    /// Maximum time from a call's header to the end of its message.
    let requestTime: TimeAmount
    /// Maximum time of a TLS handshake.
    let handshakeTime: TimeAmount
    /// Maximum time until the first call.
    let firstCallTime: TimeAmount
    /// Maximum time between two calls.
    let idleTime: TimeAmount
    /// The time from GOAWAY to the close of a connection without calls.
    let goodbyeTime: TimeAmount
    /// Maximum time for which calls may continue after the server begins to shut down.
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
