import FleetEngine
import FoundationEssentials
import GRPCCore
import Testing

@testable import FleetEngineGRPC

@Suite("Errors from the wire")
struct ErrorTests {
    private let now = Date(timeIntervalSince1970: 784_111_787)

    /// A field of a message: its number, and its bytes.
    private func field(_ number: UInt8, _ bytes: [UInt8]) -> [UInt8] { [number << 3 | 2, UInt8(bytes.count)] + bytes }
    private func field(_ number: UInt8, _ text: String) -> [UInt8] { field(number, Array(text.utf8)) }

    /// A `google.rpc.Status` of code 3 with details of these types.
    private func status(_ details: [(type: String, value: [UInt8])]) -> [UInt8] {
        let packed = details.flatMap { field(3, field(1, "type.googleapis.com/google.rpc.\($0.type)") + field(2, $0.value)) }
        return [0x08, 3] + field(2, "bad") + packed
    }

    private func error(_ metadata: Metadata, code: RPCError.Code = .invalidArgument) -> FleetEngineError {
        FleetEngineError(RPCError(code: code, message: "bad", metadata: metadata), now: now)
    }

    @Test("details of a refusal are read, those that are not known are passed over")
    func details() {
        var metadata: Metadata = [:]
        let details = status([
            ("BadRequest", field(1, field(1, "update_mask") + field(2, "cannot be empty"))), ("Newer", [1, 2, 3]),
            ("RetryInfo", field(1, [0x08, 5])), ("RequestInfo", field(1, "r-1")),
        ])
        metadata.addBinary(details, forKey: "grpc-status-details-bin")
        let error = error(metadata)
        #expect(error.code == .invalidArgument && error.message == "bad" && error.requestID == "r-1")
        #expect(error.details == [.badRequest([.init(field: "update_mask", description: "cannot be empty")]), .retryInfo(delaySeconds: 5)])
    }

    @Test("details that are no details leave the code and the message")
    func brokenDetails() {
        for bytes in [[], [0xff], [UInt8](repeating: 0x1a, count: 300), Array(status([("BadRequest", [0xff, 0xff])]).dropLast(3))] {
            var metadata: Metadata = ["x-request-id": "r-2"]
            metadata.addBinary(bytes, forKey: "grpc-status-details-bin")
            let error = error(metadata)
            #expect(error.code == .invalidArgument && error.message == "bad" && error.details.isEmpty && error.requestID == "r-2")
        }
    }

    @Test(
        "every code is the domain's",
        arguments: [(RPCError.Code.unauthenticated, StatusCode.unauthenticated), (.notFound, .notFound), (.dataLoss, .dataLoss)])
    func codes(code: RPCError.Code, expected: StatusCode) { #expect(error([:], code: code).code == expected) }

    @Test("the server's clock is compared with ours")
    func clock() {
        #expect(error(["date": "Sun, 06 Nov 1994 08:49:37 GMT"]).clockOffsetSeconds == 10)
        #expect(error([:]).clockOffsetSeconds == nil)
    }

    @Test(
        "what is no date says nothing about the clock",
        arguments: [
            "", "now", "Sun, 06 Nov 1994 08:49:37", "Sun, 31 Feb 1994 08:49:37 GMT", "Sun, 06 Nov 1994 25:49:37 GMT",
            "Sun, 06 Nov 1969 08:49:37 GMT", "Sun, 06 Nov 10000 08:49:37 GMT", "Sun, -6 Nov 1994 08:49:37 GMT",
            "Sun, 9223372036854775807 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 9223372036854775807:49:37 GMT",
            "Sun, 06 Nov 1994 08:49:9223372036854775807 GMT", "Sun, 9223372036854775806 Nov 1994 08:49:37 GMT",
            "Sun, 06 Nov 1994 08:-9223372036854775808:37 GMT",
        ])
    func noDate(text: String) { #expect(HTTPDate.parse(text) == nil) }

    @Test("what is known already passes through, a cancelled call is cancelled here")
    func passesThrough() {
        let known = FleetEngineError(code: .aborted, message: "known")
        #expect(FleetEngineError(known, now: now) == known)
        let cancelled = FleetEngineError(CancellationError(), now: now)
        #expect(cancelled.code == .cancelled && cancelled.origin == .connection)
    }

    @Test("an answer that is too large is not the server's quota")
    func tooLarge() {
        let cause = RPCError(code: .resourceExhausted, message: "Message has exceeded the configured maximum payload size (max: 1)")
        let error = FleetEngineError(cause, now: now)
        #expect(error.code == .internal && error.message == "the server's answer is larger than 16777216 bytes")
    }
}
