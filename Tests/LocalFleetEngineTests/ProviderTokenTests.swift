import FleetEngine
import FoundationEssentials
import HTTPServing
import ProviderBackend
import ServerHarness
import Testing
import TripTesting

@testable import LocalFleetEngine

@Suite("The provider's tokens", .timeLimit(.minutes(1)))
struct ProviderTokenTests {
    /// A path, and the type, trip and vehicle of the token that the server returns for it.
    typealias Kind = (path: String, type: String, trip: String?, vehicle: String?)

    private static let allKinds: [Kind] = [
        ("/token/consumer/t1", "CONSUMER", "t1", nil), ("/token/driver/car", "DRIVER", nil, "car"), ("/token/server", "SERVER", "*", "*"),
        ("/token/Consumer/t1", "CONSUMER", "t1", nil), ("/token/SERVER/whatever", "SERVER", "*", "*"),
        ("/token/consumer/a%20b%C3%BC", "CONSUMER", "a bü", nil), ("/token/consumer/a%2541", "CONSUMER", "a%41", nil),
    ]

    @Test("each kind of token has the claims of its role, is valid for an hour, and states that it is not signed", arguments: allKinds)
    func kinds(path: String, type: String, trip: String?, vehicle: String?) async throws {
        try await ProviderHarness.with { harness in
            let answer = try await harness.ask("GET", path)
            #expect(answer.status == 200 && answer.headers("content-type")?.hasPrefix("application/json") == true)
            let body = try JSONDecoder().decode(TokenBody.self, from: Data(answer.text.utf8))
            #expect(body.tokenType == type && body.audience == "https://fleetengine.googleapis.com/")
            let now = harness.time.now()
            #expect(body.creationTimestamp == Int64(now.timeIntervalSince1970) * 1_000)
            #expect(body.expirationTimestamp - body.creationTimestamp == 3_600_000)
            let claims = try #require(JSONWebTokenClaims(token: body.jwt))
            #expect(claims.algorithm == "none" && body.jwt.hasSuffix("."))
            #expect(claims.tripID == trip && claims.vehicleID == vehicle)
            #expect(claims.issuer == claims.subject && claims.issuer?.hasSuffix("@plain.invalid") == true)
            #expect(claims.issuedAt == now && claims.expiresAt == now.addingTimeInterval(3_600))
            let warnings = TokenInspection(AccessToken(secret: body.jwt), now: now).warnings
            #expect(warnings == (type == "SERVER" ? [.wildcard, .unsigned] : [.unsigned]))
        }
    }

    @Test(
        "a missing or impossible id is refused with 400 and a message",
        arguments: [
            "/token/consumer", "/token/consumer/", "/token/driver", "/token/driver/", "/token/consumer/*", "/token/driver/*",
            "/token/consumer/a%2Fb", "/token/consumer/a:b", "/token/consumer/%00", "/token/passenger/t1",
        ])
    func refused(path: String) async throws {
        try await ProviderHarness.with { harness in
            let answer = try await harness.ask("GET", path)
            #expect(answer.status == 400 && answer.text.contains("\"message\""), "\(answer.text)")
            #expect(!answer.text.contains("jwt"))
        }
    }

    @Test("a token source of the client reads the provider API's tokens")
    func throughTheClient() async throws {
        try await ProviderHarness.with { harness in
            let client = try harness.client()
            let token = try await client.token(.consumer, id: "t1")
            #expect(token.expiresAt == harness.time.now().addingTimeInterval(3_600))
            let fetched = try await client.tokenSource(.driver).fetchToken(AuthorizationContext(vehicleID: "car"))
            #expect(JSONWebTokenClaims(token: fetched.secret)?.vehicleID == "car")
            #expect(JSONWebTokenClaims(token: try await client.token(.server).secret)?.tripID == "*")
        }
    }

    @Test("a token source of the client trusts the client's certificates", .enabled(if: TestCertificate.isPossible))
    func overTLS() async throws {
        let certificate = try TestCertificate()
        defer { certificate.remove() }
        try await Servers.with(
            security: .tls(certificateFile: certificate.certificateFile, keyFile: certificate.keyFile)
        ) { servers in
            let address = try #require(ProviderBackendClient.Address("https://127.0.0.1:\(servers.httpPort)"))
            let client = ProviderBackendClient(address: address, caFile: certificate.certificateFile)
            let fetched = try await client.tokenSource(.driver).fetchToken(AuthorizationContext(vehicleID: "car"))
            #expect(JSONWebTokenClaims(token: fetched.secret)?.vehicleID == "car")
        }
    }
}
