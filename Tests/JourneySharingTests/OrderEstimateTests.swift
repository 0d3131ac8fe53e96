import FleetEngine
import FoundationEssentials
import Geo
import JourneySharing
import Testing

@Suite("The countdown of an order")
struct OrderEstimateTests {
    private static let start = Date(timeIntervalSince1970: 1_935_792_000)

    private func journey(_ status: TripStatus, kind: TripKind? = .order, _ change: (inout Trip) -> Void) throws -> JourneyTracker {
        let name = try TripName("providers/demo/trips/noodles")
        var journey = JourneyTracker(tripName: name, fallbackKind: kind)
        var trip = Trip(name: name, vehicleID: "courier-7", status: status)
        change(&trip)
        journey.observe(TripUpdate(name: name, time: Self.start, kind: .trip(trip, changed: TripPropertyFields(from: nil, to: trip))))
        return journey
    }

    private func stop(_ type: WaypointType, of trip: String = "noodles", in seconds: Double? = nil, meters: Double? = nil) -> TripWaypoint {
        TripWaypoint(
            coordinate: Coordinate(latitude: 1, longitude: 1), tripID: trip, type: type, distanceMeters: meters,
            eta: seconds.map(Self.start.addingTimeInterval))
    }

    @Test(
        "The drop-off's arrival counts at each status, and the shop has its own arrival",
        arguments: [TripStatus.new, .enrouteToPickup, .arrivedAtPickup, .enrouteToIntermediateDestination, .enrouteToDropoff])
    func dropoff(status: TripStatus) throws {
        let journey = try journey(status) {
            $0.pickupTime = Self.start.addingTimeInterval(180)
            $0.dropoffTime = Self.start.addingTimeInterval(840)
        }
        #expect(journey.estimate?.waypoint == .dropoff)
        #expect(journey.remainingSeconds(now: Self.start) == 840)
        // Once the courier is at the shop, the server's time for the shop is not used.
        let isAhead = status == .new || status == .enrouteToPickup
        #expect(journey.arrivals[.pickup].shown == (isAhead ? Self.start.addingTimeInterval(180) : nil))
    }

    @Test("Without a time in the trip, the ETA of the drop-off's stop counts, and no other")
    func listed() throws {
        let listed = try journey(.enrouteToPickup) {
            $0.etaToNextWaypoint = Self.start.addingTimeInterval(180)
            $0.remainingDistanceMeters = 900
            $0.remainingWaypoints = [stop(.pickup, in: 180), stop(.dropoff, in: 840, meters: 3_200)]
        }
        #expect(listed.remainingSeconds(now: Self.start) == 840)
        #expect(listed.estimate?.remainingMeters == 4_100)
        let unknown = try journey(.enrouteToPickup) {
            $0.pickupTime = Self.start.addingTimeInterval(180)
            $0.etaToNextWaypoint = Self.start.addingTimeInterval(180)
            $0.remainingDistanceMeters = 900
            $0.remainingWaypoints = [stop(.pickup, in: 180), stop(.dropoff)]
        }
        #expect(unknown.forecast.shown == nil && unknown.estimate?.remainingMeters == nil)
        let bare = try journey(.arrivedAtPickup) { $0.remainingDistanceMeters = 900 }
        #expect(bare.forecast.shown == nil && bare.estimate?.remainingMeters == nil)
    }

    @Test("Deliveries to others between the shop and the drop-off are counted, and no other stops are")
    func deliveries() throws {
        let before = [stop(.dropoff, of: "a"), stop(.pickup), stop(.pickup, of: "b"), stop(.dropoff, of: "b"), stop(.dropoff)]
        #expect(try journey(.enrouteToPickup) { $0.remainingWaypoints = before }.estimate?.stopsBefore == 1)
        let after = [stop(.dropoff, of: "b"), stop(.pickup, of: "c"), stop(.dropoff, of: "c"), stop(.dropoff), stop(.dropoff, of: "d")]
        #expect(try journey(.enrouteToDropoff) { $0.remainingWaypoints = after }.estimate?.stopsBefore == 2)
    }

    @Test("A ride counts down to its next stop; a ride at its pickup is at its stop, but an order is not")
    func ride() throws {
        let ride = try journey(.arrivedAtPickup, kind: nil) {
            $0.pickupTime = Self.start
            $0.dropoffTime = Self.start.addingTimeInterval(840)
        }
        #expect(ride.estimate?.waypoint == .pickup && ride.isAtStop)
        let order = try journey(.arrivedAtPickup, kind: .ride) { $0.attributes = ["kind": "order"] }
        #expect(order.kind == .order && !order.isAtStop)
    }
}
