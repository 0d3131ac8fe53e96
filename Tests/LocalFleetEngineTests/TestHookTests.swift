import EngineWorld
import FleetEngine
import FleetEngineAPI
import FleetEngineAccess
import FleetEngineSnapshot
import FleetEngineWire
import FoundationEssentials
import GRPCCore
import GRPCNIOTransportHTTP2Posix
import HTTPCalls
import ServerHarness
import SwiftProtobuf
import Synchronization
import Testing
import TripTesting

@testable import FleetEngineCore
@testable import LocalFleetEngine

@Suite("Test hooks of an engine", .timeLimit(.minutes(2)))
struct TestHookTests {
    private func outcomes(_ json: String, _ rpc: String = "GetTrip", _ count: Int = 4) throws -> [FaultPlan.Outcome?] {
        var plan = FaultPlan(try FaultRule.list(json: Array(json.utf8)))
        return (0..<count).map { _ in plan.outcome(of: rpc) }
    }

    @Test("a fault occurs as often as its rule states, in its own call; the next rule follows")
    func counts() throws {
        let json =
            "[{\"rpc\":\"GetTrip\",\"code\":\"UNAVAILABLE\",\"count\":2},{\"rpc\":\"GetTrip\",\"delay_ms\":5,\"code\":null,\"count\":1}]"
        let gone = FaultPlan.Outcome(code: .unavailable, delayMilliseconds: 0)
        #expect(try outcomes(json) == [gone, gone, FaultPlan.Outcome(code: nil, delayMilliseconds: 5), nil])
        #expect(try outcomes(json, "UpdateTrip") == [nil, nil, nil, nil])
        #expect(try outcomes("[{\"rpc\":\"GetTrip\",\"code\":\"ABORTED\",\"probability\":0}]") == [nil, nil, nil, nil])
        let often = try outcomes("[{\"rpc\":\"GetTrip\",\"code\":\"ABORTED\",\"probability\":0.5}]", "GetTrip", 1_000).count { $0 != nil }
        #expect((400...600).contains(often))
    }

    @Test(
        "the refusal of an invalid list states what is wrong",
        arguments: [
            ("{}", "array"), ("[5]", "object"), ("[{}]", "rpc"), ("[{\"rpc\":\"Fly\"}]", "rpc"), ("[{\"rpc\":\"GetTrip\",\"x\":1}]", "x"),
            ("[{\"rpc\":\"GetTrip\",\"code\":\"OK\"}]", "code"), ("[{\"rpc\":\"GetTrip\",\"code\":14}]", "code"),
            ("[{\"rpc\":\"GetTrip\",\"probability\":2}]", "probability"), ("[{\"rpc\":\"GetTrip\",\"delay_ms\":-1}]", "delay_ms"),
            ("[{\"rpc\":\"GetTrip\"},{\"rpc\":\"GetTrip\",\"count\":1.5}]", "[1]"), ("[{\"rpc\":\"GetTrip\",\"count\":\"3\"}]", "count"),
            ("nonsense", "array"),
        ])
    func badLists(json: String, word: String) {
        let error = #expect(throws: FleetEngineError.self) { _ = try FaultRule.list(json: Array(json.utf8)) }
        #expect(error?.code == .invalidArgument && error?.message.contains(word) == true, "\(json)")
    }

    @Test("a clock that is put forward wakes only those who wait for a time that has passed by then")
    func clock() async throws {
        let base = ManualTimeSource()
        let clock = AdjustableTimeSource(base)
        let start = clock.now()
        let early = Task { try await clock.sleep(until: start.addingTimeInterval(600)) }
        let late = Task { try await clock.sleep(until: start.addingTimeInterval(900)) }
        clock.advance(600)
        try await early.value
        #expect(clock.now() == start.addingTimeInterval(600) && base.now() == start)
        late.cancel()
        await #expect(throws: CancellationError.self) { try await late.value }
        clock.reset()
        #expect(clock.now() == start)
    }

    private func json(_ text: String) throws -> Google_Protobuf_Value { try Google_Protobuf_Value(jsonString: text) }

    /// Collects the answers in the order in which they arrive.
    private final class Order: Sendable {
        private let kept = Mutex<[String]>([])

        var all: [String] { kept.withLock { $0 } }
        func add(_ word: String) { kept.withLock { $0.append(word) } }
    }

    @Test("while the state of 5,000 vehicles is loaded eight times at once, others are answered first, and some loads get 503")
    func loads() async throws {
        try await ProviderHarness.with(hasTestHooks: true) { server in
            for number in 0..<5_000 { _ = try await server.engine.createVehicle(.new("car-\(number)")) }
            let order = Order()
            let (ends, end) = AsyncStream.makeStream(of: Int.self)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<8 {
                    group.addTask {
                        let answer = try await HTTPExchange(
                            method: "GET", url: server.address + "/_tripwatch/state", headers: [], body: nil, largestAnswer: 64 << 20,
                            limitSeconds: 100
                        ).send(SystemTimeSource())
                        order.add("\(answer.status)")
                        #expect(answer.header("retry-after") == (answer.status == 200 ? nil : "1"))
                        end.yield(answer.status)
                    }
                }
                // The first 503 shows that the server is handling as many of these requests as it allows.
                #expect(await ends.first { _ in true } == 503)
                for _ in 0..<3 {
                    #expect(try await server.ask("GET", "/healthz").status == 200)
                    order.add("healthz")
                }
                try await group.waitForAll()
            }
            let answers = order.all
            #expect(answers.count { $0 == "200" } == TestHooks.mostLoads && answers.count { $0 == "503" } == 8 - TestHooks.mostLoads)
            let lastHealth = try #require(answers.lastIndex(of: "healthz"))
            #expect(try lastHealth < #require(answers.firstIndex(of: "200")), "\(answers)")
        }
    }

    @Test("state, faults, clock and reset work over HTTP; a wrong request changes nothing")
    func calls() async throws {
        try await ProviderHarness.with(hasTestHooks: true) { server in
            _ = try await server.engine.createVehicle(.new("car"))
            await server.engine.noteStart()
            let first = try await server.ask("GET", "/_tripwatch/state")
            let exported = try await server.engine.export()
            #expect(first.status == 200 && first.text == String(decoding: exported.json, as: UTF8.self))
            _ = try await server.engine.createTrip(.new("t1"))
            _ = try await server.engine.updateTrip(
                .with {
                    $0.name = "providers/plain/trips/t1"
                    $0.trip.vehicleID = "car"
                    $0.updateMask.paths = ["vehicle_id"]
                })
            let faults = "[{\"rpc\":\"GetTrip\",\"code\":\"UNAVAILABLE\",\"count\":1},{\"rpc\":\"GetVehicle\",\"code\":\"ABORTED\"}]"
            let planned = try await server.ask("PUT", "/_tripwatch/faults", faults)
            #expect(planned.status == 200)
            let whole = """
                [{"rpc":"GetTrip","code":"UNAVAILABLE","probability":1,"delay_ms":0,"count":1},\
                {"rpc":"GetVehicle","code":"ABORTED","probability":1,"delay_ms":0,"count":null}]
                """
            let (answered, expected) = (try json(planned.text), try json(whole))
            #expect(answered == expected)
            #expect(try await server.ask("PUT", "/_tripwatch/faults", "[{}]").status == 400)
            #expect(try await server.ask("GET", "/v1/providers/plain/trips/t1").status == 503)
            #expect(try await server.ask("GET", "/v1/providers/plain/trips/t1").status == 200)
            #expect(try await server.ask("GET", "/v1/providers/plain/vehicles/car").status == 409)
            for body in ["{\"advance_s\":-1}", "{\"advance_s\":31622401}", "{}", "{\"advance_s\":\"1\"}", "", "{\"advance_s\":1,\"x\":1}"] {
                #expect(try await server.ask("PUT", "/_tripwatch/clock", body).status == 400, "\(body)")
            }
            #expect(try await server.ask("POST", "/_tripwatch/reset").status == 200)
            #expect(try await server.ask("GET", "/_tripwatch/state").text == first.text)
            #expect(try await server.ask("GET", "/v1/providers/plain/vehicles/car").status == 200)
        }
    }

    @Test("after a step of seven days, the trips are gone before the answer leaves; a reset returns to real time")
    func advance() async throws {
        try await ProviderHarness.with(hasTestHooks: true) { server in
            _ = try await server.engine.createTrip(.new("t1"))
            let before = server.time.now()
            let answer = try await server.ask("PUT", "/_tripwatch/clock", "{\"advance_s\":604801}")
            let now = try Google_Protobuf_Timestamp(moment: before.addingTimeInterval(604_801)).jsonString()
            #expect(answer.status == 200 && answer.text == "{\"now\":\(now)}")
            #expect(await server.engine.snapshot.tripCount == 0)
            _ = try await server.ask("POST", "/_tripwatch/reset")
            let real = try Google_Protobuf_Timestamp(moment: before).jsonString()
            #expect(try await server.ask("PUT", "/_tripwatch/clock", "{\"advance_s\":0}").text == "{\"now\":\(real)}")
        }
    }

    @Test("bookings that waited at the start wait again after a reset")
    func queue() async throws {
        try await ProviderHarness.with(hasTestHooks: true) { server in
            for _ in 1...2 { _ = try await server.desk.book(pickup: World.pickup, dropoff: World.dropoff, stops: [], type: .exclusive) }
            await server.engine.noteStart()
            for id in ["one", "two"] { _ = try await server.engine.createVehicle(.new(id) { $0.parent = "providers/plain" }) }
            #expect(try await server.desk.trip("t2").vehicleID == "two")
            _ = try await server.ask("POST", "/_tripwatch/reset")
            #expect(try await server.desk.trip("t2").vehicleID.isEmpty)
            _ = try await server.engine.createVehicle(.new("three") { $0.parent = "providers/plain" })
            #expect(try await server.desk.trip("t1").vehicleID == "three")
        }
    }

    @Test("without hooks, their paths do not exist")
    func absent() async throws {
        try await ProviderHarness.with { server in
            for (method, path) in [("POST", "reset"), ("GET", "state"), ("PUT", "faults"), ("PUT", "clock")] {
                let answer = try await server.ask(method, "/_tripwatch/\(path)", "[]")
                #expect(answer.status == 404)
            }
        }
    }

    @Test("over gRPC a fault has its code, and is counted together with those over HTTP")
    func bothFaces() async throws {
        try await Servers.with { servers in
            servers.engine.plan(try FaultRule.list(json: Array("[{\"rpc\":\"GetTrip\",\"code\":\"DATA_LOSS\",\"count\":2}]".utf8)))
            #expect(try await servers.call() == .dataLoss)
            let connection = try await RawConnection(port: servers.httpPort)
            try await connection.send("GET /v1/providers/plain/trips/t1 HTTP/1.1\r\nHost: localhost\r\n\r\n")
            #expect(await connection.wait(for: "DATA_LOSS"))
            #expect(try await servers.call() == .notFound)
        }
    }

    @Test("a call that waits does not delay others")
    func delay() async throws {
        let engine = LocalFleetEngine(time: SystemTimeSource())
        engine.plan(try FaultRule.list(json: Array("[{\"rpc\":\"GetTrip\",\"delay_ms\":3600000}]".utf8)))
        let waiting = Task { () async -> StatusCode? in
            do throws(FleetEngineError) {
                try await engine.meetFaults(of: .getTrip)
                return nil
            } catch {
                return error.code
            }
        }
        try await engine.meetFaults(of: .getVehicle)
        _ = try await engine.createVehicle(.new("car"))
        waiting.cancel()
        #expect(await waiting.value == .cancelled)
    }
}
