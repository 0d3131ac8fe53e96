import FleetEngine
import FoundationEssentials
import GRPCCore
import NIOSSL
import Testing

@testable import FleetEngineGRPC

@Suite("Errors from the wire")
struct ErrorTests {
    private let now = Date(timeIntervalSince1970: 784_111_787)

    /// Encodes a field of a message, given the field's number and its bytes.
    private func field(_ number: UInt8, _ bytes: [UInt8]) -> [UInt8] { [number << 3 | 2, UInt8(bytes.count)] + bytes }
    private func field(_ number: UInt8, _ text: String) -> [UInt8] { field(number, Array(text.utf8)) }

    /// Returns an encoded `google.rpc.Status` with the code 3 and the given details.
    private func status(_ details: [(type: String, value: [UInt8])]) -> [UInt8] {
        let packed = details.flatMap { field(3, field(1, "type.googleapis.com/google.rpc.\($0.type)") + field(2, $0.value)) }
        return [0x08, 3] + field(2, "bad") + packed
    }

    private func error(_ metadata: Metadata, code: RPCError.Code = .invalidArgument) -> FleetEngineError {
        FleetEngineError(RPCError(code: code, message: "bad", metadata: metadata), from: nil, now: now)
    }

    @Test("details of a refusal are read, and unknown details are skipped")
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

    @Test("malformed details do not change the code and the message")
    func brokenDetails() {
        for bytes in [[], [0xff], [UInt8](repeating: 0x1a, count: 300), Array(status([("BadRequest", [0xff, 0xff])]).dropLast(3))] {
            var metadata: Metadata = ["x-request-id": "r-2"]
            metadata.addBinary(bytes, forKey: "grpc-status-details-bin")
            let error = error(metadata)
            #expect(error.code == .invalidArgument && error.message == "bad" && error.details.isEmpty && error.requestID == "r-2")
        }
    }

    @Test(
        "every status code of gRPC maps to the project's own code",
        arguments: [(RPCError.Code.unauthenticated, StatusCode.unauthenticated), (.notFound, .notFound), (.dataLoss, .dataLoss)])
    func codes(code: RPCError.Code, expected: StatusCode) { #expect(error([:], code: code).code == expected) }

    @Test("the server's clock is compared with the local one")
    func clock() {
        #expect(error(["date": "Sun, 06 Nov 1994 08:49:37 GMT"]).clockOffsetSeconds == 10)
        #expect(error([:]).clockOffsetSeconds == nil)
    }

    @Test(
        "an invalid date gives no information about the clock",
        arguments: [
            "", "now", "Sun, 06 Nov 1994 08:49:37", "Sun, 31 Feb 1994 08:49:37 GMT", "Sun, 06 Nov 1994 25:49:37 GMT",
            "Sun, 06 Nov 1969 08:49:37 GMT", "Sun, 06 Nov 10000 08:49:37 GMT", "Sun, -6 Nov 1994 08:49:37 GMT",
            "Sun, 9223372036854775807 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 9223372036854775807:49:37 GMT",
            "Sun, 06 Nov 1994 08:49:9223372036854775807 GMT", "Sun, 9223372036854775806 Nov 1994 08:49:37 GMT",
            "Sun, 06 Nov 1994 08:-9223372036854775808:37 GMT",
        ])
    func noDate(text: String) { #expect(HTTPDate.parse(text) == nil) }

    @Test("known errors are passed through, and a cancelled call is a local error")
    func passesThrough() {
        let known = FleetEngineError(code: .aborted, message: "known")
        #expect(FleetEngineError(known, from: nil, now: now) == known)
        let cancelled = FleetEngineError(CancellationError(), from: nil, now: now)
        #expect(cancelled.code == .cancelled && cancelled.origin == .local)
    }

    private func unanswered(_ error: RPCError, wasConnected: Bool = true) throws -> FleetEngineError {
        let server = AskedServer(endpoint: try ServerEndpoint("h:1", security: .tls(caFile: nil)), wasConnected: wasConnected)
        return FleetEngineError(error, from: server, now: now)
    }

    @Test("if no server answered, the library's error is not attributed to a server")
    func unansweredCalls() throws {
        let large = try unanswered(RPCError(code: .resourceExhausted, message: "Message has exceeded the configured maximum payload size"))
        #expect(large.code == .internal && large.origin == .local, "a large answer is not the server's quota")
        #expect(large.message == "the server's answer could not be read: it is larger than 16777216 bytes")
        let late = try unanswered(RPCError(code: .deadlineExceeded, message: "RPC timed out"))
        #expect(late.code == .deadlineExceeded && late.origin == .local && late.message == "no answer within 15 s")
        let cut = try unanswered(RPCError(code: .unavailable, message: "Stream unexpectedly closed."))
        #expect(cut.code == .unavailable && cut.origin == .network && cut.message == "the connection was cut")
        let jargon = RPCError(code: .unavailable, message: "Channel is in a transient failure state and 'wait for ready' isn't enabled.")
        #expect(try unanswered(jargon).message == "the connection was cut")
        let silent = AskedServer(endpoint: try ServerEndpoint("h:1", security: .plaintext), wasConnected: true, isSilent: true)
        #expect(FleetEngineError(jargon, from: silent, now: now).message == "the server no longer answers")
        let neverHeard = AskedServer(endpoint: silent.endpoint, wasConnected: false, isSilent: true)
        #expect(FleetEngineError(jargon, from: neverHeard, now: now).message == "h:1 does not answer")
        #expect(try unanswered(jargon, wasConnected: false).message == "h:1 does not answer with TLS; is --plaintext missing?")
    }

    @Test("only a certificate that was received and refused requires the user")
    func certificates() throws {
        let spoilt: [any Error] = [
            NIOSSLError.handshakeFailed(.sslError([.eofDuringHandshake])), NIOSSLError.uncleanShutdown,
            NIOSSLError.handshakeFailed(.syscallError), BoringSSLError.zeroReturn, NIOSSLExtraError.cannotUseIPAddressInSNI,
        ]
        for cause in spoilt {
            let inner = RPCError(code: .unavailable, message: "", cause: cause)
            let error = try unanswered(RPCError(code: .unavailable, message: "", cause: inner))
            #expect(error.origin == .network && error.errorClass() == .retryable, "\(cause)")
        }
        let error = try unanswered(RPCError(code: .unavailable, message: "", cause: NIOSSLExtraError.failedToValidateHostname))
        #expect(error.origin == .tls && error.message == "the server's certificate is for another host")
    }

    @Test("an answer of a web server is reported with its HTTP status")
    func webServer() throws {
        let error = try unanswered(RPCError(code: .unavailable, message: "Unexpected", metadata: [AnswerMark.key: "503"]))
        #expect(error.origin == .server && error.httpStatus == 503)
        #expect(error.message == "the server answered with HTTP 503 instead of gRPC")
    }
}
