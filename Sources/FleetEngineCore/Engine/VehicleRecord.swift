public import FleetEngine
public import FleetEngineAPI
import FleetEngineWire
package import FoundationEssentials
import Geo
import PhoneIntake
import SwiftProtobuf

/// A vehicle as the engine keeps it: what its driver and its provider said, its stops, and the ways to them.
public struct VehicleRecord: Equatable, Sendable {
    /// The path between two stops, and when it last changed.
    struct StampedLeg: Equatable, Sendable {
        var leg: StopPath
        /// Whether a router may know a better one.
        var isStandIn: Bool
        /// Between the stops as the crow flies: no way is shorter.
        var straightMeters: Double
        var stamp: ChangeStamp
    }

    /// The engine's own way to the first stop.
    struct Plan: Equatable, Sendable {
        var leg: StopPath
        /// Where the vehicle was when a way was wanted from there.
        var origin: Coordinate
        /// Whether a router may know a better one.
        var isStandIn: Bool
        var madeAt: Date
        /// Metres between the vehicle and the start of the way when it was made: it may have stood off the road.
        var offsetMeters: Double
        /// Metres along the way where the vehicle was last found.
        var alongMeters = 0.0
    }

    /// What the driver says about the way to where his route ends; without a route, to the first stop.
    struct Report: Equatable, Sendable {
        var remainingMeters: Int32?
        var arrival: Date?
    }

    /// What the engine works out itself about the way to a stop.
    struct Estimate: Equatable, Sendable {
        /// From the vehicle, through the stops before.
        var remainingMeters: Double
        var arrival: Date
    }

    /// When the vehicle reaches the first stops as the engine reckoned it when the vehicle came to where it stands.
    struct Standing: Equatable, Sendable {
        var place: Coordinate
        var arrivals: [Date]
    }

    /// The vehicle's full name.
    public let name: VehicleName
    /// Rises from vehicle to vehicle: the order of lists.
    package let serial: UInt64
    /// When it was last written.
    var stamp: ChangeStamp
    var updatedAt: Date
    /// Settings and reports as they came; nothing in it follows from trips.
    public internal(set) var vehicle: WireVehicle
    /// Bare ids of the trips assigned and not over, in the order they came.
    public internal(set) var currentTrips: [String] = []
    /// Who has made it; see `EngineAccount`.
    var account: String

    var stops: [Stop] = []
    /// How long it is expected to stand at each of them; the engine's option.
    var stopSeconds = 0.0
    /// `between[i]` leads from stop i to stop i + 1.
    var between: [StampedLeg] = []
    /// The way that is shown: uploaded, else planned.
    var approach: StopPath?
    var upload: UploadedRoute?
    /// Whether the driver uploads routes. Where he does, his figures count with a route that leads to the next stop and not without.
    var hasUploaded = false
    /// Nil while the uploaded route does for the way to the first stop.
    var plan: Plan?
    var report = Report()
    /// For the first stops, as many as the way in use leads to.
    var estimates: [Estimate] = []
    /// Whether the position lies on the way that is shown.
    var isOnRoute = false
    /// Metres along the uploaded route where the vehicle was last found.
    var uploadMeters = 0.0

    /// The engine's own estimates of when, while the vehicle stands.
    var standing: Standing?
    /// What was left out of the reports before this.
    var jumps = JumpFilter()

    /// Most vehicles have none, and their records do not grow by it.
    private var keptPhone: KeptPhone?

    var stopsStamp: ChangeStamp?
    var approachStamp: ChangeStamp?
    /// The end point at `approachStamp`: one version stands for both.
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

    /// The phone in the vehicle, which only `/car/new` puts there.
    package var phone: PhoneRecord? {
        get { if case .phone(let phone) = keptPhone { phone } else { nil } }
        set { keptPhone = newValue.map(KeptPhone.phone) }
    }

    /// The time of the newest position that the phone in the vehicle has sent; nil where there is no phone, or none has come.
    package var phoneHeardAt: Date? { phone?.car.newest?.time }

    var position: Coordinate? { vehicle.hasLastLocation ? vehicle.lastLocation.location.coordinate : nil }

    /// Points of all routes held for this vehicle.
    var routePoints: Int {
        between.reduce(approachPoints) { $0 + $1.leg.pointCount }
    }

    /// Points of the ways to the first stops.
    var approachPoints: Int { (upload?.leg.pointCount ?? 0) + (plan?.leg.pointCount ?? 0) }

    /// How many stops a trip's riders see: everything up to and with its last one.
    func stopCount(through tripID: String) -> Int {
        (stops.lastIndex { $0.tripID == tripID } ?? -1) + 1
    }
}

/// A phone's record in a place of its own.
private indirect enum KeptPhone: Equatable, Sendable {
    case phone(PhoneRecord)
}
