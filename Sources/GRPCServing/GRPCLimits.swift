package import NIOCore

/// The limits of a gRPC server.
package struct GRPCLimits: Sendable {
    /// The most bytes of a call's header, as HTTP/2 counts them.
    let headerBytes: Int
    /// The most bytes of a message, also after decompression.
    let messageBytes: Int
    /// The most bytes of all connections together: messages of unanswered calls, also after decompression, and unsent answers.
    let waitingBytes: Int
    /// The most bytes of one connection besides `waitingBytes`.
    let ownBytes: Int
    /// The most bytes of a connection's unsent answers.
    let unreadBytes: Int
    /// The longest time in which a client reads nothing of its answers.
    let unreadTime: TimeAmount
    /// The most calls of a connection at the same time.
    let callsPerConnection: Int
    /// The most calls of a connection that get one message after another.
    let watchesPerConnection: Int
    /// The longest time from a call's header to the end of its message.
    let requestTime: TimeAmount
    /// The longest time of a TLS handshake.
    let handshakeTime: TimeAmount
    /// The longest time until the first call.
    let firstCallTime: TimeAmount
    /// The longest time between two calls.
    let idleTime: TimeAmount
    /// The time from GOAWAY to the close of a connection without calls.
    let goodbyeTime: TimeAmount
    /// The longest time for calls under way when the server ends.
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
