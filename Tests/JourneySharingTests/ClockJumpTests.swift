import FleetEngine
import Foundation
import Geo
import Testing

@testable import JourneySharing

@Suite("A clock that jumps by an hour")
struct ClockJumpTests {
    private let start = Date(timeIntervalSince1970: 1_935_756_120)

    private func trip(fix: Date, arrival: Date) throws -> Trip {
        var trip = Trip(name: try TripName("providers/demo/trips/made-up-ride"), status: .enrouteToPickup)
        trip.vehicleID = "demo-7"
        trip.pickupTime = arrival
        // The server answers two seconds after the fix. The server's time is the arrival minus the remaining time.
        trip.etaToNextWaypoint = arrival
        trip.remainingTimeToNextWaypointSeconds = arrival.timeIntervalSince(fix) - 2
        trip.remainingDistanceMeters = 1_804
        trip.lastLocation = VehicleLocation(
            coordinate: Coordinate(latitude: 48.5, longitude: 9.1), updateTime: fix, serverTime: fix)
        return trip
    }

    /// Follows a journey that gets an answer every five seconds, and returns its values after each answer. From second 20 on, the clocks of
    /// the server and the car are `jump` seconds ahead.
    private func journeys(jump: Double) throws -> [(second: Int, age: Double, freshness: Freshness?, eta: ETAText)] {
        var journey = JourneyTracker(tripName: try TripName("providers/demo/trips/made-up-ride"))
        return try stride(from: 0, through: 120, by: 5).map { second in
            let now = start.addingTimeInterval(Double(second))
            let server = now.addingTimeInterval(second >= 20 ? jump : 0)
            let trip = try trip(fix: server.addingTimeInterval(-2), arrival: server.addingTimeInterval(360 - Double(second)))
            journey.observe(
                TripUpdate(name: journey.tripName, time: now, kind: .trip(trip, changed: TripPropertyFields(from: nil, to: trip))))
            return (second, journey.ageSeconds(now: now) ?? -1, journey.freshness, journey.etaText(now: now))
        }
    }

    @Test("no age and no countdown is absurd half a minute later, and the position is live", arguments: [3_600.0, -3_600])
    func server(jump: Double) throws {
        for moment in try journeys(jump: jump) {
            #expect((0...60).contains(moment.age), "\(moment)")
            guard moment.second >= 50 else { continue }
            #expect(moment.freshness == .live && moment.age < 20, "\(moment)")
            switch moment.eta.value {
            case .minutes(let minutes): #expect((1...7).contains(minutes), "\(moment)")
            default: Issue.record("\(moment)")
            }
        }
    }

    /// If the server's clock is set forward, the positions look late. After two minutes, the program knows that the car's clock is behind
    /// the server's.
    @Test("if only the server's clock is set, the position is live again after two minutes at most", arguments: [3_600.0, -3_600])
    func serverAlone(jump: Double) throws {
        var journey = JourneyTracker(tripName: try TripName("providers/demo/trips/made-up-ride"))
        for second in stride(from: 0.0, through: 180, by: 5) {
            let ahead = second >= 22 ? jump : 0
            let now = start.addingTimeInterval(second)
            // The car reports every ten seconds. The server's clock is set after the report at second 20.
            let reported = (second / 10).rounded(.down) * 10
            let fix = start.addingTimeInterval(reported + (reported >= 22 ? jump : 0))
            var trip = try trip(fix: fix, arrival: now.addingTimeInterval(ahead + 360 - second))
            trip.remainingTimeToNextWaypointSeconds = 360 - second
            trip.lastLocation?.updateTime = start.addingTimeInterval(reported)
            journey.observe(
                TripUpdate(name: journey.tripName, time: now, kind: .trip(trip, changed: TripPropertyFields(from: nil, to: trip))))
            let age = try #require(journey.ageSeconds(now: now))
            if jump > 0, (30..<150).contains(second) {
                #expect(age >= jump && journey.freshness == .notLive, "\(second)")
            } else {
                #expect((0...12).contains(age) && journey.freshness == .live, "\(second)")
            }
        }
    }

    @Test("promised times remain as far away as they were, and have not moved", arguments: [3_600.0, -3_600])
    func promise(jump: Double) throws {
        var journey = JourneyTracker(tripName: try TripName("providers/demo/trips/made-up-ride"))
        for second in stride(from: 0.0, through: 60, by: 5) {
            let server = start.addingTimeInterval(second + (second >= 20 ? jump : 0))
            let trip = try trip(fix: server.addingTimeInterval(-2), arrival: server.addingTimeInterval(360 - second))
            journey.observe(
                TripUpdate(
                    name: journey.tripName, time: start.addingTimeInterval(second),
                    kind: .trip(trip, changed: TripPropertyFields(from: nil, to: trip))))
        }
        #expect(journey.forecast.moves == 0)
        #expect(journey.forecast.promises.map(\.arrival) == [start.addingTimeInterval(360 + jump)])
    }

    @Test(
        "if the local clock is wrong by an hour, nothing becomes old when the server no longer states its time",
        arguments: [3_600.0, -3_600])
    func untold(ahead: Double) throws {
        var journey = JourneyTracker(tripName: try TripName("providers/demo/trips/made-up-ride"))
        for second in stride(from: 0.0, through: 120, by: 5) {
            let server = start.addingTimeInterval(second - ahead)
            var trip = try trip(fix: server.addingTimeInterval(-2), arrival: server.addingTimeInterval(360 - second))
            if second > 30 {
                trip.status = .arrivedAtPickup
                trip.remainingTimeToNextWaypointSeconds = 0
            }
            let now = start.addingTimeInterval(second)
            journey.observe(
                TripUpdate(name: journey.tripName, time: now, kind: .trip(trip, changed: TripPropertyFields(from: nil, to: trip))))
            #expect((0...10).contains(journey.ageSeconds(now: now) ?? -1) && journey.freshness == .live, "\(second)")
        }
    }
}
