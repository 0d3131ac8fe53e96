package import NIOCore
import NIOHPACK

/// What a call's header says. Source: https://github.com/grpc/grpc/blob/master/doc/PROTOCOL-HTTP2.md
package struct GRPCCallHead: Sendable {
    /// `/SERVICE/METHOD`.
    let path: String
    /// The first header of that name.
    package let authorization: String?
    /// Where the call comes from.
    package let peer: SocketAddress?
    /// Whether it was admitted before its message came.
    package private(set) var isAdmitted = false
    /// How long the caller waits; nil for as long as it takes.
    let timeout: TimeAmount?
    /// How its message may be compressed; nil for an encoding that this server does not read.
    let encoding: GRPCEncoding?
    /// Whether the caller reads answers that are compressed with gzip.
    let acceptsGzip: Bool

    /// - Throws: what HTTP answers to what is no call of gRPC.
    init(_ headers: HPACKHeaders, from peer: SocketAddress? = nil) throws(NoGRPCCall) {
        var (path, method, contentType): (String?, String?, String?)
        var (authorization, timeout): (String?, String?)
        var encoding: GRPCEncoding? = .identity
        var acceptsGzip = false
        for (name, value, _) in headers {
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
        self.authorization = authorization
        self.peer = peer
        self.timeout = timeout.flatMap(Self.time)
        self.encoding = encoding
        self.acceptsGzip = acceptsGzip
    }

    /// The same header, once it is admitted.
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

    /// At most eight digits and a unit, hours to nanoseconds; nil for what is no time.
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

/// A request that is no call of gRPC.
struct NoGRPCCall: Error {
    /// What HTTP says to it.
    let httpStatus: Int

    var headers: HPACKHeaders { [":status": "\(httpStatus)", "content-length": "0"] }
}
