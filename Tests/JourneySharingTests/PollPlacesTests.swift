import FleetEngine
import FoundationEssentials
import Testing
import TripTesting

@testable import JourneySharing

@Suite("The limit on simultaneous polls")
struct PollPlacesTests {
    private func places(perSecond: Double, roundTrip: Double?) -> PollPlaces {
        var places = PollPlaces()
        places.pollsPerSecond = perSecond
        for _ in 0..<200 {
            places.enter()
            places.leave(after: roundTrip)
        }
        return places
    }

    @Test(
        "the limit is 64, or 1.5 times the number that the interval requires, but at most 1,000",
        arguments: [
            (trips: 10_000.0, interval: 5.0, roundTrip: 0.02, limit: 64), (10_000, 5, 0.1, 300), (10_000, 1, 1, 1_000), (100, 5, 15, 450),
            (3, 1, 1, 64), (10_000, 5, 0, 64), (0, 5, .infinity, 64), (10_000, 5, -.nan, 64),
        ])
    func limit(trips: Double, interval: Double, roundTrip: Double, limit: Int) {
        #expect(places(perSecond: trips / interval, roundTrip: roundTrip).limit == limit)
    }

    @Test("a poll no longer counts when its answer has come, or can no longer come")
    func places() {
        var places = PollPlaces()
        for _ in 0..<64 {
            #expect(places.isFree)
            places.enter()
        }
        #expect(!places.isFree)
        places.leave(after: nil)
        #expect(places.isFree && places.inFlight == 63 && places.roundTripSeconds == 0)
        #expect(self.places(perSecond: .nan, roundTrip: 1).limit == 64)
    }

    @Test("after many late polls in a row, the service reports once that the interval cannot be kept")
    func late() {
        var places = PollPlaces()
        var now = Date(timeIntervalSince1970: 0)
        func isMissed(by seconds: Double, after pause: Double) -> Bool {
            now += pause
            return places.isMissed(5, by: seconds, at: now)
        }
        for _ in 0..<100 {
            let late = (0..<31).map { _ in isMissed(by: 1.3, after: 1) } + [isMissed(by: 1.2, after: 1)]
            #expect(!late.contains(true))
        }
        // After the program has been suspended, all polls are late at the same time. This does not mean that the interval cannot be kept.
        #expect(!(0..<1_000).contains { _ in isMissed(by: 60, after: 0.005) })
        #expect(!isMissed(by: 0.1, after: 0))
        let told = (0..<100).map { _ in isMissed(by: 1.3, after: 0.4) }
        #expect(told.firstIndex(of: true) == 31)
        #expect(told.count { $0 } == 1)
    }
}

@MainActor
@Suite("Many polls", .timeLimit(.minutes(2)))
struct PollRoundTests {
    @Test("of many trips at most 64 are polled at the same time, and the others in turn")
    func turns() async throws {
        let client = ScriptedClient { request, _ in .success(Trip(name: request.name, status: .new)) }
        let time = ManualTimeSource()
        let service = TripService(client: client, time: time, seed: 1)
        let listener = Listener()
        client.hold()
        let models = try (0..<200).map { try service.tripModel(forTripName: "providers/demo/trips/\($0)") }
        for model in models { model.register(listener) }
        await client.waitForCalls(64)
        for _ in 0..<100 { await Task.yield() }
        #expect(client.callCount == 64)
        // The program does not request a trip that no longer has a listener.
        models[150].unregister(listener)
        client.letGo()
        await client.waitForCalls(199)
        while listener.answers < 199 { await Task.yield() }
        #expect(client.mostInFlight == 64)
        #expect(!client.requests.contains { $0.name == models[150].tripName })
        for model in models { model.unregister(listener) }
        while !time.deadlines.isEmpty { await Task.yield() }
    }

    @Test("a server that is too slow for many trips is reported once")
    func late() async throws {
        let time = ManualTimeSource()
        let client = ScriptedClient { request, _ in .success(Trip(name: request.name, status: .new)) }
        let service = TripService(client: client, time: time, seed: 1)
        var told: [[Double]] = []
        service.onLate = { told.append([Double($0), $1, $2]) }
        let listener = Listener()
        let models = try (0..<40).map { try service.tripModel(forTripName: "providers/demo/trips/\($0)") }
        for model in models { model.register(listener) }
        await client.waitForCalls(40)
        while listener.answers < 40 { await Task.yield() }
        #expect(told.isEmpty)
        for round in 2...4 {
            client.hold()
            while client.callCount < 40 * round {
                if !time.deadlines.isEmpty { time.advance(by: 0.05) }
                for _ in 0..<20 { await Task.yield() }
            }
            time.advance(by: 7)
            client.letGo()
            while listener.answers < 40 * round { await Task.yield() }
        }
        #expect(told.count == 1)
        #expect(told.first?.prefix(2) == [40, 5])
        #expect((told.first?.last ?? 0) > 11.9)
        for model in models { model.unregister(listener) }
    }
}
