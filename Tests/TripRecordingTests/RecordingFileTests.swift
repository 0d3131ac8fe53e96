import FleetEngine
import FleetEngineWire
import FoundationEssentials
import Geo
import Testing

@testable import TripRecording

@Suite("The made-up ride")
struct MadeUpRideTests {
    private var trip: RecordedTrip { get throws { try FleetEngineLog(TestFile.madeUpRide).recordedTrip(matching: nil) } }

    @Test("the ride takes about six minutes from booking to completion, with a stop on the way")
    func story() throws {
        let trip = try trip
        #expect(trip.name.description == "providers/demo/trips/made-up-ride")
        #expect((330...390).contains(trip.end.timeIntervalSince(trip.start)))
        let statuses = trip.moments.compactMap { trip.snapshot(at: $0)?.status }.withoutRepetitions
        #expect(
            statuses == [
                .new, .enrouteToPickup, .arrivedAtPickup, .enrouteToIntermediateDestination, .arrivedAtIntermediateDestination,
                .enrouteToDropoff,
                .complete,
            ])
    }

    @Test("the ride has a jam, and every figure is plausible")
    func figures() throws {
        let trip = try trip
        let snapshots = trip.moments.compactMap(trip.snapshot)
        #expect(snapshots.contains { $0.activeRoute.traffic.contains { $0.speed == .trafficJam } })
        for snapshot in snapshots {
            let places =
                snapshot.activeRoute.coordinates + snapshot.remainingWaypoints.map(\.coordinate)
                + [snapshot.lastLocation?.coordinate].compactMap(\.self)
            #expect(places.allSatisfy { abs($0.latitude + 47) < 0.02 && abs($0.longitude + 20) < 0.02 })
            #expect((0...900).contains(snapshot.remainingDistanceMeters ?? 0))
            guard snapshot.vehicleID == "DEMO-CAR-7", !snapshot.status.isFinal else { continue }
            #expect(snapshot.remainingWaypoints.last?.type == .dropoff)
            // Drivers seldom upload a shortened route, so the route is usually longer than the remaining distance.
            let length = snapshot.activeRoute.lengthMeters
            #expect(length < 850 && length > (snapshot.remainingDistanceMeters ?? 0) - 10)
        }
    }

    @Test("a truncated file is refused with a sentence")
    func truncated() throws {
        let data = try TestFile.madeUpRide
        for count in stride(from: 0, to: data.count - 3, by: 997) {
            let text = sentence { _ = try FleetEngineLog(data.prefix(count)) }
            #expect(text.hasPrefix("the recording ") || text.contains("of the recording"), "\(count): \(text)")
        }
    }

    @Test("the ride is read from its own bytes, including the refused call")
    func counts() throws {
        let log = try FleetEngineLog(TestFile.madeUpRide)
        #expect(log.entryCount == 50 && log.refusedCallCount == 1 && log.unknownEntryCount == 0 && log.unusableEntryCount == 0)
    }
}

@Suite("A log of a real Fleet Engine", .enabled(if: TestFile.realLog != nil))
struct RealLogTests {
    private static let data = TestFile.realLog ?? Data()
    private static let recorded = try? FleetEngineLog(data).recordedTrip(matching: nil)
    private let data = Self.data
    private let trip: RecordedTrip

    init() throws { trip = try #require(Self.recorded) }

    /// Returns the vehicle's fixes between the trip's second and last entries. They are read from the JSON without the code under test.
    private func recordedFixes() throws -> [(serverTime: String, place: Coordinate)] {
        let entries = try JSONDecoder().decode(JSONValue.self, from: data)["rawlogs"]?.array ?? []
        let kinds = entries.map { $0["jsonpayload"]?["@type"]?.string ?? "" }
        let own = kinds.indices.filter { kinds[$0].hasSuffix("TripLog") }
        let range = try #require(own.dropFirst().first)..<(try #require(own.last))
        return try range.filter { kinds[$0].hasSuffix("UpdateVehicleLog") }.map { index in
            let location = entries[index]["jsonpayload"]?["response"]?["lastlocation"]
            let latitude = try #require(location?["location"]?["latitude"]?.number)
            let longitude = try #require(location?["location"]?["longitude"]?.number)
            return (try #require(location?["servertime"]?.string), Coordinate(latitude: latitude, longitude: longitude))
        }
    }

    @Test("every recorded fix comes out exactly once, at any speed", arguments: [1, 1000.0])
    func fixes(speed: Double) async throws {
        let expected = try recordedFixes()
        #expect(expected.count == 244)
        let polls = try await pollUntilFinal(PlaybackTimeSource(trip, speed: speed, base: JumpingTimeSource()))
        let seen = polls.compactMap(\.trip.lastLocation).filter { $0.serverTime != nil }.withoutRepetitions
        // The first fix is older than the log, so only an entry about the trip contains it.
        #expect(seen.dropFirst().map(\.coordinate) == expected.map(\.place))
        #expect(seen.dropFirst().map(\.serverTime) == expected.map { LogInstant(text: $0.serverTime)?.date })
        #expect(
            seen.allSatisfy { (37.34...37.41).contains($0.coordinate.latitude) && (-122.07...(-122.0)).contains($0.coordinate.longitude) })
    }

    @Test("the statuses come in order, and the last one is at the end")
    func statuses() {
        let statuses = trip.moments.compactMap { trip.snapshot(at: $0)?.status }
        #expect(statuses.withoutRepetitions == [.new, .enrouteToPickup, .arrivedAtPickup, .enrouteToDropoff, .complete])
        #expect(trip.moments.count == 1 + 1 + 244 + 4)
        #expect(trip.end == LogInstant(text: "2025-02-05T17:22:51.871432Z")?.date)
    }

    @Test("the route of the ride is 10.6 km long, within one percent")
    func route() throws {
        let snapshot = try #require(trip.moments.lazy.compactMap(trip.snapshot).first { $0.status == .enrouteToDropoff })
        #expect(abs(snapshot.activeRoute.lengthMeters - 10_600) < 106)
        #expect(snapshot.remainingDistanceMeters == 10_609)
        #expect(snapshot.remainingWaypoints.map(\.type) == [.dropoff])
        #expect(snapshot.activeRoute.traffic.count > 5)
    }

    @Test("the end is the same as in the server's answer")
    func complete() throws {
        let last = try #require(trip.snapshot(at: trip.end))
        #expect(last.actualDropoff?.coordinate == Coordinate(latitude: 37.40501382585277, longitude: -122.0205371081829))
        #expect(last.lastLocation == VehicleLocation(coordinate: Coordinate(latitude: 37.40501382585277, longitude: -122.0205371081829)))
        #expect(last.dropoffTime == LogInstant(text: "2025-02-05T17:22:51.792744Z")?.date)
        #expect(last.pickupTime == LogInstant(text: "2025-02-05T17:04:34.091114Z")?.date)
    }

    @Test("a truncated log is refused with a sentence")
    func truncated() {
        for count in stride(from: 0, to: data.count - 1, by: 49_999) {
            let text = sentence { _ = try FleetEngineLog(data.prefix(count)) }
            #expect(text.hasPrefix("the recording ") || text.contains("of the recording"), "\(count): \(text)")
        }
    }
}
