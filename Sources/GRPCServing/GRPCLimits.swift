package import NIOCore

/// The limits of a gRPC server.
package struct GRPCLimits: Sendable {
    /// Maximum size of a call's header, as HTTP/2 counts it, in bytes. A larger header ends its call.
    let headerBytes: Int
    /// Size of a header beyond which NIO ends the whole connection, in bytes.
    var headerBytesOfConnection: Int { 2 * headerBytes }
    /// Maximum size of a message, before and after decompression, in bytes.
    let messageBytes: Int
    /// Maximum memory of all connections together, in bytes. It counts the tokens and messages of unanswered calls, and the messages'
    /// decompressed forms. It also counts unsent answers.
    let waitingBytes: Int
    /// Memory of each connection that does not count towards `waitingBytes`, in bytes.
    let ownBytes: Int
    /// Maximum size of the unsent answers on one connection, in bytes.
    let unreadBytes: Int
    /// Maximum time during which a client reads nothing although answers are waiting for it.
    let unreadTime: TimeAmount
    /// Maximum number of simultaneous calls on one connection.
    let callsPerConnection: Int
    /// Maximum number of calls on one connection whose answers are streams of messages.
    let watchesPerConnection: Int
    /// Maximum time from a call's header to the end of its message.
    let requestTime: TimeAmount
    /// Maximum time of a TLS handshake.
    let handshakeTime: TimeAmount
    /// Maximum time until the first call. It is measured from the start of the connection, or from the end of its TLS handshake.
    let firstCallTime: TimeAmount
    /// Maximum time without a call.
    let idleTime: TimeAmount
    /// Time between sending the GOAWAY and closing a connection without calls.
    let goodbyeTime: TimeAmount
    /// Maximum time for which calls may continue after the server has begun to shut down.
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
