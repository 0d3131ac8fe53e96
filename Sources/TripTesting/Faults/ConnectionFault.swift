/// A disturbance between a client and a server, made by a ``FaultProxy``.
public enum ConnectionFault: Hashable, Sendable {
    /// Everything passes.
    case none
    /// Connections are refused, and open ones end.
    case refuse
    /// Connections are made, and no byte passes in either direction.
    case blackHole
    /// The server hears the client, and the client hears nothing.
    case halfOpen
    /// The server's bytes arrive later.
    case delay(milliseconds: Int64)
    /// The server's bytes arrive in parts of this size, with a pause before each part.
    case drip(bytes: Int, milliseconds: Int64)
    /// The connection ends after this number of the server's bytes.
    case cut(afterBytes: Int)
    /// The connection is reset after this number of the server's bytes.
    case reset(afterBytes: Int)
    /// All bits of the server's bytes are turned, after this number of bytes.
    case corrupt(afterBytes: Int)
    /// The client's first bytes are answered with these bytes and the end of the connection. The server hears nothing.
    case answer([UInt8])
    /// A fault at an HTTP/2 frame of the server, and the end of the connection. TLS hides frames from the proxy.
    case frame(FrameFault)
}

/// A fault at an HTTP/2 frame of a server.
public enum FrameFault: Hashable, Sendable, CaseIterable {
    /// The end within the head of an answer.
    case cutHead
    /// The end within the message of an answer.
    case cutMessage
    /// The end within the trailer of an answer, after the whole message.
    case cutTrailer
    /// GOAWAY in place of the head: the server has processed no call.
    case goAway
    /// RST_STREAM in place of the head: the server has failed.
    case resetStream
}
