import FleetEngine
import FoundationEssentials
import Geo
import Testing

@testable import TripRecording

@Suite("Playing a recording")
struct PlaybackTests {
    @Test("every recorded moment is polled once, at exactly its time, at any speed", arguments: [0, 0.1, 1, 8, 1000, 123_456, 1e9])
    func everyMoment(speed: Double) async throws {
        let trip = try Entry.recordedRide
        let playback = PlaybackTimeSource(trip, speed: speed, base: JumpingTimeSource())
        let polls = try await pollUntilFinal(playback)
        for moment in trip.moments { #expect(polls.count { $0.time == moment } == 1) }
        #expect(polls.map(\.trip.status).withoutRepetitions == [.new, .enrouteToPickup, .arrivedAtPickup, .enrouteToDropoff, .complete])
        #expect(zip(polls, polls.dropFirst()).allSatisfy { $0.time < $1.time })
        #expect(polls.last?.time == trip.end)
    }

    @Test("moments a microsecond apart are all seen")
    func dense() async throws {
        let fixes = (0..<500).map { Entry.fix(at: 1, Entry.way[0].offset(eastMeters: Double($0), northMeters: 0)) }
        let entries = [Entry.createTrip(at: 1), Entry.assign(at: 1)] + fixes + [Entry.updateTrip(at: 2, status: "COMPLETE")]
        let trip = try readLog(entries).recordedTrip(matching: nil)
        let polls = try await pollUntilFinal(PlaybackTimeSource(trip, speed: 1000, base: JumpingTimeSource()))
        #expect(Set(polls.compactMap(\.trip.lastLocation?.coordinate)).count == 500)
        #expect(polls.count { trip.moments.contains($0.time) } == 503)
    }

    @Test("a poll loop that is slower than the recording misses nothing and keeps the recorded times")
    func slowLoop() async throws {
        let trip = try Entry.recordedRide
        let base = JumpingTimeSource()
        let polls = try await pollUntilFinal(PlaybackTimeSource(trip, speed: 1000, base: base)) { base.advance(seconds: 30) }
        #expect(polls.map(\.time).filter(trip.moments.contains) == trip.moments)
    }

    @Test("a recording takes its length divided by the speed", arguments: [0.5, 1, 60, 1000])
    func pace(speed: Double) async throws {
        let trip = try Entry.recordedRide
        let base = JumpingTimeSource()
        let start = base.now()
        _ = try await pollUntilFinal(PlaybackTimeSource(trip, speed: speed, base: base)) { base.advance(seconds: 0.001) }
        let expected = trip.end.timeIntervalSince(trip.start) / speed
        let taken = base.now().timeIntervalSince(start)
        #expect(taken >= expected - 0.001 && taken < expected + 0.01, "\(taken) for \(expected)")
    }

    @Test("the loop sleeps between polls and is not a busy loop")
    func noCircles() async throws {
        let base = JumpingTimeSource()
        let polls = try await pollUntilFinal(PlaybackTimeSource(try Entry.recordedRide, speed: 8, base: base))
        #expect(base.sleepCount <= 2 * polls.count)
        #expect(polls.count < 40)
    }

    @Test("the clock stands at a moment until it was requested, and while its answer is processed")
    func stands() async throws {
        let trip = try Entry.recordedRide
        let base = JumpingTimeSource()
        let playback = PlaybackTimeSource(trip, speed: 10, base: base)
        let client = RecordedTripClient(playback)
        base.advance(seconds: 3600)
        #expect(playback.now() == trip.start)
        _ = try await client.getTrip(GetTripRequest(name: trip.name))
        base.advance(seconds: 3600)
        #expect(playback.now() == trip.start)
        try await playback.sleep(until: Entry.date(500))
        #expect(playback.now() == trip.moments[1])
        base.advance(seconds: 3600)
        #expect(playback.now() == trip.moments[1])
    }

    @Test("the clock does not catch up on the time in which the process was stopped")
    func stoppedProcess() async throws {
        let trip = try Entry.recordedRide
        let base = JumpingTimeSource()
        let playback = PlaybackTimeSource(trip, speed: 2, base: base)
        let client = RecordedTripClient(playback)
        for moment in trip.moments.prefix(3) {
            #expect(try await client.getTrip(GetTripRequest(name: trip.name)).name == trip.name)
            #expect(playback.now() == moment)
            base.advance(seconds: 3600)
            try await playback.sleep(until: Entry.date(9))
        }
        #expect(playback.now() == Entry.date(9))
    }

    @Test("after the last moment the clock runs on at the playback's speed")
    func afterTheEnd() async throws {
        let trip = try Entry.recordedRide
        let base = JumpingTimeSource()
        let playback = PlaybackTimeSource(trip, speed: 20, base: base)
        _ = try await pollUntilFinal(playback)
        let start = base.now()
        try await playback.sleep(until: trip.end.addingTimeInterval(100))
        #expect(abs(playback.now().timeIntervalSince(trip.end) - 100) < 1e-3)
        #expect(abs(base.now().timeIntervalSince(start) - 5) < 1e-3)
    }

    @Test("GetTrip between two moments returns the first of them, and does not count as a request for the next")
    func betweenMoments() async throws {
        let trip = try Entry.recordedRide
        let playback = PlaybackTimeSource(trip, base: JumpingTimeSource())
        let client = RecordedTripClient(playback)
        let request = GetTripRequest(name: trip.name)
        _ = try await client.getTrip(request)
        try await playback.sleep(until: Entry.date(1.5))
        #expect(try await client.getTrip(request).vehicleID == nil)
        try await playback.sleep(until: Entry.date(9))
        #expect(playback.now() == Entry.date(2))
        #expect(try await client.getTrip(request).vehicleID == "CAR-1")
    }

    @Test("a request for the vehicle does not count as a request for the trip")
    func vehicleIsNoAsking() async throws {
        let trip = try Entry.recordedRide
        let base = JumpingTimeSource()
        let playback = PlaybackTimeSource(trip, base: base)
        let client = RecordedTripClient(playback)
        _ = try? await client.getVehicle(VehicleName(provider: "demo", vehicle: "CAR-1"))
        base.advance(seconds: 100)
        #expect(playback.now() == trip.start)
    }

    @Test("without requests, sleeps end, but never in a busy loop, and the clock waits")
    func nobodyAsks() async throws {
        let trip = try Entry.recordedRide
        let base = JumpingTimeSource()
        let playback = PlaybackTimeSource(trip, base: base)
        let start = base.now()
        for _ in 0..<200 { try await playback.sleep(until: playback.now().addingTimeInterval(1)) }
        #expect(playback.now() == trip.start)
        #expect(base.now().timeIntervalSince(start) > 20)
    }

    @Test("a cancelled sleep throws")
    func cancelled() async throws {
        let playback = PlaybackTimeSource(try Entry.recordedRide, base: SystemTimeSource())
        _ = try await RecordedTripClient(playback).getTrip(GetTripRequest(name: playback.trip.name))
        let task = Task { try await playback.sleep(until: .distantFuture) }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test("dates beyond the range and invalid speeds do no harm")
    func oddNumbers() async throws {
        let trip = try Entry.recordedRide
        for speed in [Double.nan, .infinity, -.infinity, -1, 0, 1e-300] {
            let playback = PlaybackTimeSource(trip, speed: speed, base: JumpingTimeSource())
            #expect(PlaybackTimeSource.speeds.contains(playback.speed))
            _ = try await pollUntilFinal(playback)
            for date in [Date.distantPast, Date(timeIntervalSinceReferenceDate: .nan), Date(timeIntervalSinceReferenceDate: -.infinity)] {
                try await playback.sleep(until: date)
            }
        }
    }

    @Test("on the real clock, with other sleepers on the playback, the made-up ride loses no moment")
    func realClock() async throws {
        let trip = try FleetEngineLog(TestFile.madeUpRide).recordedTrip(matching: nil)
        let playback = PlaybackTimeSource(trip, speed: 10_000)
        let others = (0..<3).map { _ in
            Task { while true { try await playback.sleep(until: playback.now().addingTimeInterval(0.7)) } }
        }
        let polls = try await pollUntilFinal(playback) { await Task.yield() }
        for other in others { other.cancel() }
        let changes = trip.moments.compactMap { trip.snapshot(at: $0)?.lastLocation }.withoutRepetitions
        #expect(polls.compactMap(\.trip.lastLocation).withoutRepetitions == changes)
        #expect(polls.map(\.trip.status).withoutRepetitions.count == 7)
    }
}
