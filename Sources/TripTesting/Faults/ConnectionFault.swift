/// A fault that a ``FaultProxy`` injects into the connection between a client and a server.
public enum ConnectionFault: Hashable, Sendable {
    /// No fault.
    case none
    /// New connections are refused, and open connections end.
    case refuse
    /// Connections are accepted, but no bytes pass in either direction.
    case blackHole
    /// The client's bytes reach the server, but the server's bytes do not reach the client.
    case halfOpen
    /// The server's bytes arrive after this delay.
    case delay(milliseconds: Int64)
    /// The server's bytes arrive in pieces of this size, with a pause before each piece.
    case drip(bytes: Int, milliseconds: Int64)
    /// The connection ends after the server has sent this number of bytes.
    case cut(afterBytes: Int)
    /// The connection is reset after the server has sent this number of bytes.
    case reset(afterBytes: Int)
    /// The server's bytes after the first `afterBytes` arrive with all bits inverted.
    case corrupt(afterBytes: Int)
    /// The proxy answers the client's first bytes with these bytes and closes the connection. The server receives nothing.
    case answer([UInt8])
    /// One of the server's HTTP/2 frames is cut or replaced, and then the connection usually ends. The connection must not use TLS, because
    /// the proxy reads the frames.
    case frame(FrameFault)
}

/// A fault that cuts or replaces one of a server's HTTP/2 frames.
public enum FrameFault: Hashable, Sendable, CaseIterable {
    /// The connection ends in the middle of an answer's headers.
    case cutHead
    /// The connection ends in the middle of an answer's message.
    case cutMessage
    /// The connection ends in the middle of an answer's trailers, after the whole message.
    case cutTrailer
    /// Instead of the headers, the server sends GOAWAY, which says that the server has processed no call.
    case goAway
    /// Instead of the headers, the server sends GOAWAY a thousand times. Each says that the server still processes the call, but nothing
    /// else is sent, and the connection stays open.
    case goAways
    /// Instead of the headers, the server sends RST_STREAM with INTERNAL_ERROR, which says that the server has failed.
    case resetStream
}
