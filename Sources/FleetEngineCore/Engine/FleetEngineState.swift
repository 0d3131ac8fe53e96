package import FleetEngine
import FleetEngineAPI
import FleetEngineWire
public import FoundationEssentials
public import Routing

/// The complete data of a local Fleet Engine, as a value: the trips, vehicles, tasks and delivery vehicles of all providers. Requests and
/// answers about trips and vehicles are wire messages, so unknown fields are kept.
///
/// The engine has no clock; the time is an argument of every request. The same requests at the same times always get the same
/// answers. A refused request changes nothing. An accepted request returns all its changes.
///
/// Choices where Fleet Engine's own behaviour is not documented:
/// * An update mask may name a field that the server maintains itself, but the field does not change. An unknown path is INVALID_ARGUMENT.
/// * A final status cannot change, whether or not `strictStatus` is set. A finished trip can still get attributes and actual points.
/// * A driver's uploaded route is active until the driver uploads another or removes it. It also ends when a stop that is not on it becomes
///   first. Without such a route, the router's route is active, or a straight line until the router has answered.
/// * The time and distance that a driver reports apply to the stops on the driver's route. These are the stops up to and including the one
///   at which the route ends (see `UploadedRoute`). The route must pass the earlier stops in order, each within 50 m. Without a route, the
///   values apply to the vehicle's first stop.
/// * A driver's time and distance are ignored while the navigation gives no guidance (NO_GUIDANCE). The engine then uses its own estimates,
///   which do not change at a standstill.
/// * The requests of `CreateTrip`, `UpdateTrip` and searches do not specify a route format, so their answers have both formats.
public struct FleetEngineState: Sendable {
    /// The choices for behaviour that Fleet Engine's documentation leaves open.
    public let options: EngineOptions
    /// The router that makes straight lines. A straight line is used until a real router has answered, and kept if that router found
    /// no route.
    package let straightLine: StraightLineRouter

    package private(set) var trips: [TripName: TripRecord] = [:]
    package private(set) var vehicles: [VehicleName: VehicleRecord] = [:]
    /// An index of `trips` by the properties that searches use.
    private(set) var tripIndex = TripIndex()
    package private(set) var vehicleIndex = VehicleIndex()
    /// The vehicles that have phones, by phone key.
    package private(set) var phoneOwners: [PhoneKey: VehicleName] = [:]
    /// The trips that have no vehicle and are waiting for one.
    package private(set) var bookings = BookingQueue()
    /// The tasks and the delivery vehicles.
    package private(set) var deliveries = DeliveryState()
    /// The total number of points in the routes of `vehicles`.
    private(set) var routePoints = 0
    /// The number of `trips` of each account.
    private(set) var tripHoldings = AccountHoldings()
    /// The number of `vehicles` of each account.
    private(set) var vehicleHoldings = AccountHoldings()
    /// Number of impossible positions dropped since the engine's creation.
    public internal(set) var discardedJumps = 0
    /// Number of phone messages with impossible times since the engine's creation.
    package var phoneClockErrors = 0
    /// The last stamp that was used.
    package private(set) var lastStamp = ChangeStamp(microseconds: .min)
    package private(set) var lastSerial: UInt64 = 0
    /// The calls that the engine has made itself since the last `removeMadeCalls`. They are not part of the engine's data.
    private var madeCalls: [MadeCall] = []
    /// The changes since the last `forgetChanges`, if `recordsChanges` is set.
    package private(set) var changed = ChangeSet()
    /// Whether `changed` is recorded.
    package var recordsChanges = false
    /// The time of the last sweep. It is not part of the engine's data.
    private var sweptAt = Date.distantPast

    /// Creates an empty engine.
    /// - Parameter straightLine: the router that makes straight lines. A straight line is used until a real router has answered.
    public init(options: EngineOptions = EngineOptions(), straightLine: StraightLineRouter = StraightLineRouter()) {
        self.options = options
        self.straightLine = straightLine
    }

    /// The number of trips, including finished ones.
    public var tripCount: Int { trips.count }

    /// The names of all trips, including finished ones.
    package var tripNames: Set<TripName> { Set(trips.keys) }

    /// The number of vehicles.
    public var vehicleCount: Int { vehicles.count }

    // MARK: Changes

    /// Applies a change. All writes to the engine's data go through this method.
    public mutating func apply(_ change: Change) {
        switch change {
        case .tripPut(let record):
            count(record.serial, record.stamp)
            let old = trips.updateValue(record, forKey: record.name)
            tripIndex.put(record, insteadOf: old)
            tripHoldings.note(record.account, insteadOf: old?.account)
            if recordsChanges { changed.note(record.name, old, record) }
        case .tripRemoved(let name):
            guard let old = trips.removeValue(forKey: name) else { return }
            tripIndex.remove(old)
            tripHoldings.note(nil, insteadOf: old.account)
            if recordsChanges { changed.note(name, old, nil) }
        case .vehiclePut(var record):
            record.stopSeconds = options.stopSeconds
            count(record.serial, record.stamp)
            let old = vehicles.updateValue(record, forKey: record.name)
            routePoints += record.routePoints - (old?.routePoints ?? 0)
            vehicleIndex.put(record, insteadOf: old)
            vehicleHoldings.note(record.account, insteadOf: old?.account)
            notePhone(record.phone?.key, insteadOf: old?.phone?.key, in: record.name)
            if recordsChanges { changed.note(record.name, old, record) }
        case .vehicleRemoved(let name):
            guard let old = vehicles.removeValue(forKey: name) else { return }
            routePoints -= old.routePoints
            vehicleIndex.remove(old)
            vehicleHoldings.note(nil, insteadOf: old.account)
            notePhone(nil, insteadOf: old.phone?.key, in: name)
            if recordsChanges { changed.note(name, old, nil) }
        case .bookingQueued(let booking):
            if recordsChanges { changed.note(booking.trip, bookings[booking.trip], booking) }
            bookings.append(booking)
        case .bookingTaken(let trip):
            if recordsChanges { changed.note(trip, bookings[trip], nil) }
            bookings.remove(trip)
        case .delivery(let change): apply(change)
        }
    }

    private mutating func apply(_ change: DeliveryChange) {
        if let (serial, stamp) = change.numbers { count(serial, stamp) }
        if recordsChanges { deliveries.note(change, in: &changed) }
        deliveries.apply(change)
    }

    private mutating func notePhone(_ key: PhoneKey?, insteadOf old: PhoneKey?, in name: VehicleName) {
        guard key != old else { return }
        if let old { phoneOwners[old] = nil }
        if let key { phoneOwners[key] = name }
    }

    package mutating func forgetChanges() { changed = ChangeSet() }

    mutating func note(_ call: MadeCall) { madeCalls.append(call) }

    /// Removes and returns the calls that the engine has made itself.
    package mutating func removeMadeCalls() -> [MadeCall] {
        defer { madeCalls = [] }
        return madeCalls
    }

    /// Continues the serials and stamps of another engine, so that they are never reused, even for removed objects.
    package mutating func resume(lastSerial: UInt64, lastStamp: ChangeStamp) { count(lastSerial, lastStamp) }

    private mutating func count(_ serial: UInt64, _ stamp: ChangeStamp) {
        lastSerial = max(lastSerial, serial)
        lastStamp = max(lastStamp, stamp)
    }

    /// Applies a change and adds it to the changes of a call.
    mutating func write(_ change: Change, to changes: inout [Change]) {
        apply(change)
        changes.append(change)
    }

    /// Returns a stamp later than all earlier ones, even if the clock stands still or goes back.
    func nextStamp(_ now: Date) -> ChangeStamp {
        ChangeStamp(microseconds: max(now.microsecondsSince1970, lastStamp.microseconds &+ 1))
    }

    var nextSerial: UInt64 { lastSerial + 1 }

    func context(_ now: Date) -> RouteContext {
        RouteContext(straightLine: straightLine, now: now, stamp: nextStamp(now))
    }

    /// Changes a vehicle if it exists.
    mutating func changeVehicle(
        _ name: VehicleName, _ context: RouteContext, _ changes: inout [Change], _ change: (inout VehicleRecord) -> Void
    ) {
        guard var record = vehicles[name] else { return }
        change(&record)
        record.stamp = context.stamp
        write(.vehiclePut(record), to: &changes)
    }

    // MARK: Age

    func isExpired(changedAt: Date, _ now: Date) -> Bool { now.timeIntervalSince(changedAt) > options.tripLifetimeSeconds }

    /// Removes the trips that have not changed for longer than the trip lifetime. They are also removed from their vehicles.
    public mutating func sweep(now: Date) -> [Change] {
        sweptAt = now
        var changes: [Change] = []
        let expired = tripIndex.names { isExpired(changedAt: $0.updatedAt, now) }.compactMap { trips[$0] }
        for record in expired.sorted(by: { $0.serial < $1.serial }) { remove(record, now, &changes) }
        return changes
    }

    /// Sweeps if the last sweep was at least a minute ago. Callers do this before each request that writes.
    public mutating func sweepIfDue(now: Date) -> [Change] {
        let age = now.timeIntervalSince(sweptAt)
        return age >= 60 || age < 0 ? sweep(now: now) : []
    }

    /// Removes a trip from the engine, from its vehicle and from the waiting trips.
    mutating func remove(_ record: TripRecord, _ now: Date, _ changes: inout [Change]) {
        if let vehicle = record.servingVehicle { release(record.name, from: vehicle, context(now), &changes) }
        write(.tripRemoved(record.name), to: &changes)
        if bookings.contains(record.name) { write(.bookingTaken(record.name), to: &changes) }
    }

    // MARK: Finding

    package func tripRecord(_ name: TripName, _ now: Date) throws(FleetEngineError) -> TripRecord {
        guard let record = trips[name], !isExpired(changedAt: record.updatedAt, now) else { throw .notFound("trip", name) }
        return record
    }

    package func vehicleRecord(_ name: VehicleName) throws(FleetEngineError) -> VehicleRecord {
        guard let record = vehicles[name] else { throw .notFound("vehicle", name) }
        return record
    }

    func answer(_ record: TripRecord, _ now: Date) -> TripAnswer {
        let vehicle = record.servingVehicle.flatMap { vehicles[$0] }
        let status = vehicle?.stops.first.flatMap { stop -> TripStatus? in
            guard stop.tripID != record.name.trip else { return record.status }
            return (try? TripName(provider: record.name.provider, trip: stop.tripID)).flatMap { trips[$0]?.status }
        }
        return TripAnswer(record: record, vehicle: vehicle, hasArrived: status?.isAtStop ?? false, now: now)
    }
}

extension FleetEngineState: Equatable {
    /// Returns whether both engines have the same data. The error counters are not compared.
    public static func == (one: FleetEngineState, other: FleetEngineState) -> Bool {
        one.options == other.options && one.trips == other.trips && one.vehicles == other.vehicles && one.tripIndex == other.tripIndex
            && one.vehicleIndex == other.vehicleIndex && one.phoneOwners == other.phoneOwners && one.bookings == other.bookings
            && one.routePoints == other.routePoints && one.tripHoldings == other.tripHoldings
            && one.vehicleHoldings == other.vehicleHoldings && one.deliveries == other.deliveries && one.lastStamp == other.lastStamp
            && one.lastSerial == other.lastSerial
    }
}
