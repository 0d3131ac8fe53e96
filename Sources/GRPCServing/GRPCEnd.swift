import FoundationEssentials
import GRPCCore
import NIOHPACK

/// The HTTP/2 headers at the beginning and the end of an answer.
enum GRPCEnd {
    /// The first header of an answer. It lists the encodings that requests may have.
    static let head: HPACKHeaders = [
        ":status": "200", "content-type": "application/grpc", "grpc-accept-encoding": GRPCEncoding.accepted,
    ]
    /// The first header of an answer that is compressed.
    static let gzipHead: HPACKHeaders = {
        var headers = head
        headers.add(name: "grpc-encoding", value: GRPCEncoding.gzip.rawValue)
        return headers
    }()
    /// The last header of a successful answer.
    static let ok: HPACKHeaders = ["grpc-status": "0"]

    /// Returns the last header of a failed call. If no answer was sent before, it is also the first header.
    /// - Parameter date: returns the server's time, in the format of an HTTP `date` header.
    static func headers(_ failure: RPCError, isAlone: Bool, date: () -> String) -> HPACKHeaders {
        var headers = isAlone ? head : HPACKHeaders()
        headers.add(name: "grpc-status", value: "\(failure.code.rawValue)")
        // The client computes the offset of its clock from the date.
        if isAlone { headers.add(name: "date", value: date()) }
        if !failure.message.isEmpty { headers.add(name: "grpc-message", value: percentEncoded(failure.message)) }
        for (name, value) in failure.metadata {
            switch value {
            case .string(let text): headers.add(name: name, value: text)
            case .binary(let bytes): headers.add(name: name, value: base64(bytes))
            }
        }
        return headers
    }

    /// Encodes text for a header: printable ASCII except `%` is kept, and all other bytes of UTF-8 become `%` and two hexadecimal digits.
    /// Source: the same document as for `GRPCCallHead`.
    static func percentEncoded(_ text: String) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        var encoded: [UInt8] = []
        for byte in text.utf8 {
            if (0x20...0x7E).contains(byte), byte != UInt8(ascii: "%") {
                encoded.append(byte)
            } else {
                encoded += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 0xF)]]
            }
        }
        return String(decoding: encoded, as: UTF8.self)
    }

    /// Returns the bytes as base64 without padding.
    private static func base64(_ bytes: [UInt8]) -> String {
        let text = Data(bytes).base64EncodedString()
        return String(text.prefix { $0 != "=" })
    }
}
