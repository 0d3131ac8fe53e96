import FleetEngine
import FleetEngineAPI
import FoundationEssentials
import Geo
import SwiftProtobuf

/// A vehicle as the engine keeps it: what its driver and its provider said, its stops, and the ways to them.
struct VehicleRecord: Sendable {
    /// The path between two stops, and when it last changed.
    struct StampedLeg: Sendable {
        var leg: RouteLeg?
        var stamp: ChangeStamp
    }

    /// A route that the driver uploaded.
    struct Upload: Sendable {
        var leg: RouteLeg
        /// Where the driver says it ends; nil when it did not say.
        var endPoint: WireTripWaypoint?
    }

    /// What the driver says about the way to the first stop.
    struct Report: Sendable {
        var remainingMeters: Int32?
        var arrival: Date?
    }

    /// What the engine works out itself about the way to the first stop.
    struct Estimate: Sendable {
        var remainingMeters: Double
        var arrival: Date
    }

    let name: VehicleName
    /// Rises from vehicle to vehicle: the order of lists.
    let serial: UInt64
    var updatedAt: Date
    /// Settings and reports as they came; nothing in it follows from trips.
    var vehicle: WireVehicle
    /// Bare ids of the trips assigned and not over, in the order they came.
    var currentTrips: [String] = []

    var stops: [Stop] = []
    /// `between[i]` leads from stop i to stop i + 1.
    var between: [StampedLeg] = []
    /// The way to the first stop: uploaded, else planned.
    var approach: RouteLeg?
    var upload: Upload?
    var report = Report()
    var estimate: Estimate?
    /// Whether the position lies on the way to the first stop.
    var isOnRoute = false
    /// Metres along the approach where the vehicle was last found.
    var alongMeters = 0.0
    /// Farther off a planned approach than this, metres, the way is planned anew.
    var offRouteLimitMeters = 0.0
    var plannedAt = Date.distantPast

    var stopsStamp: ChangeStamp?
    var approachStamp: ChangeStamp?
    /// The end point at `approachStamp`: one version stands for both.
    var stampedEndPoint: WireTripWaypoint?
    var trafficStamp: ChangeStamp?

    init(name: VehicleName, serial: UInt64, vehicle: WireVehicle, now: Date) {
        self.name = name
        self.serial = serial
        self.vehicle = vehicle
        updatedAt = now
    }

    var position: Coordinate? { vehicle.hasLastLocation ? vehicle.lastLocation.location.coordinate : nil }

    /// A driver without guidance repeats old figures, so they count only while it is guided. Seen in recorded traffic: the trip
    /// keeps the server's own estimate until guidance begins.
    private var isGuided: Bool { vehicle.navigationStatus != .noGuidance }

    /// Metres to the first stop.
    var remainingMeters: Double? {
        if isGuided, let reported = report.remainingMeters { return Double(reported) }
        return estimate?.remainingMeters
    }

    /// When the vehicle reaches its first stop.
    var firstArrival: Date? { (isGuided ? report.arrival : nil) ?? estimate?.arrival }

    /// When it reaches each stop. While the vehicle waits at a stop the later ones move on with the clock. Unknown behind a gap.
    func arrivals(now: Date) -> [Date?] {
        guard !stops.isEmpty else { return [] }
        var arrivals = [firstArrival]
        var clock = firstArrival.map { max($0, now) }
        for stamped in between {
            clock = clock.flatMap { time in stamped.leg.map { time.addingTimeInterval($0.durationSeconds) } }
            arrivals.append(clock)
        }
        return arrivals
    }

    /// Points of all routes held for this vehicle.
    var routePoints: Int {
        let planned = between.reduce(0) { $0 + ($1.leg?.pointCount ?? 0) }
        return planned + (approach?.pointCount ?? 0)
    }

    /// How many stops a trip's riders see: everything up to and with its last one.
    func stopCount(through tripID: String) -> Int {
        (stops.lastIndex { $0.tripID == tripID } ?? -1) + 1
    }
}
