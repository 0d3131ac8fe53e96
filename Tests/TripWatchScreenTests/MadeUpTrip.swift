import FleetEngine
import FoundationEssentials
import Geo
import JourneySharing

/// An invented ride on a day in the future. Its invented town lies in the middle of an ocean.
enum MadeUpTrip {
    /// The pickup of the rider. The arguments of `place` are metres to the east and to the north of it.
    static let pickup = Coordinate(latitude: 10, longitude: -30)
    static let stop = place(1_400, 380)
    static let station = place(2_900, 1_500)

    static func place(_ east: Double, _ north: Double) -> Coordinate { pickup.offset(eastMeters: east, northMeters: north) }

    /// The whole route to the pickup, which is 4,300 m long.
    static let approach = Polyline([place(-880, 3_420), place(-880, 660), place(-280, 660), place(-280, 0), pickup])
    static let toStop = Polyline([pickup, place(0, 380), stop])
    static let toStation = Polyline([stop, place(2_900, 380), station])
    /// The route of a vehicle that takes another rider first.
    static let toOthers = Polyline([place(-880, 1_400), place(-880, 660), place(-1_500, 660), place(-1_500, 200)])
    static let fromOthers = Polyline([place(-1_500, 200), place(-280, 200), place(-280, 0), pickup])

    /// Returns the route to the pickup with a traffic jam. The parameter is the extent of the jam, in metres from the route's start.
    static func jammed(_ meters: ClosedRange<Double>) -> RouteLine {
        RouteLine(
            approach, slower: [TrafficStretch(startMeters: meters.lowerBound, endMeters: meters.upperBound, speed: .trafficJam)])
    }

    /// Returns the time on the day of the ride at which a clock shows a text such as `"14:07:12"`.
    static func time(_ clock: String) -> Date {
        let parts = clock.split(separator: ":").compactMap { Int($0) }
        let seconds = zip(parts, [3_600, 60, 1]).reduce(0) { $0 + $1.0 * $1.1 }
        return Date(timeIntervalSince1970: 1_935_619_200 + Double(seconds))
    }

    static func name(_ id: String = "7f3a-northgate") -> TripName? { try? TripName(provider: "made-up-cabs", trip: id) }

    static let attributes = [
        "title": "Ride to Northgate Station", "dropoff_name": "Northgate Station", "stop_1_name": "Mill Lane", "pickup_name": "Elm St 12",
        "license_plate": "KVX 204", "color": "teal", "model": "Fabia",
    ]

    /// Creates a trip that has no vehicle.
    static func new(_ name: TripName, stops: [Coordinate] = [stop]) -> Trip {
        Trip(
            name: name, status: .new, type: .exclusive, numberOfPassengers: 1, pickupPoint: pickup, dropoffPoint: station,
            intermediateDestinations: stops, attributes: attributes)
    }

    /// Returns the location of a vehicle that is `metersToGo` before the end of a line.
    static func location(on line: Polyline, metersToGo: Double, speed: Double = 8, at time: Date) -> VehicleLocation {
        let along = line.lengthMeters - metersToGo
        return VehicleLocation(
            coordinate: line.coordinate(atMeters: along) ?? pickup, headingDegrees: line.bearingDegrees(atMeters: along),
            speedMetersPerSecond: speed, updateTime: time, serverTime: time)
    }

    static func waypoint(_ name: TripName, _ type: WaypointType, _ path: Polyline, eta: Date?) -> TripWaypoint {
        TripWaypoint(
            coordinate: path.coordinates.last ?? pickup, tripID: name.trip, type: type, path: RouteLine(path),
            distanceMeters: path.lengthMeters,
            eta: eta)
    }
}

/// The answers of the server during the invented ride.
extension MadeUpTrip {
    /// Creates an answer in which the vehicle is on its way to the pickup.
    static func approaching(_ name: TripName, metersToGo: Double, arrival: String, speed: Double = 8, at time: Date) -> Trip {
        var trip = new(name)
        trip.status = .enrouteToPickup
        trip.vehicleID = "cab-204"
        trip.pickupTime = self.time(arrival)
        trip.dropoffTime = self.time("14:31:00")
        trip.etaToNextWaypoint = trip.pickupTime
        trip.remainingDistanceMeters = metersToGo
        trip.lastLocation = location(on: approach, metersToGo: metersToGo, speed: speed, at: time)
        trip.activeRoute = RouteLine(approach)
        trip.remainingWaypoints = [
            waypoint(name, .pickup, approach, eta: trip.pickupTime), waypoint(name, .intermediate, toStop, eta: self.time("14:22:00")),
            waypoint(name, .dropoff, toStation, eta: trip.dropoffTime),
        ]
        return trip
    }

    /// Creates an answer in which the vehicle is at the pickup.
    static func waiting(_ name: TripName, at time: Date) -> Trip {
        var trip = approaching(name, metersToGo: 0, arrival: "14:13:08", speed: 0, at: time)
        trip.status = .arrivedAtPickup
        trip.activeRoute = RouteLine()
        return trip
    }

    /// Creates an answer in which the vehicle drives the rider to the stop.
    static func ridingToStop(_ name: TripName, metersToGo: Double, at time: Date) -> Trip {
        var trip = approaching(name, metersToGo: metersToGo, arrival: "14:13:50", at: time)
        trip.status = .enrouteToIntermediateDestination
        trip.actualPickup = StopLocation(coordinate: pickup, time: self.time("14:13:50"))
        trip.lastLocation = location(on: toStop, metersToGo: metersToGo, at: time)
        trip.activeRoute = RouteLine(toStop)
        trip.etaToNextWaypoint = self.time("14:22:00")
        trip.remainingWaypoints = Array(trip.remainingWaypoints.dropFirst())
        return trip
    }

    /// Creates an answer in which the vehicle drives from the last stop to the drop-off.
    static func ridingToStation(_ name: TripName, metersToGo: Double, at time: Date) -> Trip {
        var trip = ridingToStop(name, metersToGo: 0, at: time)
        trip.status = .enrouteToDropoff
        trip.intermediateDestinationIndex = 1
        trip.lastLocation = location(on: toStation, metersToGo: metersToGo, at: time)
        trip.activeRoute = RouteLine(toStation)
        trip.remainingDistanceMeters = metersToGo
        trip.etaToNextWaypoint = trip.dropoffTime
        trip.remainingWaypoints = Array(trip.remainingWaypoints.dropFirst())
        return trip
    }

    static func complete(_ name: TripName) -> Trip {
        var trip = new(name)
        trip.status = .complete
        trip.vehicleID = "cab-204"
        trip.pickupTime = time("14:13:50")
        trip.dropoffTime = time("14:31:06")
        trip.actualPickup = StopLocation(coordinate: pickup, time: time("14:13:50"))
        trip.actualDropoff = StopLocation(coordinate: station, time: time("14:31:06"))
        trip.intermediateDestinationIndex = 1
        return trip
    }
}
