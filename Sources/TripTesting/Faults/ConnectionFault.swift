/// A disturbance between a client and a server, made by a ``FaultProxy``.
public enum ConnectionFault: Hashable, Sendable {
    /// No disturbance.
    case none
    /// Connections are refused, and open ones end.
    case refuse
    /// Connections are accepted, but no bytes pass in either direction.
    case blackHole
    /// The client's bytes reach the server, but the server's bytes do not reach the client.
    case halfOpen
    /// The server's bytes arrive later.
    case delay(milliseconds: Int64)
    /// The server's bytes arrive in parts of this size, with a pause before each part.
    case drip(bytes: Int, milliseconds: Int64)
    /// The connection ends after this number of the server's bytes.
    case cut(afterBytes: Int)
    /// The connection is reset after this number of the server's bytes.
    case reset(afterBytes: Int)
    /// After this number of the server's bytes, all bits are inverted.
    case corrupt(afterBytes: Int)
    /// The proxy answers the client's first bytes with these bytes and closes the connection. The server receives nothing.
    case answer([UInt8])
    /// A fault at one of the server's HTTP/2 frames, after which the connection ends. It needs plaintext, because TLS hides frames from the
    /// proxy.
    case frame(FrameFault)
}

/// A fault at one of a server's HTTP/2 frames.
public enum FrameFault: Hashable, Sendable, CaseIterable {
    /// The connection ends within the headers of an answer.
    case cutHead
    /// The connection ends within the message of an answer.
    case cutMessage
    /// The connection ends within the trailers of an answer, after the whole message.
    case cutTrailer
    /// GOAWAY in place of the headers: the server has processed no call.
    case goAway
    /// RST_STREAM with INTERNAL_ERROR in place of the headers: the server has failed.
    case resetStream
}
