import EngineWorld
import FleetEngine
import FleetEngineAPI
import FleetEngineAccess
import GRPCCore
import GRPCNIOTransportHTTP2Posix
import ServerHarness
import SwiftProtobuf
import Testing

@testable import FleetEngineCore
@testable import LocalFleetEngine

@Suite("What a server reports to monitoring", .timeLimit(.minutes(1)))
struct HealthTests {
    private func withHealthClient(
        _ servers: Servers, _ body: @Sendable (WireHealth.Client<HTTP2ClientTransport.Posix>) async throws -> Void
    ) async throws {
        try await withGRPCClient(transport: try servers.transport()) { try await body(WireHealth.Client(wrapping: $0)) }
    }

    private func ask(_ servers: Servers, _ path: String) async throws -> String {
        let connection = try await RawConnection(port: servers.httpPort)
        try await connection.send("GET \(path) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        return try await connection.waitForEnd()
    }

    @Test("gRPC's health check knows the server and both services, and no others")
    func check() async throws {
        try await Servers.with { servers in
            try await withHealthClient(servers) { client in
                for service in ["", "maps.fleetengine.v1.TripService", "maps.fleetengine.v1.VehicleService"] {
                    let request = WireHealthCheckRequest.with { $0.service = service }
                    let well = try await client.check(request)
                    servers.health.noteStore(trouble: "the database cannot be written")
                    let unwell = try await client.check(request)
                    #expect(well.status == .serving && unwell.status == .notServing)
                    servers.health.noteStore(trouble: nil)
                }
                let other = WireHealthCheckRequest.with { $0.service = "other.Service" }
                let error = await #expect(throws: RPCError.self) { try await client.check(other) }
                #expect(error?.code == .notFound)
            }
        }
    }

    @Test("a watcher gets each change, and the end")
    func watch() async throws {
        try await Servers.with { servers in
            try await withHealthClient(servers) { client in
                let told: [WireHealthCheckResponse.ServingStatus] = try await client.watch(.init()) { response in
                    var told: [WireHealthCheckResponse.ServingStatus] = []
                    for try await message in response.messages {
                        told.append(message.status)
                        switch told.count {
                        case 1: servers.health.noteStore(trouble: "the database cannot be written")
                        case 2: servers.health.noteStore(trouble: nil)
                        default: servers.grpc.beginGracefulShutdown()
                        }
                    }
                    return told
                }
                #expect(told == [.serving, .notServing, .serving, .notServing])
            }
        }
    }

    @Test("a watch of a service that does not exist reports it as unknown")
    func watchUnknown() async throws {
        try await Servers.with { servers in
            try await withHealthClient(servers) { client in
                let other = WireHealthCheckRequest.with { $0.service = "other.Service" }
                try await client.watch(other) { response in
                    for try await message in response.messages {
                        #expect(message.status == .serviceUnknown)
                        break
                    }
                }
            }
        }
    }

    @Test("/readyz says why nothing can be stored; /healthz says that the server runs all the same")
    func ready() async throws {
        try await Servers.with { servers in
            #expect(try await ask(servers, "/readyz").hasPrefix("HTTP/1.1 200"))
            servers.health.noteStore(trouble: "the database cannot be written")
            let answer = try await ask(servers, "/readyz")
            #expect(answer.hasPrefix("HTTP/1.1 503") && answer.hasSuffix("the database cannot be written\n"))
            #expect(try await ask(servers, "/healthz").hasPrefix("HTTP/1.1 200"))
            servers.health.noteStore(trouble: nil)
            #expect(try await ask(servers, "/readyz").hasSuffix("ok\n"))
        }
    }
}

@Suite("Calls are counted and reported")
struct CallTests {
    private final class Notes: CallObserver {
        let (calls, told) = AsyncStream.makeStream(of: AnsweredCall.self)
        func note(_ call: AnsweredCall) { told.yield(call) }
    }

    @Test("a call is counted once, with its code, however it arrives; the report has the name of the trip")
    func count() async throws {
        let notes = Notes()
        let engine = LocalFleetEngine(time: SystemTimeSource(), callObservers: [notes])
        let desk = ProviderDesk(provider: "plain", engine: engine, time: SystemTimeSource()) { "t1" }
        _ = try await desk.book(pickup: World.pickup, dropoff: World.dropoff, stops: [], type: .exclusive)
        await #expect(throws: FleetEngineError.self) { try await desk.trip("t2") }
        let face = RESTFace(engine: engine, gate: nil)
        let call = try RESTCall(method: "GET", path: "/v1/providers/plain/trips/t1")
        _ = try await face.answer(.init(call: call, authorization: nil, query: nil) { [] })
        await #expect(throws: FleetEngineError.self) {
            try await face.answer(.init(call: call, authorization: nil, query: "nonsense=1") { [] })
        }
        #expect(engine.metrics.count(.createTrip, .ok) == 1)
        #expect(engine.metrics.count(.getTrip, .ok) == 1 && engine.metrics.count(.getTrip, .notFound) == 1)
        #expect(engine.metrics.count(.getTrip, .invalidArgument) == 1)
        #expect(engine.metrics.callDurations.counts.reduce(0, +) == 4)
        notes.told.finish()
        var told: [String] = []
        for await call in notes.calls { told.append("\(call.rpc.name) \(call.code.name) \(call.subject ?? "-")") }
        #expect(
            told == [
                "CreateTrip OK providers/plain/trips/t1", "GetTrip NOT_FOUND providers/plain/trips/t2",
                "GetTrip OK providers/plain/trips/t1", "GetTrip INVALID_ARGUMENT providers/plain/trips/t1",
            ])
    }

    @Test("a duration falls into the first bucket that it does not exceed; one longer than all falls into the last")
    func buckets() {
        var durations = Durations()
        for seconds in [0, Durations.bounds[0], Durations.bounds[0] * 1.01, 10, 11] { durations.note(seconds) }
        #expect(durations.counts.prefix(2) == [2, 1] && durations.counts.suffix(2) == [1, 1])
        #expect(durations.counts.count == Durations.bounds.count + 1 && Durations.bounds == Durations.bounds.sorted())
    }

    @Test("every call has a unique name, by which it is found")
    func names() {
        #expect(EngineRPC.allCases.count == 25 && Set(EngineRPC.allCases.map(\.name)).count == 25)
        for rpc in EngineRPC.allCases { #expect(EngineRPC(name: rpc.name) == rpc) }
        #expect(EngineRPC(name: "getTrip") == nil)
    }
}
