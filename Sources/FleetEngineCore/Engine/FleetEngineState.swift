package import FleetEngine
import FleetEngineAPI
import FleetEngineWire
public import FoundationEssentials
public import Routing

/// Everything one local Fleet Engine knows: trips and vehicles of all providers. Requests go in and answers come out, on the types
/// of the wire, so that fields this program does not know survive.
///
/// It holds no clock: every request says when it comes. The same requests at the same times always get the same answers. A request
/// that is refused changes nothing; one that is not says all that it changed.
///
/// Choices where Fleet Engine's own behaviour is not documented:
/// * a path in an update mask that the server maintains itself changes nothing and is no error; an unknown path is INVALID_ARGUMENT;
/// * a final status stays, in any mode; a finished trip can still get attributes and actual points;
/// * the route that a driver uploaded is the active one as it came, until the driver uploads another or the vehicle's first stop
///   changes to one that the route does not lead to; then, and where no driver uploads any, the router's way is, and before that is
///   known the straight line;
/// * a driver's time and distance count for the stops to which the route leads: in the vehicle's order up to the first one within 50 m
///   of the route's end, if the route passes those before. Without any route they count for the first stop;
/// * without guidance (NO_GUIDANCE) a driver's figures are not taken over; the engine's own count, and stay while the vehicle stands;
/// * `CreateTrip`, `UpdateTrip` and searches, which name no route format, answer both.
public struct FleetEngineState: Sendable {
    /// How it behaves where Fleet Engine's behaviour is a choice.
    public let options: EngineOptions
    /// What stands in for a way until a router has answered, and stays where there is none.
    package let straightLine: StraightLineRouter

    package private(set) var trips: [TripName: TripRecord] = [:]
    package private(set) var vehicles: [VehicleName: VehicleRecord] = [:]
    /// `trips` and `vehicles` by what is searched for.
    private(set) var tripIndex = TripIndex()
    package private(set) var vehicleIndex = VehicleIndex()
    /// The vehicles with phones, by their keys.
    package private(set) var phoneOwners: [PhoneKey: VehicleName] = [:]
    /// The trips that wait for a vehicle.
    package private(set) var bookings = BookingQueue()
    /// Points of all routes in `vehicles`.
    private(set) var routePoints = 0
    /// How many of `trips` each account has made.
    private(set) var tripHoldings = AccountHoldings()
    /// How many of `vehicles` each account has made.
    private(set) var vehicleHoldings = AccountHoldings()
    /// How many positions were left out because their vehicles cannot have reached them, since the engine was made.
    public internal(set) var discardedJumps = 0
    /// How many messages of phones had positions of impossible times, since the engine was made.
    package var phoneClockErrors = 0
    /// The last stamp and serial that were given out.
    package private(set) var lastStamp = ChangeStamp(microseconds: .min)
    package private(set) var lastSerial: UInt64 = 0
    /// What the engine was asked by itself since `removeMadeCalls`; no knowledge either.
    private var madeCalls: [MadeCall] = []
    /// What has changed since `forgetChanges`, where that is wanted.
    package private(set) var changed = ChangeSet()
    /// Whether `changed` is kept.
    package var recordsChanges = false
    /// When expired trips were last looked for. It is no knowledge, so no change either.
    private var sweptAt = Date.distantPast

    /// An engine that knows nothing.
    /// - Parameter straightLine: makes the stand-in for a way that no driver has uploaded.
    public init(options: EngineOptions = EngineOptions(), straightLine: StraightLineRouter = StraightLineRouter()) {
        self.options = options
        self.straightLine = straightLine
    }

    /// How many trips are held, finished ones included.
    public var tripCount: Int { trips.count }

    /// The names of the trips that are held, those that are over included.
    package var tripNames: Set<TripName> { Set(trips.keys) }

    /// How many vehicles are held.
    public var vehicleCount: Int { vehicles.count }

    // MARK: Changes

    /// Takes a change over. Nothing else writes trips, vehicles or bookings.
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
        }
    }

    private mutating func notePhone(_ key: PhoneKey?, insteadOf old: PhoneKey?, in name: VehicleName) {
        guard key != old else { return }
        if let old { phoneOwners[old] = nil }
        if let key { phoneOwners[key] = name }
    }

    package mutating func forgetChanges() { changed = ChangeSet() }

    mutating func note(_ call: MadeCall) { madeCalls.append(call) }

    /// The calls that were made since the last time.
    package mutating func removeMadeCalls() -> [MadeCall] {
        defer { madeCalls = [] }
        return madeCalls
    }

    /// Goes on where another engine stood: neither serial nor stamp is given out twice, also where what had them is gone.
    package mutating func resume(lastSerial: UInt64, lastStamp: ChangeStamp) { count(lastSerial, lastStamp) }

    private mutating func count(_ serial: UInt64, _ stamp: ChangeStamp) {
        lastSerial = max(lastSerial, serial)
        lastStamp = max(lastStamp, stamp)
    }

    /// Applies a change and adds it to what a call tells.
    mutating func write(_ change: Change, to changes: inout [Change]) {
        apply(change)
        changes.append(change)
    }

    /// A stamp later than every one before, even when the clock stands still or goes back.
    func nextStamp(_ now: Date) -> ChangeStamp {
        ChangeStamp(microseconds: max(now.microsecondsSince1970, lastStamp.microseconds &+ 1))
    }

    var nextSerial: UInt64 { lastSerial + 1 }

    func context(_ now: Date) -> RouteContext {
        RouteContext(straightLine: straightLine, now: now, stamp: nextStamp(now))
    }

    /// Changes a vehicle, if there is one of that name.
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

    /// Removes the trips that were not changed within the lifetime, also from their vehicles.
    public mutating func sweep(now: Date) -> [Change] {
        sweptAt = now
        var changes: [Change] = []
        let expired = tripIndex.names { isExpired(changedAt: $0.updatedAt, now) }.compactMap { trips[$0] }
        for record in expired.sorted(by: { $0.serial < $1.serial }) { remove(record, now, &changes) }
        return changes
    }

    /// Sweeps if that was not done in the last minute. Callers do this before each request that writes.
    public mutating func sweepIfDue(now: Date) -> [Change] {
        let age = now.timeIntervalSince(sweptAt)
        return age >= 60 || age < 0 ? sweep(now: now) : []
    }

    /// Removes a trip, also from its vehicle and from those that wait.
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
        TripAnswer(record: record, vehicle: record.servingVehicle.flatMap { vehicles[$0] }, now: now)
    }
}

extension FleetEngineState: Equatable {
    /// Whether both know the same. What was counted is no knowledge.
    public static func == (one: FleetEngineState, other: FleetEngineState) -> Bool {
        one.options == other.options && one.trips == other.trips && one.vehicles == other.vehicles && one.tripIndex == other.tripIndex
            && one.vehicleIndex == other.vehicleIndex && one.phoneOwners == other.phoneOwners && one.bookings == other.bookings
            && one.routePoints == other.routePoints && one.tripHoldings == other.tripHoldings
            && one.vehicleHoldings == other.vehicleHoldings && one.lastStamp == other.lastStamp && one.lastSerial == other.lastSerial
    }
}
