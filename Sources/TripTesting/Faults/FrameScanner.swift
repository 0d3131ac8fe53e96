/// Finds the start of each HTTP/2 frame in the bytes that one side sends.
struct FrameScanner {
    /// The head of a frame.
    struct Head: Hashable {
        static let length = 9

        let bytes: [UInt8]
        let payloadLength: Int
        let kind: UInt8
        let flags: UInt8

        /// The four bytes that contain the stream identifier.
        var stream: [UInt8] { Array(bytes.suffix(4)) }

        init?(_ bytes: [UInt8]) {
            guard bytes.count == Self.length else { return nil }
            self.bytes = bytes
            payloadLength = bytes.prefix(3).reduce(0) { $0 << 8 | Int($1) }
            kind = bytes.dropFirst(3).first ?? 0
            flags = bytes.dropFirst(4).first ?? 0
        }

        var isHeaders: Bool { kind == 1 }
        var isData: Bool { kind == 0 }
        var endsStream: Bool { flags & 1 != 0 }
    }

    enum Part: Hashable {
        case head(Head)
        case payload([UInt8])
    }

    /// The first bytes of a frame header that has not arrived completely.
    private(set) var unfinishedHead: [UInt8] = []
    private var payloadLeft = 0

    /// Returns the frame headers that these bytes complete, and the payload pieces that they contain.
    mutating func parts(of bytes: [UInt8]) -> [Part] {
        var parts: [Part] = []
        var rest = bytes[...]
        while !rest.isEmpty {
            if payloadLeft > 0 {
                let payload = rest.prefix(payloadLeft)
                parts.append(.payload(Array(payload)))
                payloadLeft -= payload.count
                rest = rest.dropFirst(payload.count)
                continue
            }
            let more = rest.prefix(Head.length - unfinishedHead.count)
            unfinishedHead += more
            rest = rest.dropFirst(more.count)
            guard let head = Head(unfinishedHead) else { break }
            unfinishedHead = []
            payloadLeft = head.payloadLength
            parts.append(.head(head))
        }
        return parts
    }
}
