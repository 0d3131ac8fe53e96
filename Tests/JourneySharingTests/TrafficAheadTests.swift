import FleetEngine
import FoundationEssentials
import Geo
import JourneySharing
import Testing

@Suite("Traffic on the way to the trip's next stop")
struct TrafficAheadTests {
    private static let start = Coordinate(latitude: 1, longitude: 1)
    /// A line that runs 3,000 m to the north.
    private static let line = Polyline([start, start.offset(eastMeters: 0, northMeters: 3_000)])

    private static func route(_ stretches: (ClosedRange<Double>, TrafficSpeed)...) -> RouteLine {
        RouteLine(
            line,
            slower: stretches.map { TrafficStretch(startMeters: $0.0.lowerBound, endMeters: $0.0.upperBound, speed: $0.1) })
    }

    private static func trip(_ route: RouteLine, metersToGo: Double? = 3_000, _ change: (inout Trip) -> Void = { _ in }) throws -> Trip {
        var trip = Trip(name: try TripName("providers/demo/trips/t1"), vehicleID: "car", status: .enrouteToPickup)
        trip.activeRoute = route
        trip.remainingDistanceMeters = metersToGo
        trip.remainingWaypoints = [stop("t1", .pickup)]
        change(&trip)
        return trip
    }

    private static func stop(_ trip: String, _ type: WaypointType, _ path: RouteLine = RouteLine()) -> TripWaypoint {
        TripWaypoint(coordinate: start, tripID: trip, type: type, path: path)
    }

    private func meters(_ traffic: TrafficAhead?) -> Double { (traffic?.lengthMeters ?? -1).rounded() }

    @Test("the worst speed is reported with its share of the way; lesser ones only if nothing is worse")
    func worst() throws {
        let jam = TrafficAhead(try Self.trip(Self.route((200...1_000, .slow), (1_000...1_300, .trafficJam), (2_000...2_500, .trafficJam))))
        #expect(jam?.speed == .trafficJam && meters(jam) == 800)
        let slow = TrafficAhead(try Self.trip(Self.route((200...1_000, .slow), (1_000...1_050, .trafficJam))))
        #expect(slow?.speed == .slow && meters(slow) == 850)
        #expect(TrafficAhead(try Self.trip(Self.route())) == nil)
        #expect(TrafficAhead(try Self.trip(RouteLine(Self.line))) == nil)
    }

    @Test("traffic behind the vehicle does not count, and a stretch around the vehicle counts from the vehicle on")
    func behind() throws {
        let route = Self.route((1_000...1_800, .trafficJam))
        #expect(meters(TrafficAhead(try Self.trip(route, metersToGo: 1_700))) == 500)
        #expect(TrafficAhead(try Self.trip(route, metersToGo: 1_250)) == nil, "50 m of it are left")
        #expect(meters(TrafficAhead(try Self.trip(route, metersToGo: nil))) == 800)
        #expect(meters(TrafficAhead(try Self.trip(route, metersToGo: 9_000))) == 800)
    }

    @Test("the way through another rider's stops counts, the way after the trip's own stop does not")
    func others() throws {
        let (free, jammed) = (Self.route(), Self.route((0...400, .trafficJam)))
        let before = try Self.trip(free) {
            $0.remainingWaypoints = [Self.stop("t2", .dropoff), Self.stop("t1", .pickup, jammed), Self.stop("t1", .dropoff, jammed)]
        }
        #expect(meters(TrafficAhead(before)) == 400)
        let after = try Self.trip(free) { $0.remainingWaypoints = [Self.stop("t1", .pickup), Self.stop("t1", .dropoff, jammed)] }
        #expect(TrafficAhead(after) == nil)
    }

    @Test("nothing is reported at a stop, without a car and at the end")
    func silent() throws {
        let route = Self.route((1_000...1_800, .trafficJam))
        for status in [TripStatus.arrivedAtPickup, .arrivedAtIntermediateDestination, .complete, .canceled] {
            #expect(TrafficAhead(try Self.trip(route) { $0.status = status }) == nil, "\(status)")
        }
        #expect(TrafficAhead(try Self.trip(route) { $0.vehicleID = nil }) == nil)
        #expect(TrafficAhead(try Self.trip(route) { $0.status = .new }) != nil)
    }
}
