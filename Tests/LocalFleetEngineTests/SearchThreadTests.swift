import Dispatch
import EngineWorld
import FleetEngine
import FleetEngineAPI
import FleetEngineAccess
import GRPCServing
import NIOCore
import NIOHTTP2
import NIOPosix
import SwiftProtobuf
import Synchronization
import Testing

@testable import FleetEngineCore
@testable import LocalFleetEngine

@Suite("Searches beside other calls", .timeLimit(.minutes(2)))
struct SearchThreadTests {
    /// Work that blocks its thread until the test ends it.
    final class Work: Sendable {
        let (begun, begin) = AsyncStream.makeStream(of: Void.self)
        private let mayEnd = DispatchSemaphore(value: 0)

        func end() { mayEnd.signal() }

        func run() {
            begin.yield()
            mayEnd.wait()
            mayEnd.signal()
        }
    }

    /// Counts answered calls.
    private final class Answers: Sendable {
        let count = Mutex(0)

        func add() { count.withLock { $0 += 1 } }
    }

    private static let search = WireSearchVehiclesRequest.with {
        $0.parent = World.provider
        $0.pickupPoint = .at(World.pickup)
        $0.pickupRadiusMeters = 10_000
        $0.count = 5
        $0.minimumCapacity = 1
        $0.tripTypes = [.exclusive]
        $0.orderBy = .pickupPointEta
        $0.vehicleTypes = [.with { $0.category = .auto }]
    }

    private func call(
        _ client: HTTP2Client, _ stream: HTTP2StreamID, _ method: String, _ request: some Message, _ authorization: String
    ) async throws {
        try await client.begin(stream, "/maps.fleetengine.v1.\(method)", fields: ["authorization": authorization])
        try await client.send(stream, bytes: Array(ByteBuffer(grpcMessage: try request.serializedBytes()).readableBytesView))
    }

    @Test("another caller's GetTrip is answered before any of 900 searches while all their threads are busy")
    func order() async throws {
        let (work, gate) = (Work(), openGate())
        for _ in 0..<SearchThreads.count { SearchThreads.pool.submit { _ in work.run() } }
        defer { work.end() }
        let engine = LocalFleetEngine(time: SystemTimeSource())
        _ = try await engine.createVehicle(.new("car"))
        _ = try await engine.createTrip(.new("t1"))
        let one = "Bearer \(try await gate.mint(.server, tripID: "*", vehicleID: "*").secret)"
        let other = "Bearer \(try await gate.mint(.consumer, tripID: "t1", vehicleID: nil).secret)"
        try await Servers.with(gate: gate, engine: engine) { servers in
            let crowd = try await HTTP2Client(port: servers.grpcPort)
            let trip = WireGetTripRequest.with { $0.name = "\(World.provider)/trips/t1" }
            // After the first answer, the client knows how many calls the server allows at the same time.
            try await call(crowd, 1, "TripService/GetTrip", trip, one)
            #expect(await crowd.answer(1)?.status == "0")
            let streams = (1...900).map { HTTP2StreamID(2 * $0 + 1) }
            for stream in streams { try await call(crowd, stream, "VehicleService/SearchVehicles", Self.search, one) }
            // This call is sent on the same connection as the searches, after all of them.
            try await call(crowd, 2_001, "TripService/GetTrip", trip, other)
            #expect(await crowd.answer(2_001)?.status == "0")
            #expect(try await servers.ask("GET", "/v1/\(World.provider)/trips/t1", authorization: other).status == 200)
            #expect(engine.metrics.count(.getTrip, .ok) == 3 && engine.metrics.count(.searchVehicles, .ok) == 0)
            work.end()
            for stream in streams { #expect(await crowd.answer(stream)?.status == "0") }
            await crowd.close()
        }
    }

    @Test("the engine is not locked while a search looks through vehicles")
    func unlocked() async throws {
        let engine = LocalFleetEngine(time: SystemTimeSource())
        _ = try await engine.createTrip(.new("t1"))
        let work = Work()
        let searching = Task { try await engine.search { _ in work.run() } }
        for await _ in work.begun { break }
        #expect(try await engine.getTrip(.with { $0.name = "\(World.provider)/trips/t1" }).name.hasSuffix("/t1"))
        _ = try await engine.createVehicle(.new("car"))
        work.end()
        try await searching.value
    }

    @Test("lists of tasks and delivery vehicles run on the search threads, and other calls do not wait for them")
    func deliveryLists() async throws {
        let engine = LocalFleetEngine(time: SystemTimeSource())
        _ = try await engine.createTask(DeliveryCaller.newTask("t1"))
        let work = Work()
        for _ in 0..<SearchThreads.count { SearchThreads.pool.submit { _ in work.run() } }
        defer { work.end() }
        let answers = Answers()
        let tasks = Task {
            let count = try await engine.listTasks(.with { $0.parent = World.provider }).totalSize
            answers.add()
            return count
        }
        let vans = Task {
            let count = try await engine.listDeliveryVehicles(.with { $0.parent = World.provider }).totalSize
            answers.add()
            return count
        }
        for _ in 0..<200 {
            #expect(try await engine.getTask(.with { $0.name = "\(World.provider)/tasks/t1" }).state == .open)
        }
        let early = answers.count.withLock { $0 }
        #expect(early == 0)
        work.end()
        #expect(try await tasks.value == 1)
        #expect(try await vans.value == 0)
    }

    @Test("a search is repeated if a change that it may have seen is undone meanwhile")
    func undone() async throws {
        let engine = LocalFleetEngine(time: SystemTimeSource())
        let looks = Mutex(0)
        let answer = try await engine.search { _ in
            let look = looks.withLock { looks in
                looks += 1
                return looks
            }
            if look == 1 { engine.held.withLock { _ = $0.undo("disk I/O error") } }
            return look
        }
        #expect(answer == 2)
    }
}
