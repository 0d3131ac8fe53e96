import FleetEngine
import FleetEngineAccess
import FleetEngineWire
import FoundationEssentials
import HTTPServing
import NIOHTTP2
import Testing

@testable import FleetEngineCore
@testable import LocalFleetEngine

@Suite("Addresses that try wrong keys", .timeLimit(.minutes(1)))
struct WrongKeyTests {
    private typealias Answer = (status: Int, text: String, headers: (String) -> String?)

    /// Tries one wrong secret after another until the address is refused.
    private func refusal(_ ask: (Int) async throws -> Answer) async throws -> (tries: Int, answer: Answer) {
        var tries = 0
        while true {
            let answer = try await ask(tries)
            if answer.status == 429 { return (tries, answer) }
            tries += 1
        }
    }

    private static func bearer(_ key: String) -> [(name: String, value: String)] { [(name: "Authorization", value: "Bearer \(key)")] }

    @Test("at the provider API, the address gets 429 with Retry-After, even with a new valid key; a key used before works")
    func provider() async throws {
        let gate = AccessGate(
            accounts: AccountRing(), deskKey: "desk-key", limitedKeys: [DeskKey(name: "desk-shop", secret: "shop-key", rights: [.book])])
        try await ProviderHarness.with(gate: gate) { harness in
            #expect(try await harness.ask("GET", "/trip/t1", headers: Self.bearer("desk-key")).status == 404)
            let (tries, answer) = try await refusal { try await harness.ask("GET", "/trip/t1", headers: Self.bearer("k\($0)")) }
            #expect(tries >= WrongSecrets.burst && answer.headers("retry-after") == "1")
            #expect(answer.text.contains("too many wrong keys came from this address"), "\(answer.text)")
            #expect(try await harness.ask("GET", "/trip/t1", headers: Self.bearer("desk-key")).status == 404)
            #expect(try await harness.ask("GET", "/trip/t1").status == 401)
            #expect(try await harness.ask("GET", "/healthz").status == 200)
        }
    }

    @Test("the front page, which is open without a key, refuses such an address too")
    func frontPage() async throws {
        try await ProviderHarness.with(gate: AccessGate(accounts: AccountRing(), deskKey: "desk-key")) { harness in
            let (tries, _) = try await refusal { try await harness.ask("GET", "/", headers: Self.bearer("k\($0)")) }
            #expect(tries >= WrongSecrets.burst)
            #expect(try await harness.ask("GET", "/").status == 200)
        }
    }

    @Test("the phones' address has the same limit, and the key of a car that reported before works")
    func phone() async throws {
        try await ProviderHarness.with { harness in
            let made = try await harness.ask("POST", "/car/new", #"{"vehicleId":"car-7"}"#)
            let key = try JSONDecoder().decode(CarKeyBody.self, from: Data(made.text.utf8)).key
            let report = "/car/\(key)/osmand?lat=1&lon=1"
            #expect(try await harness.ask("GET", report).status == 200)
            let (tries, answer) = try await refusal { try await harness.ask("GET", "/car/k\($0)/osmand?lat=1&lon=1") }
            #expect(tries >= WrongSecrets.burst && answer.headers("retry-after") == "1")
            #expect(try await harness.ask("GET", report).status == 200)
        }
    }

    @Test("an address that sent many forged tokens gets RESOURCE_EXHAUSTED for further ones, over REST and gRPC; a valid token still works")
    func tokens() async throws {
        let gate = openGate()
        try await Servers.with(gate: gate) { servers in
            let path = "/v1/providers/plain/trips/t1"
            let (tries, answer) = try await refusal { try await servers.ask("GET", path, authorization: "Bearer a.b.\($0)") }
            #expect(tries >= WrongSecrets.burst && answer.headers("retry-after") == "1")
            #expect(answer.text.contains("too many wrong tokens came from this address"), "\(answer.text)")
            let client = try await HTTP2Client(port: servers.grpcPort)
            var (stream, last): (Int, HTTP2Client.Answer?) = (1, nil)
            while last?.status != "8" {
                let fields = ["authorization": "Bearer x.y.\(stream)"]
                try await client.begin(HTTP2StreamID(stream), "/maps.fleetengine.v1.TripService/GetTrip", fields: fields)
                last = await client.answer(HTTP2StreamID(stream))
                stream += 2
            }
            #expect(last?.message?.contains("too many wrong tokens") == true)
            await client.close()
            let valid = "Bearer \(try await gate.mint(.consumer, tripID: "t1", vehicleID: nil).secret)"
            #expect(try await servers.ask("GET", path, authorization: valid).status == 404)
            #expect(try await servers.ask("GET", path).status == 401)
        }
    }

    @Test("a token that an account has signed does not count as wrong, even if it has expired; neither does a missing token")
    func signedTokens() async throws {
        let gate = openGate()
        let token = "Bearer \(try await gate.mint(.consumer, tripID: "t1", vehicleID: nil).secret)"
        #expect(await !gate.isForged(authorization: token))
        #expect(await !gate.isForged(authorization: nil))
        #expect(await gate.isForged(authorization: token + "A"))
        #expect(await gate.isForged(authorization: "Bearer a.b.c"))
        gate.replace(accounts: AccountRing(), deskKey: "desk-key")
        #expect(await gate.isForged(authorization: token))
    }

    @Test("with a rate limit, a key and its address are separate callers")
    func perKey() async throws {
        var options = EngineOptions()
        options.limits.callsPerSecond = 1
        let engine = LocalFleetEngine(state: FleetEngineState(options: options), time: SystemTimeSource())
        let gate = AccessGate(accounts: AccountRing(), deskKey: "desk-key")
        try await Servers.with(gate: gate, engine: engine) { servers in
            let rate = try #require(engine.rate)
            let caller = Caller.account(email: CallSource.Name.providerAPI, trip: DeskKey.fullName, vehicle: nil)
            try rate.take(caller)
            try rate.take(caller)
            let answer = try await servers.ask("GET", "/vehicles", authorization: "Bearer desk-key")
            #expect(answer.status == 429 && answer.text.contains("1 calls a second"), "\(answer.text)")
            #expect(try await servers.ask("GET", "/healthz").status == 200)
        }
    }
}
