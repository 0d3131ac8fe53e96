import FleetEngine
import FoundationEssentials
import Geo
import ProviderBackend
import Testing
import TripTesting

@Suite("Failures of the provider's backend", .timeLimit(.minutes(1)))
struct ProviderBackendFailureTests {
    private let time = ManualTimeSource()
    private static let trip = #"{"name":"providers/p/trips/t1","tripStatus":"CANCELED","vehicleId":""}"#

    private func client(_ address: String, headers: [(name: String, value: String)] = []) throws -> ProviderBackendClient {
        ProviderBackendClient(
            address: try #require(ProviderBackendClient.Address(address)), headers: headers, timeoutSeconds: 10, time: time, seed: 7)
    }

    private func failure<Value: Sendable>(_ work: () async throws(ProviderBackendError) -> Value) async -> ProviderBackendError? {
        do throws(ProviderBackendError) {
            _ = try await work()
            return nil
        } catch { return error }
    }

    /// Returns the error of a failed request for a trip.
    private func failure(_ answer: ScriptedHTTPServer.Answer) async throws -> ProviderBackendError {
        let found = try await ScriptedHTTPServer.with { _, _ in
            answer
        } _: { server in
            let client = try client(server.address)
            let found = await failure { () throws(ProviderBackendError) in try await client.trip("t1") }
            #expect(server.requests.count == 1)
            return found
        }
        return try #require(found)
    }

    @Test(
        "a status is reported as Fleet Engine's code and class",
        arguments: [
            (400, StatusCode.invalidArgument, "check_trip_name"), (401, .unauthenticated, "get_new_token"),
            (403, .permissionDenied, "check_permission"), (404, .notFound, "check_trip_name"), (409, .aborted, "retryable"),
            (429, .resourceExhausted, "wait_for_quota"), (302, .unimplemented, "check_address"), (500, .internal, "retryable"),
            (501, .unimplemented, "check_address"), (504, .deadlineExceeded, "retryable"),
        ])
    func classes(status: Int, code: StatusCode, name: String) async throws {
        let failure = try await failure(.reply(status, headers: [("x-request-id", "r-1")], "<html>Error</html>"))
        #expect(failure.fleetEngineError.code == code && failure.fleetEngineError.httpStatus == status)
        let found =
            switch failure.fleetEngineError.errorClass() {
            case .retryable: "retryable"
            case .actionRequired(let action): action.rawValue
            }
        #expect(found == name)
        #expect(!failure.description.contains("html"))
        #expect(failure.kind == (status >= 500 ? .failing(status: status) : .refused(status: status)))
    }

    @Test("the request id is kept for the provider")
    func requestID() async throws {
        let failure = try await failure(.reply(404, headers: [("X-Request-ID", "r-17")], #"{"message":"no such trip","status":404}"#))
        #expect(failure.fleetEngineError.requestID == "r-17")
        #expect(failure.description.hasSuffix("refused the request (HTTP 404: no such trip)"))
    }

    @Test("a redirect is not followed")
    func redirect() async throws {
        try await ScriptedHTTPServer.with { _, _ in
            .reply(200, Self.trip)
        } _: { other in
            let failure = try await failure(.reply(307, headers: [("location", other.address)], ""))
            #expect(failure.description.contains("redirects to another address") && other.requests.isEmpty)
        }
    }

    @Test(
        "an answer that is not the API's is refused",
        arguments: [
            "", "<html>", "[]", "{}", "5", #"{"trip":{"name":"t1","tripStatus":"NEW"}}"#, #"{"trip":{"tripStatus":"NEW"}}"#,
            #"{"trip":{"name":"providers/p/trips/a:b","tripStatus":"NEW"}}"#, "{\"trip\":", "\u{0}\u{1}",
            String(repeating: "[", count: 200_000),
        ])
    func notUnderstood(body: String) async throws {
        let failure = try await failure(.reply(200, body))
        #expect(failure.kind == .notUnderstood && !failure.isRetryable)
        #expect(failure.description.contains("cannot be used: "))
    }

    @Test("an endless answer is cut off")
    func tooLarge() async throws {
        let failure = try await failure(.reply(200, String(repeating: " ", count: (1 << 20) + 1)))
        #expect(failure.kind == .notUnderstood && failure.description.hasSuffix("cannot be used: the answer is too large"))
    }

    @Test(
        "a slow backend is given up after the timeout and not tried again",
        arguments: ["", "HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n{"])
    func slow(start: String) async throws {
        try await ScriptedHTTPServer.with { _, _ in
            .stall(start)
        } _: { server in
            let client = try client(server.address)
            async let result = failure { () throws(ProviderBackendError) in try await client.trip("t1") }
            await server.waitForRequests()
            await time.waitForSleepers()
            time.advance(by: 10)
            let failure = await result
            #expect(failure?.description == "the provider at \(server.address) does not answer (no answer within 10 s)")
            #expect(failure?.kind == .unreachable && failure?.fleetEngineError.code == .deadlineExceeded)
            #expect(server.requests.count == 1)
        }
    }

    @Test("a request that its caller cancels ends at once")
    func cancelled() async throws {
        try await ScriptedHTTPServer.with { _, _ in
            .stall("")
        } _: { server in
            let client = try client(server.address)
            let task = Task { await failure { () throws(ProviderBackendError) in try await client.trip("t1") } }
            await server.waitForRequests()
            task.cancel()
            #expect(await task.value?.fleetEngineError.code == .cancelled)
        }
    }

    @Test("if a cancel's answer is lost and the retry is refused, it succeeded if the trip is cancelled", arguments: [true, false])
    func lostCancel(isCancelled: Bool) async throws {
        let state = isCancelled ? Self.trip : Self.trip.replacing("CANCELED", with: "COMPLETE")
        try await ScriptedHTTPServer.with { request, count in
            if request.method == "GET" { return .reply(200, "{\"trip\":\(state)}") }
            return count == 0 ? .hangUp : .reply(400, #"{"message":"the trip is over","status":400}"#)
        } _: { server in
            let client = try client(server.address)
            async let result = failure { () throws(ProviderBackendError) in try await client.cancel("t1") }
            await server.waitForRequests()
            while !time.deadlines.contains(where: { $0.timeIntervalSince(time.now()) < 2 }) {
                try Task.checkCancellation()
                await Task.yield()
            }
            time.advance(by: 2)
            #expect(await result?.kind == (isCancelled ? nil : .refused(status: 400)))
            #expect(server.requests.map(\.method) == ["PUT", "PUT", "GET"])
        }
    }

    @Test("a cancel that is refused at once is refused")
    func refusedCancel() async throws {
        try await ScriptedHTTPServer.with { _, _ in
            .reply(400, "")
        } _: { server in
            let client = try client(server.address)
            let failure = await failure { () throws(ProviderBackendError) in try await client.cancel("t1") }
            #expect(failure?.kind == .refused(status: 400) && server.requests.count == 1)
        }
    }

    @Test("credentials and tokens do not travel over plaintext")
    func plaintext() async throws {
        for name in ["Authorization", "cookie", "X-Api-Key", "x-auth-token"] {
            let client = try client("http://192.0.2.1", headers: [(name, "s3cret")])
            let failure = await failure { () throws(ProviderBackendError) in try await client.trip("t1") }
            #expect(failure?.description.hasSuffix(": credentials are not sent in plaintext; use https") == true)
            #expect(failure?.mayHaveHappened == false && failure?.isRetryable == false)
        }
        let client = try client("http://192.0.2.1")
        let failure = await failure { () throws(ProviderBackendError) in try await client.token(.server) }
        #expect(failure?.description.hasSuffix("tokens are not fetched in plaintext; use https") == true)
        #expect(throws: TokenURLError.self) { try client.tokenSource(.consumer) }
    }

    @Test(
        "a header that HTTP does not allow is reported before anything is sent", arguments: [("a b", "c"), ("a", "b\r\nc: d"), ("", "x")])
    func badHeader(name: String, value: String) async throws {
        try await ScriptedHTTPServer.with { _, _ in
            .reply(200, Self.trip)
        } _: { server in
            let client = try client(server.address, headers: [(name, value)])
            let failure = await failure { () throws(ProviderBackendError) in
                try await client.book(from: .init(latitude: 0, longitude: 0), to: .init(latitude: 0, longitude: 1))
            }
            #expect(failure?.description.contains("a header has a name or value that HTTP does not allow") == true)
            #expect(failure?.mayHaveHappened == false && server.requests.isEmpty)
        }
    }

    @Test("a position that is not a number is not booked")
    func badPlace() async throws {
        let client = try client("http://127.0.0.1:9")
        let nowhere = Coordinate(latitude: .nan, longitude: .infinity)
        let failure = await failure { () throws(ProviderBackendError) in try await client.book(from: nowhere, to: nowhere) }
        #expect(failure?.mayHaveHappened == false && failure?.isRetryable == false)
    }

    @Test(
        "valid and invalid addresses",
        arguments: [
            ("http://127.0.0.1:8080", true), ("https://example.com/api/", true), ("http://[::1]:8080", true), ("", false),
            ("example.com", false), ("ftp://example.com", false), ("http://", false), ("https://example.com?x=1", false),
            ("https://example.com#x", false), ("https://user:pw@example.com", false), ("https://example.com/a b", false),
            ("https://example.com:0", false), ("https://example.com/{tripID}", false),
        ])
    func addresses(text: String, isAddress: Bool) {
        #expect((ProviderBackendClient.Address(text) != nil) == isAddress)
    }
}
