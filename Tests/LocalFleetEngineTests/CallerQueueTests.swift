import FleetEngine
import FleetEngineAPI
import FleetEngineAccess
import NIOHTTP2
import Testing

@testable import LocalFleetEngine

@Suite("Searches of one caller", .timeLimit(.minutes(1)))
struct CallerQueueTests {
    private static func caller(_ email: String) -> Caller { .account(email: email, trip: nil, vehicle: nil) }

    /// Work that goes on until it is told to end.
    private final class Holding: Sendable {
        let (begun, begin) = AsyncStream.makeStream(of: Int.self)
        let (ends, end) = AsyncStream.makeStream(of: Void.self)

        func work(_ number: Int) async {
            begin.yield(number)
            for await _ in ends { return }
        }
    }

    /// Waits until so many calls wait.
    private func wait(for count: Int, in queue: CallerQueue) async { while queue.waitingCount != count { await Task.yield() } }

    @Test("further ones wait in their order, one too many is refused, and another caller's go on")
    func order() async throws {
        let (queue, holding) = (CallerQueue(limit: 2, waitingLimit: 2), Holding())
        var begun = holding.begun.makeAsyncIterator()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 1...4 {
                group.addTask { try await queue.run(Self.caller("a")) { await holding.work(number) } }
                if number <= 2 { #expect(await begun.next() == number) } else { await wait(for: number - 2, in: queue) }
            }
            let error = await #expect(throws: FleetEngineError.self) { try await queue.run(Self.caller("a")) {} }
            #expect(error?.code == .resourceExhausted)
            #expect(try await queue.run(Self.caller("b")) { true })
            #expect(try await queue.run(nil) { true })
            for number in 3...4 {
                holding.end.yield()
                #expect(await begun.next() == number)
            }
            for _ in 1...2 { holding.end.yield() }
            try await group.waitForAll()
        }
        #expect(queue.waitingCount == 0)
    }

    @Test("one that is given up while it waits ends, and is no longer in the way")
    func givenUp() async throws {
        let (queue, holding) = (CallerQueue(limit: 1, waitingLimit: 1), Holding())
        var begun = holding.begun.makeAsyncIterator()
        let first = Task { try await queue.run(Self.caller("a")) { await holding.work(1) } }
        #expect(await begun.next() == 1)
        let second = Task { try await queue.run(Self.caller("a")) { await holding.work(2) } }
        await wait(for: 1, in: queue)
        second.cancel()
        await #expect(throws: CancellationError.self) { try await second.value }
        let third = Task { try await queue.run(Self.caller("a")) { await holding.work(3) } }
        await wait(for: 1, in: queue)
        holding.end.yield()
        #expect(await begun.next() == 3)
        holding.end.yield()
        try await first.value
        try await third.value
    }

    @Test("a caller is an account with its trip and vehicle, whichever of its tokens it shows, or else an address")
    func callers() async throws {
        let gate = openGate()
        func grant(trip: String) async throws -> AccessGrant {
            let token = try await gate.mint(.consumer, tripID: trip, vehicleID: nil).secret
            return try await gate.grant(authorization: "Bearer \(token)")
        }
        let (first, other) = (try await grant(trip: "t1"), try await grant(trip: "t2"))
        #expect(try await Caller(first, .loopback) == Caller(grant(trip: "t1"), .v4(1)))
        #expect(Caller(first, nil) != Caller(other, nil) && Caller(first, nil) != nil)
        #expect(Caller(nil, .v4(1)) == .address(.v4(1)) && Caller(nil, .loopback) == nil && Caller(nil, nil) == nil)
    }

    @Test("on the gRPC port searches wait behind the caller's own, and a look at one trip does not")
    func searches() async throws {
        var options = EngineOptions()
        options.limits.searchesPerCaller = 1
        options.limits.waitingSearches = 0
        let engine = LocalFleetEngine(state: FleetEngineState(options: options), time: SystemTimeSource())
        let gate = openGate()
        let token = "Bearer \(try await gate.mint(.admin, tripID: nil, vehicleID: nil).secret)"
        let caller = try #require(Caller(try await gate.grant(authorization: token), nil))
        let holding = Holding()
        var begun = holding.begun.makeAsyncIterator()
        let search = Task { try await engine.searches.run(caller) { await holding.work(1) } }
        #expect(await begun.next() == 1)
        try await Servers.with(gate: gate, engine: engine) { servers in
            let client = try await HTTP2Client(port: servers.grpcPort)
            let calls = [("TripService/SearchTrips", "8"), ("VehicleService/ListVehicles", "8"), ("TripService/GetTrip", "3")]
            for (index, (method, status)) in calls.enumerated() {
                let stream = HTTP2StreamID(2 * index + 1)
                try await client.begin(stream, "/maps.fleetengine.v1.\(method)", fields: ["authorization": token])
                try await client.send(stream, bytes: [0, 0, 0, 0, 0])
                #expect(await client.answer(stream)?.status == status, "\(method)")
            }
            holding.end.yield()
            try await search.value
            try await client.begin(7, "/maps.fleetengine.v1.VehicleService/ListVehicles", fields: ["authorization": token])
            try await client.send(7, bytes: [0, 0, 0, 0, 0])
            #expect(await client.answer(7)?.status == "3")
            await client.close()
        }
    }
}
