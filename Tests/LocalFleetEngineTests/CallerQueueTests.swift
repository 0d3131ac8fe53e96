import FleetEngine
import FleetEngineAPI
import FleetEngineAccess
import NIOCore
import NIOHTTP2
import Testing

@testable import FleetEngineCore
@testable import LocalFleetEngine

@Suite("Calls of one caller", .timeLimit(.minutes(1)))
struct CallerQueueTests {
    private static func caller(_ email: String) -> Caller { .account(email: email, trip: nil, vehicle: nil) }

    /// The work of a call, which runs until the test ends it.
    private final class Holding: Sendable {
        let (begun, begin) = AsyncStream.makeStream(of: Int.self)
        let (ends, end) = AsyncStream.makeStream(of: Void.self)

        func work(_ number: Int) async {
            begin.yield(number)
            for await _ in ends { return }
        }
    }

    /// Returns when `count` calls wait in the queue.
    private func wait(for count: Int, in queue: CallerQueue) async { while queue.waitingCount != count { await Task.yield() } }

    @Test("further calls wait in their order, one too many is refused, and another caller's calls go on")
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

    @Test("a call that is cancelled while it waits ends, and no longer blocks others")
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

    @Test("a caller is an account with its trip and vehicle, whichever of its tokens it uses; without a token, it is an address")
    func callers() async throws {
        let gate = openGate()
        func grant(trip: String) async throws -> AccessGrant {
            let token = try await gate.mint(.consumer, tripID: trip, vehicleID: nil).secret
            return try await gate.grant(authorization: "Bearer \(token)")
        }
        let (first, other) = (try await grant(trip: "t1"), try await grant(trip: "t2"))
        func source(_ address: String) throws -> CallSource { CallSource(peer: try SocketAddress(ipAddress: address, port: 1)) }
        let (own, far) = (try source("127.0.0.1"), try source("192.0.2.1"))
        #expect(try await Caller(first, own) == Caller(grant(trip: "t1"), far))
        #expect(Caller(first, own) != Caller(other, own) && Caller(first, CallSource()) != nil)
        #expect(Caller(nil, far) == far.address.map { .address($0) } && Caller(nil, own) == nil && Caller(nil, CallSource()) == nil)
    }

    @Test("calls over gRPC and HTTP wait behind the same caller's calls, and not behind another caller's")
    func faces() async throws {
        var options = EngineOptions()
        options.limits.callsPerCaller = 1
        options.limits.waitingCalls = 0
        let engine = LocalFleetEngine(state: FleetEngineState(options: options), time: SystemTimeSource())
        let gate = openGate()
        let token = "Bearer \(try await gate.mint(.admin, tripID: nil, vehicleID: nil).secret)"
        let other = "Bearer \(try await gate.mint(.server, tripID: "*", vehicleID: "*").secret)"
        let caller = Caller(try await gate.grant(authorization: token))
        let holding = Holding()
        var begun = holding.begun.makeAsyncIterator()
        let held = Task { try await engine.callers.run(caller) { await holding.work(1) } }
        #expect(await begun.next() == 1)
        try await Servers.with(gate: gate, engine: engine) { servers in
            let client = try await HTTP2Client(port: servers.grpcPort)
            var number = -1
            func status(of method: String, _ authorization: String) async throws -> String? {
                number += 2
                let stream = HTTP2StreamID(number)
                try await client.begin(stream, "/maps.fleetengine.v1.\(method)", fields: ["authorization": authorization])
                try await client.send(stream, bytes: [0, 0, 0, 0, 0])
                return await client.answer(stream)?.status
            }
            func status(ofTripFor authorization: String) async throws -> Int {
                try await servers.ask("GET", "/v1/providers/plain/trips/t1", authorization: authorization).status
            }
            for method in ["TripService/SearchTrips", "VehicleService/ListVehicles", "TripService/GetTrip"] {
                #expect(try await status(of: method, token) == "8", "\(method)")
            }
            #expect(try await status(ofTripFor: token) == 429)
            #expect(try await status(ofTripFor: other) == 404)
            holding.end.yield()
            try await held.value
            #expect(try await status(of: "VehicleService/ListVehicles", token) == "3")
            #expect(try await status(ofTripFor: token) == 404)
            await client.close()
        }
    }
}
