package import NIOCore
package import NIOHPACK

/// The header of a call. Source: https://github.com/grpc/grpc/blob/master/doc/PROTOCOL-HTTP2.md
package struct GRPCCallHead: Sendable {
    /// The path, `/SERVICE/METHOD`.
    let path: String
    /// Size of the header as HTTP/2 counts it, in bytes: names, values, and 32 for each field.
    let byteCount: Int
    /// The first `authorization` header.
    package let authorization: String?
    /// The address of the caller.
    package let peer: SocketAddress?
    /// Whether the call was admitted before its message arrived.
    package private(set) var isAdmitted = false
    /// The caller's timeout; nil without a timeout, or if its text is malformed.
    let timeout: TimeAmount?
    /// The encoding of the message; nil if this server does not support it.
    let encoding: GRPCEncoding?
    /// Whether the caller accepts answers that are compressed with gzip.
    let acceptsGzip: Bool

    /// - Throws: the HTTP answer to send if the request is not a gRPC call.
    package init(_ headers: HPACKHeaders, from peer: SocketAddress? = nil) throws(NoGRPCCall) {
        var (path, method, contentType): (String?, String?, String?)
        var (authorization, timeout): (String?, String?)
        var encoding: GRPCEncoding? = .identity
        var acceptsGzip = false
        var byteCount = 0
        for (name, value, _) in headers {
            byteCount += name.utf8.count + value.utf8.count + 32
            switch name {
            case ":path": path = value
            case ":method": method = value
            case "content-type": contentType = value
            case "authorization" where authorization == nil: authorization = value
            case "grpc-timeout": timeout = value
            case "grpc-encoding": encoding = GRPCEncoding(rawValue: value)
            case "grpc-accept-encoding": acceptsGzip = acceptsGzip || GRPCEncoding.listsGzip(value)
            default: break
            }
        }
        guard method == "POST" else { throw NoGRPCCall(httpStatus: 405) }
        guard Self.isGRPC(contentType) else { throw NoGRPCCall(httpStatus: 415) }
        self.path = path ?? ""
        self.byteCount = byteCount
        self.authorization = authorization
        self.peer = peer
        self.timeout = timeout.flatMap(Self.time)
        self.encoding = encoding
        self.acceptsGzip = acceptsGzip
    }

    /// A copy of the header that is marked as admitted.
    var admitted: GRPCCallHead {
        var head = self
        head.isAdmitted = true
        return head
    }

    private static func isGRPC(_ contentType: String?) -> Bool {
        guard let type = contentType?.utf8.split(separator: UInt8(ascii: ";"), maxSplits: 1).first else { return false }
        let name = String(Substring(type)).lowercased()
        return name == "application/grpc" || name == "application/grpc+proto"
    }

    /// Parses a duration of at most eight digits and a unit, from hours to nanoseconds; nil for other text.
    static func time(_ text: String) -> TimeAmount? {
        let digits = text.utf8.dropLast()
        guard let unit = text.utf8.last, (1...8).contains(digits.count), digits.allSatisfy({ (0x30...0x39).contains($0) }),
            let count = Int64(text.dropLast())
        else { return nil }
        switch unit {
        case UInt8(ascii: "H"): return .hours(count)
        case UInt8(ascii: "M"): return .minutes(count)
        case UInt8(ascii: "S"): return .seconds(count)
        case UInt8(ascii: "m"): return .milliseconds(count)
        case UInt8(ascii: "u"): return .microseconds(count)
        case UInt8(ascii: "n"): return .nanoseconds(count)
        default: return nil
        }
    }
}

/// The HTTP answer to a request that is not a gRPC call.
package struct NoGRPCCall: Error {
    let httpStatus: Int

    var headers: HPACKHeaders { [":status": "\(httpStatus)", "content-length": "0"] }
}
