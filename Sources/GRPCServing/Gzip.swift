import CZlib
import GRPCCore
import NIOCore

/// Compresses and decompresses messages as gzip files (RFC 1952) with one member. The last bytes of such a file contain the size of the
/// message.
enum Gzip {
    /// Size of a gzip header and trailer together, in bytes.
    private static let leastBytes = 18

    /// Returns the size after decompression, from the last four bytes; nil if the data is not gzip.
    static func unpackedCount(_ packed: ByteBuffer) -> Int? {
        guard packed.readableBytes >= leastBytes, packed.getInteger(at: packed.readerIndex, as: UInt16.self) == 0x1f8b else { return nil }
        return packed.getInteger(at: packed.writerIndex - 4, endianness: .little, as: UInt32.self).map { Int($0) }
    }

    /// Decompresses into exactly `count` bytes.
    /// - Throws: RESOURCE_EXHAUSTED if the data is larger or memory is short, INTERNAL if it is smaller or damaged.
    static func unpack(_ packed: ByteBuffer, count: Int) throws(RPCError) -> ByteBuffer {
        let (result, plain) = run(czlib_inflate, on: packed, room: count)
        switch result {
        case CZLIB_DONE where plain.readableBytes == count: return plain
        case CZLIB_FULL: throw RPCError(code: .resourceExhausted, message: "the message has more than the \(count) bytes that it declares")
        case CZLIB_NO_MEMORY: throw RPCError(code: .resourceExhausted, message: "the server has no memory left to decompress the message")
        default: throw damaged
        }
    }

    /// Compresses a message; nil if it does not become smaller, or if memory is short.
    static func pack(_ plain: ByteBuffer) -> ByteBuffer? {
        let room = plain.readableBytes - 1
        guard room > 0 else { return nil }
        let (result, packed) = run(czlib_gzip, on: plain, room: room)
        return result == CZLIB_DONE ? packed : nil
    }

    /// The type of CZlib's functions: input, its size, output, its size, and the number of bytes written.
    private typealias Function = (
        UnsafePointer<UInt8>?, Int, UnsafeMutablePointer<UInt8>?, Int, UnsafeMutablePointer<Int>?
    ) -> CZlibResult

    /// Applies `function` to `input`, with at most `room` bytes of output.
    private static func run(_ function: Function, on input: ByteBuffer, room: Int) -> (result: CZlibResult, output: ByteBuffer) {
        var buffer = ByteBuffer()
        var result = CZLIB_BROKEN
        buffer.writeWithUnsafeMutableBytes(minimumWritableBytes: room) { output in
            var written = 0
            result = input.withUnsafeReadableBytes { input in
                function(
                    input.baseAddress?.assumingMemoryBound(to: UInt8.self), input.count,
                    output.baseAddress?.assumingMemoryBound(to: UInt8.self), room, &written)
            }
            return written
        }
        return (result, buffer)
    }

    /// The status for a message that gzip cannot decompress.
    static var damaged: RPCError { RPCError(code: .internalError, message: "the message cannot be decompressed with gzip") }
}
