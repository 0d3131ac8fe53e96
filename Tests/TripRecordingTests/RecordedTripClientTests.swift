import FleetEngine
import FoundationEssentials
import Geo
import Testing

@testable import TripRecording

@Suite("The client of a recording")
struct RecordedTripClientTests {
    /// A clock that always shows the same time.
    private struct StillTime: TimeSource {
        let date: Date
        func now() -> Date { date }
        func sleep(until deadline: Date) async throws {}
    }

    private func client(at seconds: Double) throws -> RecordedTripClient {
        RecordedTripClient(try Entry.recordedRide, time: StillTime(date: Entry.date(seconds)))
    }

    @Test("the answer is the trip at the clock's time")
    func answer() async throws {
        let trip = try Entry.recordedRide
        for seconds in [1, 15.5, 31, 61, 400] {
            let answer = try await client(at: seconds).getTrip(GetTripRequest(name: trip.name))
            #expect(answer == trip.snapshot(at: Entry.date(seconds)))
        }
    }

    @Test("another name, and a time before the trip, are NOT_FOUND")
    func notFound() async throws {
        let name = try TripName(Entry.tripName)
        let other = try TripName(provider: "demo", trip: "t2")
        let cases = [(0.5, name), (10, other)]
        for (seconds, name) in cases {
            let client = try client(at: seconds)
            let error = await #expect(throws: FleetEngineError.self) { try await client.getTrip(GetTripRequest(name: name)) }
            #expect(error?.code == .notFound)
        }
    }

    @Test("parts whose version the caller has are left out; their versions are not")
    func incremental() async throws {
        let trip = try FleetEngineLog(TestFile.madeUpRide).recordedTrip(matching: nil)
        let time = try #require(trip.moments.first { trip.snapshot(at: $0)?.activeRoute.traffic.count == 3 })
        let whole = try #require(trip.snapshot(at: time))
        let client = RecordedTripClient(trip, time: StillTime(date: time))
        var request = GetTripRequest(name: trip.name)
        request.activeRouteVersion = whole.activeRouteVersion
        var answer = try await client.getTrip(request)
        #expect(answer.activeRoute.isEmpty && answer.activeRouteVersion == whole.activeRouteVersion)
        #expect(answer.activeRoute.traffic == whole.activeRoute.traffic && answer.remainingWaypoints == whole.remainingWaypoints)
        request.activeRouteTrafficVersion = whole.activeRouteTrafficVersion
        request.remainingWaypointsRouteVersion = whole.remainingWaypointsRouteVersion
        answer = try await client.getTrip(request)
        #expect(answer.activeRoute.traffic.isEmpty && answer.remainingWaypoints.allSatisfy(\.path.isEmpty))
        #expect(answer.remainingWaypoints.map(\.coordinate) == whole.remainingWaypoints.map(\.coordinate))
        request.activeRouteVersion = DataVersion(seconds: 0, nanoseconds: 0)
        #expect(try await client.getTrip(request).activeRoute.line == whole.activeRoute.line)
    }

    @Test("a caller that keeps the parts left out has the whole trip at every moment")
    func incrementalEqualsWhole() async throws {
        let trip = try FleetEngineLog(TestFile.madeUpRide).recordedTrip(matching: nil)
        let playback = PlaybackTimeSource(trip, speed: 100, base: JumpingTimeSource())
        var route = Polyline([]), traffic: [TrafficStretch] = []
        var known: (route: DataVersion?, traffic: DataVersion?) = (nil, nil)
        for poll in try await pollUntilFinal(playback) where !poll.trip.status.isFinal {
            if poll.trip.activeRouteVersion != known.route { route = poll.trip.activeRoute.line }
            if poll.trip.activeRouteTrafficVersion != known.traffic { traffic = poll.trip.activeRoute.traffic }
            known = (poll.trip.activeRouteVersion, poll.trip.activeRouteTrafficVersion)
            let whole = try #require(trip.snapshot(at: poll.time))
            #expect(route == whole.activeRoute.line)
            #expect(traffic == whole.activeRoute.traffic)
        }
    }

    @Test("the vehicle exists while it has the trip")
    func vehicle() async throws {
        let name = try VehicleName(provider: "demo", vehicle: "CAR-1")
        let vehicle = try await client(at: 15).getVehicle(name)
        #expect(vehicle.name == name && vehicle.state == .online && vehicle.lastLocation?.coordinate == Entry.way[0])
        for (seconds, name) in [(1.5, name), (15, try VehicleName(provider: "demo", vehicle: "CAR-2"))] {
            await #expect(throws: FleetEngineError.self) { try await client(at: seconds).getVehicle(name) }
        }
    }

    @Test("there is no token to renew")
    func token() async throws { #expect(try await client(at: 1).renewToken(for: TripName(Entry.tripName)) == false) }
}
