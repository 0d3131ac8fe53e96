import FleetEngine
import FleetEngineAPI
public import FoundationEssentials

/// Everything one local Fleet Engine knows: trips and vehicles of all providers. Requests go in and answers come out, on the types
/// of the wire, so that fields this program does not know survive.
///
/// It holds no clock: every request says when it comes. The same requests at the same times always get the same answers. A request
/// that is refused changes nothing.
///
/// Choices where Fleet Engine's own behaviour is not documented:
/// * a path in an update mask that the server maintains itself changes nothing and is no error; an unknown path is INVALID_ARGUMENT;
/// * a final status stays, in any mode; a finished trip can still get attributes and actual points;
/// * the route that a driver uploaded is the active one as it came, until the driver uploads another or the vehicle's first stop
///   changes to one that the route does not lead to; then, and where no driver uploads any, the planner's route is;
/// * a driver's time and distance count for the stops to which the route leads: in the vehicle's order up to the first one within 50 m
///   of the route's end, if the route passes those before. Without any route they count for the first stop;
/// * `CreateTrip`, `UpdateTrip` and searches, which name no route format, answer both.
public struct FleetEngineState: Sendable {
    public let options: EngineOptions
    let planner: any RoutePlanning

    var trips: [TripName: TripRecord] = [:]
    var vehicles: [VehicleName: VehicleRecord] = [:]
    /// Points of all routes in `vehicles`.
    var routePoints = 0
    /// Vehicles that were made, changed or removed since somebody took note of it.
    private(set) var changedVehicles: Set<VehicleName> = []
    private var lastStamp = ChangeStamp(microseconds: .min)
    private var lastSerial: UInt64 = 0
    private var sweptAt = Date.distantPast

    /// - Parameter planner: where ways come from that no driver has uploaded.
    public init(options: EngineOptions = EngineOptions(), planner: any RoutePlanning = StraightLineRoutePlanning()) {
        self.options = options
        self.planner = planner
    }

    /// How many trips are held, finished ones included.
    public var tripCount: Int { trips.count }

    /// How many vehicles are held.
    public var vehicleCount: Int { vehicles.count }

    // MARK: Changes

    /// A stamp later than every one before, even when the clock stands still or goes back.
    mutating func nextStamp(_ now: Date) -> ChangeStamp {
        lastStamp = ChangeStamp(microseconds: max(now.microsecondsSince1970, lastStamp.microseconds &+ 1))
        return lastStamp
    }

    mutating func nextSerial() -> UInt64 {
        lastSerial += 1
        return lastSerial
    }

    mutating func context(_ now: Date) -> RouteContext {
        RouteContext(planner: planner, now: now, stamp: nextStamp(now))
    }

    /// Changes a vehicle and keeps the count of route points.
    mutating func changeVehicle(_ name: VehicleName, _ change: (inout VehicleRecord) -> Void) {
        guard let index = vehicles.index(forKey: name) else { return }
        routePoints -= vehicles.values[index].routePoints
        change(&vehicles.values[index])
        routePoints += vehicles.values[index].routePoints
        noteChange(of: name)
    }

    mutating func noteChange(of vehicle: VehicleName) { changedVehicles.insert(vehicle) }

    /// The vehicles that have changed since the last call.
    mutating func takeChangedVehicles() -> Set<VehicleName> {
        guard !changedVehicles.isEmpty else { return [] }
        defer { changedVehicles = [] }
        return changedVehicles
    }

    // MARK: Age

    func isExpired(_ record: TripRecord, _ now: Date) -> Bool {
        now.timeIntervalSince(record.createdAt) > options.tripLifetimeSeconds
    }

    /// Removes the trips that are older than the lifetime, also from their vehicles. Writing requests do it by themselves once a minute.
    public mutating func sweep(now: Date) {
        sweptAt = now
        let expired = trips.values.filter { isExpired($0, now) }.sorted { $0.serial < $1.serial }
        for record in expired {
            if let vehicle = record.servingVehicle { release(record.name, from: vehicle, now) }
            trips[record.name] = nil
        }
    }

    mutating func sweepIfDue(_ now: Date) {
        let age = now.timeIntervalSince(sweptAt)
        if age >= 60 || age < 0 { sweep(now: now) }
    }

    // MARK: Finding

    func tripRecord(_ name: TripName, _ now: Date) throws(FleetEngineError) -> TripRecord {
        guard let record = trips[name], !isExpired(record, now) else { throw .notFound("trip", name) }
        return record
    }

    func vehicleRecord(_ name: VehicleName) throws(FleetEngineError) -> VehicleRecord {
        guard let record = vehicles[name] else { throw .notFound("vehicle", name) }
        return record
    }

    func answer(_ record: TripRecord, _ now: Date) -> TripAnswer {
        TripAnswer(record: record, vehicle: record.servingVehicle.flatMap { vehicles[$0] }, now: now)
    }
}
