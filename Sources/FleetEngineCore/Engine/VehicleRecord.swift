public import FleetEngine
public import FleetEngineAPI
import FleetEngineWire
package import FoundationEssentials
import Geo
import PhoneIntake
import SwiftProtobuf

/// A vehicle in the engine, with the settings and reports from its driver and provider, its stops, and the paths to them.
public struct VehicleRecord: Equatable, Sendable {
    /// The path between two stops, and the time of its last change.
    struct StampedLeg: Equatable, Sendable {
        var leg: StopPath
        /// Whether the path is a straight line that is used until a router answers.
        var isStandIn: Bool
        /// The distance between the stops in a straight line, in metres. The path counts as at least this long.
        var straightMeters: Double
        var stamp: ChangeStamp
    }

    /// The engine's own path to the first stop.
    struct Plan: Equatable, Sendable {
        var leg: StopPath
        /// The place from which the path was requested: the vehicle's position at that time, or the stop that it had just left.
        var origin: Coordinate
        /// Whether the path is a straight line that is used until a router answers.
        var isStandIn: Bool
        var madeAt: Date
        /// The distance from `origin` to the start of the path, in metres. It is large if the vehicle was off the road.
        var offsetMeters: Double
        /// The distance along the path to the vehicle's last position, in metres.
        var alongMeters = 0.0
    }

    /// The remaining distance and the arrival time that the driver reports. They apply to the end of the driver's route, or to the first
    /// stop if there is no such route.
    struct Report: Equatable, Sendable {
        var remainingMeters: Int32?
        var arrival: Date?
        /// The engine's own distance when the driver reported `remainingMeters`; nil if it was unknown.
        var own: OwnDistance?
    }

    /// The engine's own distance from the vehicle to a stop, in metres: along the driver's route, or in a straight line.
    struct OwnDistance: Equatable, Sendable {
        var meters: Double
        var isAlongRoute: Bool
    }

    /// The engine's own estimates for a stop.
    struct Estimate: Equatable, Sendable {
        /// The distance from the vehicle to the stop, through the earlier stops, in metres.
        var remainingMeters: Double
        var arrival: Date
    }

    /// The arrival times at the first stops, as computed when the vehicle reached its current position.
    struct Standing: Equatable, Sendable {
        var place: Coordinate
        var arrivals: [Date]
    }

    /// The vehicle's full name.
    public let name: VehicleName
    /// A number that increases with each new vehicle, and defines the order of lists.
    package let serial: UInt64
    /// The stamp of the last write.
    var stamp: ChangeStamp
    var updatedAt: Date
    /// The settings and reports as received, without values that are computed from the vehicle's trips.
    public internal(set) var vehicle: WireVehicle
    /// The bare ids of assigned, unfinished trips, in order of assignment.
    public internal(set) var currentTrips: [String] = []
    /// The account that created the vehicle; see `EngineAccount`.
    var account: String

    var stops: [Stop] = []
    /// The expected duration of the stay at each stop, in seconds, from the engine's options.
    var stopSeconds = 0.0
    /// The paths between stops: `between[i]` leads from stop i to stop i + 1.
    var between: [StampedLeg] = []
    /// The path that answers show: the uploaded route if the vehicle has one, otherwise the planned path.
    var approach: StopPath?
    var upload: UploadedRoute?
    /// Whether the driver uploads routes. If true, the driver's distance and time are used only while an uploaded route leads
    /// to the next stop.
    var hasUploaded = false
    /// The planned path; nil without stops, and while the vehicle is on an uploaded route that leads to the first stop.
    var plan: Plan?
    var report = Report()
    /// The estimates for the stops that the path in use reaches.
    var estimates: [Estimate] = []
    /// Whether the position lies on the shown path.
    var isOnRoute = false
    /// The distance along the uploaded route to the vehicle's last position, in metres.
    var uploadMeters = 0.0

    /// The engine's own arrival times, while the vehicle is stationary.
    var standing: Standing?
    /// The filter for impossible positions. It remembers the last position that it has discarded.
    var jumps = JumpFilter()

    /// The phone's record, stored on the heap, because most vehicles have no phone.
    private var keptPhone: KeptPhone?

    var stopsStamp: ChangeStamp?
    var approachStamp: ChangeStamp?
    /// The path's end point at the last check. If the end point changes, `approachStamp` is renewed.
    var stampedEndPoint: WireTripWaypoint?
    var trafficStamp: ChangeStamp?

    init(
        name: VehicleName, serial: UInt64, stamp: ChangeStamp, vehicle: WireVehicle, account: String = EngineAccount.anonymous, now: Date
    ) {
        self.name = name
        self.account = account
        self.serial = serial
        self.stamp = stamp
        self.vehicle = vehicle
        updatedAt = now
    }

    /// The phone in the vehicle. Only the call `/car/new` adds a phone.
    package var phone: PhoneRecord? {
        get { if case .phone(let phone) = keptPhone { phone } else { nil } }
        set { keptPhone = newValue.map(KeptPhone.phone) }
    }

    /// The time of the phone's newest position; nil without a phone or a position.
    package var phoneHeardAt: Date? { phone?.car.newest?.time }

    var position: Coordinate? { vehicle.hasLastLocation ? vehicle.lastLocation.location.coordinate : nil }

    /// The total number of points in this vehicle's routes.
    var routePoints: Int {
        between.reduce(approachPoints) { $0 + $1.leg.pointCount }
    }

    /// The total number of points in the uploaded route and the planned path.
    var approachPoints: Int { (upload?.leg.pointCount ?? 0) + (plan?.leg.pointCount ?? 0) }

    /// Returns the number of stops up to the last stop of a trip; 0 if the trip has no stop.
    func stopCount(through tripID: String) -> Int {
        (stops.lastIndex { $0.tripID == tripID } ?? -1) + 1
    }
}

/// A phone's record, stored on the heap.
private indirect enum KeptPhone: Equatable, Sendable {
    case phone(PhoneRecord)
}
