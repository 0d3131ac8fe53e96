import FleetEngine
import FleetEngineAPI
import FleetEngineAccess
import FoundationEssentials
import SwiftProtobuf
import Testing
import TripTesting

@testable import LocalFleetEngine

@Suite("The provider's tokens for deliveries", .timeLimit(.minutes(1)))
struct DeliveryTokenTests {
    private struct Token: Decodable {
        let token: String
        let creationTimestampMs: Int64
        let expirationTimestampMs: Int64
    }

    private static let key = [(name: "Authorization", value: "Bearer desk-key")]

    private static func token(_ path: String, of harness: ProviderHarness) async throws -> Token {
        let answer = try await harness.ask("GET", path, headers: key)
        #expect(answer.status == 200 && answer.headers("cache-control") == "no-store", "\(answer.text)")
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        return try decoder.decode(Token.self, from: Data(answer.text.utf8))
    }

    /// A path, and the vehicle, the shipment and the task in the token that the server returns for it.
    private typealias Kind = (path: String, vehicle: String?, tracking: String?, task: String?)

    private static let kinds: [Kind] = [
        ("delivery_driver/van", "van", nil, nil), ("DELIVERY_CONSUMER/p1", nil, "p1", nil), ("fleet_reader", "*", "*", "*"),
    ]

    @Test("each kind of token is valid for an hour, has its claims, and comes in the sample's members", arguments: kinds)
    func shape(path: String, vehicle: String?, tracking: String?, task: String?) async throws {
        try await ProviderHarness.with { harness in
            let token = try await Self.token("/token/\(path)", of: harness)
            #expect(token.creationTimestampMs == Int64(harness.time.now().timeIntervalSince1970) * 1_000)
            #expect(token.expirationTimestampMs - token.creationTimestampMs == 3_600_000)
            let claims = try #require(JSONWebTokenClaims(token: token.token))
            #expect(claims.algorithm == "none" && claims.isReadOnly == (path == "fleet_reader") && !claims.isTrusted)
            #expect(claims.deliveryVehicleID == vehicle && claims.trackingID == tracking && claims.taskID == task)
        }
    }

    @Test(
        "a missing or impossible id, and the wildcard, are refused with 400",
        arguments: [
            "/token/delivery_driver", "/token/delivery_consumer", "/token/delivery_driver/*", "/token/delivery_consumer/*",
            "/token/delivery_driver/a%2Fb", "/token/delivery_consumer/a:b", "/token/delivery_server/x",
        ])
    func refused(path: String) async throws {
        try await ProviderHarness.with { harness in
            let answer = try await harness.ask("GET", path)
            #expect(answer.status == 400 && answer.text.contains("\"message\"") && !answer.text.contains("\"token\""), "\(answer.text)")
        }
    }

    @Test("the engine accepts each kind of token for what it may do: a report, a shipment, reading")
    func rights() async throws {
        let gate = openGate()
        try await ProviderHarness.with(gate: gate) { harness in
            for id in ["van", "other"] {
                _ = try await harness.engine.createDeliveryVehicle(
                    .with {
                        $0.parent = "providers/plain"
                        $0.deliveryVehicleID = id
                    })
            }
            func status(_ token: String, _ method: String, _ path: String, _ body: String? = nil) async throws -> Int {
                let headers = [(name: "Authorization", value: "Bearer \(token)")]
                return try await harness.ask(method, "/v1/providers/plain/\(path)", body, headers: headers).status
            }
            let driver = try await Self.token("/token/delivery_driver/van", of: harness).token
            let report = #"{"lastLocation":{"location":{"latitude":-36,"longitude":-20}}}"#
            #expect(try await status(driver, "PATCH", "deliveryVehicles/van?updateMask=lastLocation", report) == 200)
            #expect(try await status(driver, "PATCH", "deliveryVehicles/other?updateMask=lastLocation", report) == 403)
            #expect(try await status(driver, "PATCH", "deliveryVehicles/van?updateMask=remainingVehicleJourneySegments", "{}") == 403)
            let consumer = try await Self.token("/token/delivery_consumer/p1", of: harness).token
            #expect(try await status(consumer, "GET", "taskTrackingInfo/p1") == 404)
            #expect(try await status(consumer, "GET", "taskTrackingInfo/p2") == 403)
            #expect(try await status(consumer, "GET", "deliveryVehicles/van") == 403)
            let reader = try await Self.token("/token/fleet_reader", of: harness).token
            #expect(try await status(reader, "GET", "deliveryVehicles") == 200)
            #expect(try await status(reader, "GET", "tasks") == 200)
            #expect(try await status(reader, "PATCH", "deliveryVehicles/van?updateMask=lastLocation", report) == 403)
        }
    }

    @Test("if the server checks tokens, every path needs the key")
    func guarded() async throws {
        try await ProviderHarness.with(gate: openGate()) { harness in
            for path in ["/token/fleet_reader", "/backend_config", "/manifest/van", "/tasks?vehicleId=van", "/taskInfoByTrackingId/p1"] {
                let keyless = try await harness.ask("GET", path).status
                #expect(keyless == 401, "\(path)")
                #expect(try await harness.ask("GET", path, headers: Self.key).status != 401, "\(path)")
            }
            #expect(try await harness.ask("POST", "/manifest", #"{"client_id":"a"}"#).status == 401)
        }
    }
}
