package import NIOCore

/// A handler before NIO's HTTP/2 handler. If a read begins inside a frame, the handler first passes on the rest of that frame, and then
/// the other bytes of the read.
///
/// NIO's parser frees the bytes of parsed frames only when no other bytes are left in its buffer. If every read ended inside a frame, the
/// parser would keep every byte of the connection. Frames without flow control, such as GOAWAY or frames of an unknown type, could then
/// fill the memory.
package final class FrameSplitter: ChannelInboundHandler {
    package typealias InboundIn = ByteBuffer
    package typealias InboundOut = ByteBuffer

    private var ends: FrameEnds

    /// - Parameter side: the side that sends the bytes.
    package init(of side: FrameEnds.Side) { ends = FrameEnds(of: side) }

    package func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var bytes = unwrapInboundIn(data)
        let end = ends.restOfFrame(in: bytes.readableBytesView)
        if end > 0, end < bytes.readableBytes, let rest = bytes.readSlice(length: end) { context.fireChannelRead(wrapInboundOut(rest)) }
        context.fireChannelRead(wrapInboundOut(bytes))
    }
}

/// Finds the ends of HTTP/2 frames in the bytes of a connection.
package struct FrameEnds {
    /// A side of a connection.
    package enum Side {
        /// The client sends a preface before its first frame.
        case client
        case server
    }

    private static let prefaceBytes = 24
    /// Size of a frame's header, bytes. Its first three bytes are the length of the frame's contents.
    private static let headerBytes = 9

    /// The number of bytes before the end of the current frame's contents, or before the end of the preface.
    private var left: Int
    /// The number of bytes of the current frame's header that have been read.
    private var headerCount = 0
    private var length = 0

    package init(of side: Side) { left = side == .client ? Self.prefaceBytes : 0 }

    /// Reads the next bytes.
    /// - Returns: the number of these bytes that belong to the client's preface, or to a frame that began in earlier bytes; 0 if the
    ///   earlier bytes ended at the end of a frame.
    package mutating func restOfFrame(in bytes: some Collection<UInt8>) -> Int {
        var rest = bytes[...]
        var isRest = left > 0 || headerCount > 0
        var count = 0
        while !rest.isEmpty {
            let before = rest.count
            let isEnd = skipContents(&rest) || readHeader(&rest)
            if isRest { count += before - rest.count }
            if isEnd { isRest = false }
        }
        return count
    }

    /// Skips the contents of the current frame.
    /// - Returns: whether the frame ends with the skipped bytes.
    private mutating func skipContents<Bytes: Collection<UInt8>>(_ rest: inout Bytes) -> Bool where Bytes.SubSequence == Bytes {
        guard left > 0 else { return false }
        let skipped = min(left, rest.count)
        rest = rest.dropFirst(skipped)
        left -= skipped
        return left == 0
    }

    /// Reads one byte of a frame's header.
    /// - Returns: whether it is the last byte of a frame without contents.
    private mutating func readHeader<Bytes: Collection<UInt8>>(_ rest: inout Bytes) -> Bool where Bytes.SubSequence == Bytes {
        guard left == 0, let byte = rest.popFirst() else { return false }
        if headerCount < 3 { length = length << 8 | Int(byte) }
        headerCount += 1
        guard headerCount == Self.headerBytes else { return false }
        left = length
        headerCount = 0
        length = 0
        return left == 0
    }
}
