/// The compression of a message. Raw values are the names in `grpc-encoding`. Source:
/// https://github.com/grpc/grpc/blob/master/doc/compression.md
package enum GRPCEncoding: String {
    case identity, gzip

    /// The value of `grpc-accept-encoding`: the encodings that this server supports.
    static let accepted = "identity,gzip"

    /// Whether a client's `grpc-accept-encoding` lists gzip.
    static func listsGzip(_ value: String) -> Bool {
        value.utf8.split(separator: UInt8(ascii: ",")).contains { entry in
            entry.filter { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\t") }.elementsEqual(gzip.rawValue.utf8)
        }
    }
}
