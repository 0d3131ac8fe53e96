import FleetEngine
import FoundationEssentials
import Geo
import ProviderBackend
import Synchronization
import Testing
import TripTesting

@Suite("The provider's backend", .timeLimit(.minutes(1)))
struct ProviderBackendClientTests {
    private let time = ManualTimeSource()
    private static let trip = """
        {"name":"providers/p/trips/t1","tripStatus":"ENROUTE_TO_PICKUP","vehicleId":"car","waypoints":[],"routeList":[],"more":{}}
        """
    private let pickup = Coordinate(latitude: -33.5, longitude: 151.25)
    private let dropoff = Coordinate(latitude: -33.75, longitude: 151.5)

    private func client(_ address: String, headers: [(name: String, value: String)] = []) throws -> ProviderBackendClient {
        ProviderBackendClient(
            address: try #require(ProviderBackendClient.Address(address)), headers: headers, timeoutSeconds: 10, time: time, seed: 7)
    }

    private func failure<Value: Sendable>(
        _ work: () async throws(ProviderBackendError) -> Value
    ) async -> ProviderBackendError? {
        do throws(ProviderBackendError) {
            _ = try await work()
            return nil
        } catch { return error }
    }

    /// Runs `body` against a server that gives `answers` in turn and then repeats the last one.
    private func with<Value>(
        _ answers: [ScriptedHTTPServer.Answer], _ body: (ProviderBackendClient, ScriptedHTTPServer) async throws -> Value
    ) async throws -> Value {
        try await ScriptedHTTPServer.with { _, count in
            answers[min(count, answers.count - 1)]
        } _: { server in
            try await body(client(server.address, headers: [("x-api-key", "k1")]), server)
        }
    }

    /// Advances the clock past the pause before the next attempt.
    /// - Returns: the pause, in seconds.
    private func skipPause() async throws -> Double {
        while true {
            let waits = time.deadlines.map { $0.timeIntervalSince(time.now()) }
            // `waits` may also contain the timeout of a request, which is not a pause. It is usually 10 s away.
            if waits.count == 1, let wait = waits.first, wait < 5.5 {
                time.advance(by: wait)
                return wait
            }
            try Task.checkCancellation()
            await Task.yield()
        }
    }

    /// Runs `work` and advances the clock past each of its pauses.
    /// - Returns: the result of `work`, and the pauses in seconds.
    private func skippingPauses<Value: Sendable>(
        _ count: Int, _ server: ScriptedHTTPServer, _ work: @escaping @Sendable () async -> Value
    ) async throws -> (Value, [Double]) {
        async let value = work()
        var pauses: [Double] = []
        for attempt in 1...count {
            await server.waitForRequests(attempt)
            pauses.append(try await skipPause())
        }
        return (await value, pauses)
    }

    @Test("a booking states pickup, drop-off, stops and kind of trip")
    func booking() async throws {
        try await with([.reply(200, Self.trip)]) { client, server in
            let stop = Coordinate(latitude: 1.5, longitude: -2.25)
            #expect(try await client.book(from: pickup, to: dropoff, via: [stop], type: .shared).description == "providers/p/trips/t1")
            _ = try await client.book(from: pickup, to: dropoff)
            #expect(server.requests.count == 2)
            for (request, stops) in zip(server.requests, [1, 0]) {
                #expect(request.method == "POST" && request.path == "/trip/new")
                #expect(request.headers["x-api-key"] == "k1" && request.headers["content-type"] == "application/json")
                let body = try JSONDecoder().decode(Booking.self, from: Data(request.body.utf8))
                #expect(body.pickup == ["latitude": -33.5, "longitude": 151.25] && body.dropoff["latitude"] == -33.75)
                #expect(body.intermediateDestinations?.count ?? 0 == stops)
                #expect(body.tripType == (stops == 1 ? "SHARED" : "EXCLUSIVE"))
            }
        }
    }

    private struct Booking: Decodable {
        let pickup: [String: Double]
        let dropoff: [String: Double]
        let intermediateDestinations: [[String: Double]]?
        let tripType: String
    }

    @Test("a trip's state is requested under a base path, with an escaped id")
    func state() async throws {
        try await ScriptedHTTPServer.with { _, _ in
            .reply(200, "{\"trip\":\(Self.trip)}")
        } _: { server in
            let trip = try await client(server.address + "/api/").trip("a/b?c")
            #expect(trip.status == .enrouteToPickup && trip.vehicleID == "car" && trip.name.trip == "t1")
            #expect(server.requests.map(\.path) == ["/api/trip/a%2Fb%3Fc"])
        }
    }

    @Test("an unknown status is unknown, and a trip without a vehicle has none")
    func unknownStatus() async throws {
        try await with([.reply(200, #"{"trip":{"name":"providers/p/trips/t1","tripStatus":"TELEPORTING","vehicleId":""}}"#)]) { client, _ in
            let trip = try await client.trip("t1")
            #expect(trip.status == .unknown && trip.vehicleID == nil)
        }
    }

    @Test("cancelling sends the status CANCELED for the bare id")
    func cancelling() async throws {
        try await with([.reply(200, Self.trip)]) { client, server in
            try await client.cancel("t1")
            #expect(server.requests.map { "\($0.method) \($0.path) \($0.body)" } == [#"PUT /trip/t1 {"status":"CANCELED"}"#])
        }
    }

    @Test("a token of each role, also through a token source")
    func tokens() async throws {
        try await with([.reply(200, #"{"jwt":"s3cret","creationTimestamp":1,"expirationTimestamp":1935759600000}"#)]) { client, server in
            let token = try await client.token(.consumer, id: "t 1")
            #expect(token.secret == "s3cret" && token.expiresAt == time.now().addingTimeInterval(3_600))
            _ = try await client.token(.driver, id: "v1")
            _ = try await client.token(.server)
            let context = AuthorizationContext(tripID: "t1", vehicleID: "v1")
            for role in ProviderBackendClient.TokenRole.allCases { _ = try await client.tokenSource(role).fetchToken(context) }
            #expect(
                server.requests.map(\.path) == [
                    "/token/consumer/t%201", "/token/driver/v1", "/token/server", "/token/consumer/t1", "/token/driver/v1", "/token/server",
                ])
            #expect(server.requests.allSatisfy { $0.method == "GET" && $0.headers["x-api-key"] == "k1" })
        }
        try await with([.reply(200, "<html>s3cret")]) { client, _ in
            let failure = await failure { () throws(ProviderBackendError) in try await client.token(.server) }
            #expect(failure?.kind == .notUnderstood && failure?.description.contains("s3cret") == false)
        }
    }

    @Test("a safe request is tried five times, with pauses of 1 s that grow by 1.3, ± 20 %", arguments: ["get", "cancel", "token"])
    func retries(_ what: String) async throws {
        try await with([.reply(503, "")]) { client, server in
            let (found, pauses) = try await skippingPauses(4, server) { () -> ProviderBackendError? in
                switch what {
                case "get": return await failure { () throws(ProviderBackendError) in try await client.trip("t1") }
                case "token": return await failure { () throws(ProviderBackendError) in try await client.token(.server) }
                default: return await failure { () throws(ProviderBackendError) in try await client.cancel("t1") }
                }
            }
            #expect(found?.kind == .failing(status: 503) && found?.isRetryable == true)
            #expect(server.requests.count == 5)
            for (index, pause) in pauses.enumerated() {
                let plain = [1.0, 1.3, 1.69, 2.197][index]
                #expect(pause >= 0.8 * plain - 1e-6 && pause <= 1.2 * plain + 1e-6)
            }
        }
    }

    @Test(
        "a retry that succeeds is a success",
        arguments: [
            ScriptedHTTPServer.Answer.reply(503, ""), .reply(502, "<html>"), .hangUp,
            .bytes("HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\n{"),
        ])
    func recovered(first: ScriptedHTTPServer.Answer) async throws {
        try await with([first, .reply(200, "{\"trip\":\(Self.trip)}")]) { client, server in
            let (trip, _) = try await skippingPauses(1, server) { try? await client.trip("t1") }
            #expect(trip?.name.trip == "t1" && server.requests.count == 2)
        }
    }

    @Test("a short pause that the server asks for is kept; a long one is reported")
    func retryAfter() async throws {
        try await with([.reply(503, headers: [("retry-after", "5")], ""), .reply(200, "{\"trip\":\(Self.trip)}")]) { client, server in
            let (trip, pauses) = try await skippingPauses(1, server) { try? await client.trip("t1") }
            #expect(trip != nil && pauses.allSatisfy { abs($0 - 5) < 1e-6 })
        }
        try await with([.reply(503, headers: [("retry-after", "120")], "")]) { client, server in
            let failure = await failure { () throws(ProviderBackendError) in try await client.trip("t1") }
            #expect(failure?.fleetEngineError.retryDelaySeconds == 120 && server.requests.count == 1)
        }
    }

    @Test(
        "a booking that may have been made is not repeated, and is reported as in doubt",
        arguments: [
            ScriptedHTTPServer.Answer.hangUp, .reply(502, ""), .reply(500, ""), .reply(200, "{}"), .reply(200, "<html>"),
            .bytes("HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\n{"),
        ])
    func bookingInDoubt(answer: ScriptedHTTPServer.Answer) async throws {
        try await with([answer]) { client, server in
            let failure = await failure { () throws(ProviderBackendError) in try await client.book(from: pickup, to: dropoff) }
            #expect(failure?.mayHaveHappened == true)
            #expect(failure?.description.hasSuffix("; the request was not repeated") == true)
            #expect(server.requests.count == 1)
        }
    }

    @Test("an answer that breaks off is called unusable")
    func brokenOff() async throws {
        try await with([.bytes("HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\n{")]) { client, server in
            let failure = await failure { () throws(ProviderBackendError) in try await client.book(from: pickup, to: dropoff) }
            let start = "the provider at \(server.address) gave no usable answer (it closed the connection"
            #expect(failure?.description.hasPrefix(start) == true, "\(String(describing: failure))")
        }
    }

    @Test("a booking that was refused is not repeated and not in doubt", arguments: [400, 401, 403, 409, 429, 503])
    func bookingRefused(status: Int) async throws {
        try await with([.reply(status, #"{"message":"no \u001b[31mcars, key=AIzaSyA1234567890abcdefghijklmnopqrs","status":1}"#)]) {
            client, server in
            let failure = await failure { () throws(ProviderBackendError) in try await client.book(from: pickup, to: dropoff) }
            let verb = status == 503 ? "failed" : "refused the request"
            #expect(failure?.description == "the provider at \(server.address) \(verb) (HTTP \(status): no [31mcars, key=…)")
            #expect(failure?.mayHaveHappened == false && server.requests.count == 1)
        }
    }

    @Test("a booking for which no connection was made is tried again")
    func bookingNotSent() async throws {
        let port = try UnansweredPort()
        let client = try client("http://127.0.0.1:\(port.number)")
        async let failure = failure { () throws(ProviderBackendError) in try await client.book(from: pickup, to: dropoff) }
        for _ in 1...4 { _ = try await skipPause() }
        let error = await failure
        #expect(error?.description == "the provider at http://127.0.0.1:\(port.number) does not answer (connection refused)")
        #expect(error?.kind == .unreachable && error?.mayHaveHappened == false)
        #expect(error?.fleetEngineError.origin == .network)
    }
}
