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
        // By these the server tells its clock: it answers two seconds after the fix.
        trip.etaToNextWaypoint = arrival
        trip.remainingTimeToNextWaypointSeconds = arrival.timeIntervalSince(fix) - 2
        trip.remainingDistanceMeters = 1_804
        trip.lastLocation = VehicleLocation(
            coordinate: Coordinate(latitude: 48.5, longitude: 9.1), updateTime: fix, serverTime: fix)
        return trip
    }

    /// Answers every five seconds; from the twentieth second on the server's clock, and the car's with it, is `jump` seconds on.
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
}
