package import NIOCore

/// Splits text that arrives in parts into lines.
package struct HTTPLineReader {
    /// Maximum size of a line, in bytes.
    private static let longestLine = 4 << 20
    /// The beginning of a line whose end has not arrived.
    private var rest: [UInt8] = []

    package init() {}

    /// Adds the next part.
    ///
    /// - Parameter onLine: called with each line that ends in this part, without its line break.
    /// - Throws: `HTTPFailure` if a line is too long.
    package mutating func add(_ part: ByteBuffer, onLine: (String) -> Void) throws(HTTPFailure) {
        for byte in part.readableBytesView {
            guard byte == UInt8(ascii: "\n") else {
                rest.append(byte)
                continue
            }
            if rest.last == UInt8(ascii: "\r") { rest.removeLast() }
            onLine(String(decoding: rest, as: UTF8.self))
            rest.removeAll(keepingCapacity: true)
        }
        guard rest.count <= Self.longestLine else { throw HTTPFailure(.tooLarge, "the answer is too large") }
    }
}
