import FleetEngine
import Geo
import Testing

@testable import Driver

@Suite("The next step of a driver")
struct TripStepTests {
    private static let pickup = Sea.place(300, 400)
    private static let dropoff = Sea.place(900, 1_600)
    private static let stops = [Sea.place(400, 900), Sea.place(500, 900)]

    private func step(_ status: TripStatus, vehicleID: String? = "boat-1", _ change: (inout Trip) -> Void = { _ in }) throws -> TripStep {
        var trip = Trip(
            name: try TripName(provider: "sea", trip: "t1"), vehicleID: vehicleID, status: status, type: .exclusive,
            numberOfPassengers: 1, pickupPoint: Self.pickup, dropoffPoint: Self.dropoff, intermediateDestinations: Self.stops)
        change(&trip)
        return TripStep(trip, vehicleID: "boat-1")
    }

    @Test("Each status has its step")
    func statuses() throws {
        let (pickup, stop) = (TripStop(type: .pickup, coordinate: Self.pickup), TripStop(type: .intermediate, coordinate: Self.stops[1]))
        #expect(try step(.new) == .set(.init(.enrouteToPickup)))
        #expect(try step(.enrouteToPickup) == .drive(to: pickup, then: .init(.arrivedAtPickup)))
        #expect(try step(.arrivedAtPickup) == .dwell(then: .init(.enrouteToIntermediateDestination, intermediateIndex: 0)))
        #expect(try step(.arrivedAtPickup) { $0.intermediateDestinations = [] } == .dwell(then: .init(.enrouteToDropoff)))
        #expect(
            try step(.enrouteToIntermediateDestination) { $0.intermediateDestinationIndex = 1 }
                == .drive(to: stop, then: .init(.arrivedAtIntermediateDestination)))
        #expect(
            try step(.arrivedAtIntermediateDestination) == .dwell(then: .init(.enrouteToIntermediateDestination, intermediateIndex: 1)))
        #expect(
            try step(.arrivedAtIntermediateDestination) { $0.intermediateDestinationIndex = 1 } == .dwell(then: .init(.enrouteToDropoff)))
        #expect(
            try step(.enrouteToDropoff) == .drive(to: TripStop(type: .dropoff, coordinate: Self.dropoff), then: .init(.complete)))
        #expect(try step(.complete) == .end(.completed) && step(.canceled) == .end(.canceled))
    }

    @Test("An unassigned trip is waited for, another vehicle's trip is over, and an unknown status is waited out")
    func vehicles() throws {
        #expect(try step(.new, vehicleID: nil) == .wait && step(.enrouteToPickup, vehicleID: "") == .wait)
        #expect(try step(.enrouteToPickup, vehicleID: "boat-2") == .end(.reassigned))
        #expect(try step(.complete, vehicleID: "boat-2") == .end(.completed))
        #expect(try step(.unknown) == .wait)
    }

    @Test("A missing or impossible place is waited for; an index without a stop leads to the drop-off")
    func hostile() throws {
        #expect(try step(.enrouteToPickup) { $0.pickupPoint = nil } == .wait)
        #expect(try step(.enrouteToDropoff) { $0.dropoffPoint = Coordinate(latitude: .nan, longitude: 0) } == .wait)
        for index in [-1, 2, .max, .min] {
            #expect(
                try step(.enrouteToIntermediateDestination) { $0.intermediateDestinationIndex = index } == .set(.init(.enrouteToDropoff)))
        }
        #expect(
            try step(.arrivedAtIntermediateDestination) { $0.intermediateDestinationIndex = .max } == .dwell(then: .init(.enrouteToDropoff))
        )
    }
}
