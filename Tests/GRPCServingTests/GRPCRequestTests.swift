import GRPCCore
import Geo
import NIOCore
import NIOHPACK
import Testing

@testable import GRPCServing

@Suite("A gRPC request, part by part")
struct GRPCRequestTests {
    /// Returns the status code of the refused request; nil if `work` succeeds.
    private func code(_ work: () throws(RPCError) -> Void) -> RPCError.Code? {
        do throws(RPCError) {
            try work()
            return nil
        } catch { return error.code }
    }

    @Test("a message is assembled, however it is split", arguments: UInt64(1)...40)
    func parts(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let message = (0..<Int.random(in: 0...2_000, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) }
        var rest = ByteBuffer(grpcMessage: message)
        var request = GRPCRequest(limit: 2_000)
        while rest.readableBytes > 0 {
            let length = Int.random(in: 0...min(rest.readableBytes, seed.isMultiple(of: 2) ? 3 : 900), using: &random)
            try request.append(rest.readSlice(length: length) ?? ByteBuffer())
        }
        #expect(Array(buffer: try request.message().bytes) == message)
    }

    @Test("a message in many parts counts with the memory of its buffer, not only with its bytes")
    func heldBytes() throws {
        var request = GRPCRequest(limit: 2_000)
        var rest = ByteBuffer(grpcMessage: Array(repeating: 1, count: 1_095))
        while let part = rest.readSlice(length: 100) { try request.append(part) }
        #expect(request.heldBytes == 2_048)
    }

    @Test("a message that is announced as too large is refused before it arrives; one that is a byte smaller is not")
    func limit() {
        let cases: [(Int, RPCError.Code?)] = [(100, nil), (101, .resourceExhausted)]
        for (length, expected) in cases {
            var request = GRPCRequest(limit: 100)
            let prefix = ByteBuffer(grpcMessage: Array(repeating: 0, count: length)).getSlice(at: 0, length: 5)
            #expect(code { () throws(RPCError) in try request.append(prefix ?? ByteBuffer()) } == expected)
        }
    }

    @Test("no message and two messages are UNIMPLEMENTED; an incomplete message and a wrong Compressed-Flag are INTERNAL")
    func refused() {
        let one = ByteBuffer(grpcMessage: [1, 2, 3])
        let cases: [([UInt8], RPCError.Code?)] = [
            ([1, 0, 0, 0, 0], .internalError), ([2, 0, 0, 0, 0], .internalError), ([], .unimplemented),
            (Array(buffer: one) + Array(buffer: one), .unimplemented),
            (Array(Array(buffer: one).dropLast()), .internalError), ([0, 0, 0], .internalError), (Array(buffer: one), nil),
        ]
        for (bytes, expected) in cases {
            let found = code { () throws(RPCError) in
                var request = GRPCRequest(limit: 100)
                try request.append(ByteBuffer(bytes: bytes))
                _ = try request.message()
            }
            #expect(found == expected, "\(bytes)")
        }
    }

    @Test("a timeout has at most eight digits and a unit; anything else is ignored")
    func time() {
        let times: [(String, TimeAmount)] = [
            ("1H", .hours(1)), ("2M", .minutes(2)), ("3S", .seconds(3)), ("4m", .milliseconds(4)), ("5u", .microseconds(5)),
            ("6n", .nanoseconds(6)),
        ]
        for (text, time) in times { #expect(GRPCCallHead.time(text) == time, "\(text)") }
        #expect(GRPCCallHead.time("99999999H") != nil)
        for text in ["", "S", "5", "5s", "-5S", "+5S", "5 S", "123456789S", "5SS", "٣S"] {
            #expect(GRPCCallHead.time(text) == nil, "\(text)")
        }
    }

    @Test("characters that a header cannot contain are percent-encoded")
    func percent() {
        #expect(GRPCEnd.percentEncoded("a trip: 100 % é\n~") == "a trip: 100 %25 %C3%A9%0A~")
        #expect(GRPCEnd.percentEncoded("") == "")
    }

    @Test("only the header fields of gRPC matter; a request that is not a gRPC call is answered as in HTTP")
    func heads() throws {
        func head(_ fields: [String: String]) throws(NoGRPCCall) -> GRPCCallHead {
            var all = [":method": "POST", ":path": "/a.B/C", "content-type": "application/grpc"]
            all.merge(fields) { _, own in own }
            return try GRPCCallHead(HPACKHeaders(all.map { ($0.key, $0.value) }))
        }
        let call = try head(["authorization": "Bearer x", "grpc-timeout": "2S"])
        #expect(call.path == "/a.B/C" && call.authorization == "Bearer x" && call.timeout == .seconds(2))
        #expect(call.encoding == .identity && !call.acceptsGzip)
        #expect(try head(["grpc-encoding": "gzip"]).encoding == .gzip)
        #expect(try head(["grpc-encoding": "snappy"]).encoding == nil)
        for list in ["gzip", "identity, deflate, gzip", "deflate,gzip,identity"] {
            #expect(try head(["grpc-accept-encoding": list]).acceptsGzip, "\(list)")
        }
        for list in ["", "identity,deflate", "xgzip", "gzip-9"] {
            #expect(try !head(["grpc-accept-encoding": list]).acceptsGzip, "\(list)")
        }
        for type in ["application/grpc+proto", "Application/GRPC; a=b"] { #expect(try head(["content-type": type]).path == "/a.B/C") }
        for (field, value, status) in [
            (":method", "GET", 405), ("content-type", "text/html", 415), ("content-type", "application/grpc-web", 415),
            ("content-type", "", 415),
        ] {
            let error = #expect(throws: NoGRPCCall.self) { try head([field: value]) }
            #expect(error?.httpStatus == status)
        }
    }
}
