import Driver
import FleetEngine
import FoundationEssentials
import Geo
import Navigation
import Routing
import TerminalCanvas
import Testing
import TripTesting
import TripWatchWords

@testable import TripWatchScreen
@testable import TripWatchSettings

/// The screen of a driver. Its state results from the driver's reports.
struct MadeUpShift {
    var state: AppState
    private(set) var effects: [AppEffect] = []
    var shift: DriverShiftState
    private var now = MadeUpTrip.time("14:02:00")

    init(size: Size = Size(columns: 80, rows: 24), _ change: (inout AppOptions, inout DriveOptions) -> Void = { _, _ in }) throws {
        var drive = DriveOptions(vehicle: try VehicleName(provider: "made-up-cabs", vehicle: "car-7"))
        var options = AppOptions()
        options.endpoint = "127.0.0.1:50051"
        options.themeName = "harbour-dark"
        options.keyMap = .driving
        drive.declining = .available
        change(&options, &drive)
        options.mode = .drive(drive)
        state = AppState(trips: [], options: options, size: size, now: now)
        shift = DriverShiftState(since: now)
    }

    mutating func send(_ event: AppEvent) { effects += state.update(event) }

    mutating func press(_ keys: String) throws { for key in try KeyScript(keys).keys { send(.key(key)) } }

    /// Changes the shift. The change happens `seconds` after the previous one.
    mutating func tell(after seconds: Double = 1, _ change: (inout DriverShiftState, Date) -> Void = { _, _ in }) {
        now = now.addingTimeInterval(seconds)
        let before = shift.phase
        change(&shift, now)
        if shift.phase != before { shift.since = now }
        send(.shift(shift, at: now))
    }

    mutating func tick(after seconds: Double) {
        now = now.addingTimeInterval(seconds)
        send(.tick(now, nil))
    }

    // MARK: The course of a shift

    static func trip(_ id: String, _ status: TripStatus = .new) throws -> Trip {
        Trip(
            name: try TripName(provider: "made-up-cabs", trip: id), vehicleID: "car-7", status: status, type: .exclusive,
            numberOfPassengers: 1, pickupPoint: MadeUpTrip.pickup, dropoffPoint: MadeUpTrip.station,
            intermediateDestinations: [MadeUpTrip.stop], attributes: MadeUpTrip.attributes)
    }

    /// Puts the driver online without a trip. The last report was sent 3 s ago.
    mutating func wait() {
        tell { shift, now in
            shift.phase = .waiting
            shift.reports.takenAt = now
            Self.fix(&shift, at: MadeUpTrip.approach.coordinates[0], speed: 0, now)
        }
        tick(after: 3)
    }

    mutating func offer() throws {
        let trip = try Self.trip("t1")
        tell { shift, _ in shift.offers = [trip] }
    }

    /// Puts the car on the way to the pickup, `meters` after the start of the route. It drives at 52 km/h, where the limit is 50 km/h.
    mutating func approach(meters: Double = 1_000, steps: [RouteStep] = []) throws {
        let trip = try Self.trip("t1", .enrouteToPickup)
        let limit = SpeedLimitStretch(
            offsetMeters: 0, lengthMeters: MadeUpTrip.approach.lengthMeters, limit: .kilometersPerHour(50))
        let leg = RouterLeg(
            path: MadeUpTrip.approach.coordinates, destination: NavigationWaypoint(coordinate: MadeUpTrip.pickup), durationSeconds: 420,
            speedLimits: [limit], steps: steps)
        let route = try NavigationRoute(legs: [leg])
        for along in [0, meters] {
            tell { shift, now in
                shift.offers = []
                shift.trip = trip
                if along == 0 {
                    _ = shift.navigation.apply(.setRoute(route, .newDestinations))
                    _ = shift.navigation.apply(.setGuidanceActive(true))
                }
                Self.fix(&shift, at: MadeUpTrip.approach.coordinate(atMeters: along) ?? MadeUpTrip.pickup, speed: 52 / 3.6, now)
                shift.phase = .driving(TripStop(type: .pickup, coordinate: MadeUpTrip.pickup), isThere: false)
                shift.reports.takenAt = now
            }
        }
    }

    mutating func arrive() {
        tell { shift, _ in shift.phase = .driving(TripStop(type: .pickup, coordinate: MadeUpTrip.pickup), isThere: true) }
    }

    /// Puts the car at the pickup.
    /// - Parameter eta: the server's last estimate of the arrival at the drop-off.
    mutating func stand(dropoffAt eta: Date? = nil) throws {
        var trip = try Self.trip("t1", .arrivedAtPickup)
        if let eta {
            trip.remainingWaypoints = [
                TripWaypoint(coordinate: MadeUpTrip.station, tripID: "t1", type: .dropoff, path: RouteLine(), eta: eta)
            ]
        }
        tell { shift, _ in
            shift.trip = trip
            shift.phase = .standing(TripStop(type: .pickup, coordinate: MadeUpTrip.pickup))
        }
    }

    static func fix(_ shift: inout DriverShiftState, at place: Coordinate, speed: Double, _ now: Date) {
        _ = shift.navigation.apply(
            LocationFix(coordinate: place, time: now, accuracyMeters: 5, courseDegrees: 180, speedMetersPerSecond: speed), at: now)
    }
}
