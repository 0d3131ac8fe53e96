import FleetEngine
import FleetEngineAPI
import FleetEngineAccess
import Foundation
import NIOCore
import NIOHTTP2
import Synchronization
import Testing

@testable import LocalFleetEngine

@Suite("Who made a call, in the fleet log", .timeLimit(.minutes(1)))
struct CallerNameTests {
    /// Collects the lines of a fleet log.
    private final class Lines: Sendable {
        private let lines = Mutex<[String]>([])

        func add(_ line: String) { lines.withLock { $0.append(line) } }

        var text: String { lines.withLock { $0 }.joined(separator: "\n") }

        /// The RPC, account, key and address in each entry of the log.
        var callers: [[String?]] {
            get throws {
                try lines.withLock { $0 }.map { line in
                    let entry = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
                    let labels = entry?["labels"] as? [String: String]
                    let call = (entry?["logName"] as? String)?.split(separator: "F").last.map(String.init)
                    return [
                        call, labels?["account"], labels?["key_id"], (entry?["httpRequest"] as? [String: String])?["remoteIp"],
                    ]
                }
            }
        }
    }

    /// Collects the full name of each call's trip, vehicle or provider.
    private final class Names: CallObserver {
        private let names = Mutex<[String?]>([])

        func note(_ call: AnsweredCall) { names.withLock { $0.append(call.subject) } }

        var all: [String?] { names.withLock { $0 } }
    }

    private static func with(gate: AccessGate?, _ body: (Servers, Lines) async throws -> Void) async throws {
        let lines = Lines()
        let engine = LocalFleetEngine(time: SystemTimeSource(), callObservers: [FleetLog(provider: "plain") { lines.add($0) }])
        try await Servers.with(gate: gate, engine: engine) { try await body($0, lines) }
    }

    /// Calls GetTrip over gRPC with a request that contains no trip name.
    private func getTrip(_ servers: Servers, _ authorization: String?) async throws {
        let client = try await HTTP2Client(port: servers.grpcPort)
        try await client.begin(
            1, "/maps.fleetengine.v1.TripService/GetTrip", fields: authorization.map { ["authorization": $0] } ?? [:])
        // The server may have refused the call already, so a failure to send is not an error.
        try? await client.send(1, bytes: [0, 0, 0, 0, 0])
        _ = await client.answer(1)
        await client.close()
    }

    @Test("the entry has the token's account and key over gRPC and REST, even for a refused call, but never the token")
    func tokens() async throws {
        let gate = openGate()
        try await Self.with(gate: gate) { servers, lines in
            let token = try await gate.mint(.consumer, tripID: "t1", vehicleID: nil).secret
            let grant = try await gate.grant(authorization: "Bearer \(token)")
            #expect(grant.email == "consumer@tripwatch.local" && !grant.keyID.isEmpty)
            try await getTrip(servers, "Bearer \(token)")
            for (trip, status) in [("t1", 404), ("t2", 403)] {
                let answer = try await servers.ask("GET", "/v1/providers/plain/trips/\(trip)", authorization: "Bearer \(token)")
                #expect(answer.status == status)
            }
            let named: [String?] = ["get_trip", grant.email, grant.keyID, "127.0.0.1"]
            #expect(try lines.callers == [named, named, named])
            #expect(!lines.text.contains(token))
        }
    }

    @Test("a REST call that is refused for its role has the name in its path; without a valid token it has none")
    func pathNames() async throws {
        let (gate, names) = (openGate(), Names())
        let engine = LocalFleetEngine(time: SystemTimeSource(), callObservers: [names])
        try await Servers.with(gate: gate, engine: engine) { servers in
            let token = try await gate.mint(.consumer, tripID: "t1", vehicleID: nil).secret
            let path = "/v1/providers/plain/trips/t2"
            #expect(try await servers.ask("DELETE", path, authorization: "Bearer \(token)").status == 403)
            #expect(try await servers.ask("DELETE", path).status == 401)
            #expect(names.all == ["providers/plain/trips/t2", nil])
        }
    }

    @Test("a caller without a valid token is logged by its address, without an account")
    func strangers() async throws {
        try await Self.with(gate: openGate()) { servers, lines in
            try await getTrip(servers, nil)
            #expect(try await servers.ask("GET", "/v1/providers/plain/trips/t", authorization: "Bearer a.b.c").status == 401)
            let stranger = ["get_trip", nil, nil, "127.0.0.1"]
            #expect(try lines.callers == [stranger, stranger])
        }
    }

    @Test("calls to the provider API are logged with the key's name, a phone's calls with its car; no key is in the log")
    func otherKeys() async throws {
        try await Self.with(gate: openGate()) { servers, lines in
            let made = try await servers.ask("POST", "/car/new", #"{"vehicleId":"car-7"}"#, authorization: "Bearer desk-key")
            let key = try #require(try JSONDecoder().decode([String: String].self, from: Data(made.text.utf8))["key"])
            let milliseconds = Int64(Date().timeIntervalSince1970 * 1_000)
            let report = try await servers.ask("GET", "/car/\(key)/osmand?lat=10&lon=20&timestamp=\(milliseconds)")
            #expect(report.status == 200)
            let desk: [String?] = ["provider-api", "desk", "127.0.0.1"]
            #expect(
                try lines.callers == [
                    ["create_vehicle"] + desk, ["update_vehicle"] + desk, ["update_vehicle", "phone", "car-7", "127.0.0.1"],
                ])
            #expect(!lines.text.contains(key) && !lines.text.contains("desk-key"))
        }
    }

    @Test("if tokens are not checked, an entry has only the address; a call from the same process has not even that")
    func open() async throws {
        try await Self.with(gate: nil) { servers, lines in
            try await getTrip(servers, nil)
            #expect(try await servers.ask("GET", "/trip/t1").status == 404)
            _ = try? await servers.engine.answer(WireGetTripRequest())
            #expect(
                try lines.callers == [
                    ["get_trip", nil, nil, "127.0.0.1"], ["get_trip", nil, nil, "127.0.0.1"], ["get_trip", nil, nil, nil],
                ])
        }
    }

    @Test("an IPv4 address is written as such, even if it arrives through an IPv6 socket")
    func addresses() throws {
        for (text, shown) in [("192.0.2.1", "192.0.2.1"), ("::ffff:192.0.2.1", "192.0.2.1"), ("2001:db8::1", "2001:db8::1")] {
            #expect(CallSource(peer: try SocketAddress(ipAddress: text, port: 1)).remoteIP == shown)
        }
        #expect(CallSource().remoteIP == nil && CallSource().address == nil)
    }
}
