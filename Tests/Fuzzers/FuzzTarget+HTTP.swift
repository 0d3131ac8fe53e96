import HTTPCalls
import HTTPServing
import LocalFleetEngine
import NIOCore

extension FuzzTarget {
    /// The readers of bodies that HTTP carries.
    static let http = [httpLines, packedBody, backendConfig]

    /// Returns the lines of a text that arrives in parts of this size.
    static func lines(of text: ArraySlice<UInt8>, inPartsOf size: Int = .max) throws(HTTPFailure) -> [String] {
        var reader = HTTPLineReader()
        var lines: [String] = []
        var rest = text
        while !rest.isEmpty {
            try reader.add(ByteBuffer(bytes: rest.prefix(size))) { lines.append($0) }
            rest = rest.dropFirst(size)
        }
        return lines
    }

    /// The reader of an event stream's lines. The stream arrives in parts. The first byte of the input sets their size.
    private static let httpLines = FuzzTarget(
        "http-lines", seeds: ["\u{2}retry: 2000\r\n\r\nid: 1\r\ndata: {\"a\":\"é東\u{1f697}\"}\n\n:\n\ndata: cut off", "a\n\n\r\n\r\r\n"],
        words: ["\n", "\r", "\r\n", "\n\n", "data: ", "id: ", ":", "é", "\u{1f697}"]
    ) { input, _ in
        guard let first = input.first else { throw RefusedInput() }
        let text = input.dropFirst()
        let whole = try lines(of: text)
        guard try lines(of: text, inPartsOf: Int(first) + 1) == whole else {
            throw FuzzFault(rule: "a text in parts has other lines than the whole text")
        }
        guard whole.count == text.count(where: { $0 == UInt8(ascii: "\n") }) else {
            throw FuzzFault(rule: "the number of lines differs from the number of line breaks")
        }
    }

    /// The reader of a compressed body of a request. The first line of the input is the `Content-Encoding`.
    private static let packedBody = FuzzTarget(
        "packed-body", seeds: ["identity\n{}", "\n{}"],
        bytes: {
            func input(_ encoding: String, _ body: [UInt8]) -> [UInt8] { Array("\(encoding)\n".utf8) + body }
            let packed = PackedSeeds.gzip(Array(String(repeating: TripSeeds.plan, count: 3).utf8))
            // The body `{"status":"NEW"}`, compressed with zlib.
            let deflated: [UInt8] = [
                0x78, 0x9c, 0xab, 0x56, 0x2a, 0x2e, 0x49, 0x2c, 0x29, 0x2d, 0x56, 0xb2,
                0x52, 0xf2, 0x73, 0x0d, 0x57, 0xaa, 0x05, 0x00, 0x2f, 0xe3, 0x05, 0x49,
            ]
            return [input("gzip", packed), input("X-GZIP", PackedSeeds.gzip([]) + packed), input("deflate", deflated)]
        }, words: ["gzip\n", "deflate\n", "identity\n", "br\n", "\n", "\u{0}\u{0}\u{0}\u{0}"]
    ) { input, _ in
        let limit = 1 << 16
        let (encoding, packed) = headed(input)
        let body = ByteBuffer(bytes: packed.prefix(limit))
        let plain = try body.unpacked(encoding, upTo: limit)
        let count = plain.readableBytes
        guard count <= limit else { throw FuzzFault(rule: "a body is larger than the limit") }
        guard plain != body, count > 0 else { return }
        guard (try? body.unpacked(encoding, upTo: count)) == plain, (try? body.unpacked(encoding, upTo: count - 1)) == nil else {
            throw FuzzFault(rule: "a body of \(count) bytes has another limit than \(count)")
        }
    }

    /// The reader of a plan that is sent to `/backend_config`, as a form or as JSON. The first line of the input is the content type.
    private static let backendConfig = FuzzTarget(
        "backend-config",
        seeds: [
            "multipart/form-data; boundary=b\n--b\r\nContent-Disposition: form-data; name=\"note\"\r\n\r\nhello\r\n--b\r\n"
                + "Content-Disposition: form-data; name=\"file\"; filename=\"file\"\r\nContent-Type: application/json\r\n\r\n"
                + TripSeeds.plan + "\r\n--b--\r\n",
            "application/json\n" + TripSeeds.plan,
        ],
        words: json + [
            "multipart/form-data", "; ", "boundary=", "\"", "--b", "--b--", "\r\n", "\n\n", "\r\n\r\n", "Content-Disposition:",
            "name=\"file\"", "name=file", "\"tasks\"", "\"stops\"",
        ]
    ) { input, _ in
        let (type, body) = headed(input)
        guard let boundary = MultipartFile.boundary(ofContentType: type) else { return try load(plan: Array(body)) }
        guard let file = MultipartFile.file(in: Array(body), boundary: boundary) else { throw RefusedInput() }
        let delimiter = Array("--\(boundary)".utf8)
        guard !file.split(separator: UInt8(ascii: "\n")).contains(where: { $0.starts(with: delimiter) }) else {
            throw FuzzFault(rule: "a file of a form has a line that begins with the boundary")
        }
        try load(plan: file)
    }
}
