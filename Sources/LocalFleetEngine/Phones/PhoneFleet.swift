import FleetEngine
import FleetEngineAPI
import FleetEngineWire
import FoundationEssentials
import PhoneIntake
import SwiftProtobuf

/// The cars that are known by the phones in them, beside an engine's state: what their fixes and the clock change there.
///
/// Such a car is OFFLINE, so that it gets no new trip, until its first fix and whenever the newest is over 5 min old.
struct PhoneFleet: Sendable {
    private struct Entry: Sendable {
        var car = PhoneCar()
        var trips = PhoneTrips()
        /// Whether its trips wait for the desk.
        var isManual: Bool
        /// What the engine was told last of the phone's navigation.
        var told: PhoneNavigation?
    }

    /// More steps are not made after one fix: two stops may lie at one place.
    private static let stepLimit = 8

    private var entries: [VehicleName: Entry] = [:]
    private var settings = PhoneSettings()

    /// A phone is in the car from now on; what is known of a car that had one stays.
    mutating func add(
        _ name: VehicleName, isManual: Bool, _ settings: PhoneSettings, in state: inout FleetEngineState, now: Date
    ) throws(FleetEngineError) -> [Change] {
        self.settings = settings
        if entries[name] != nil {
            entries[name]?.isManual = isManual
            return []
        }
        let changes = try state.updateVehicle(Self.request(name, online: false), now: now).changes
        entries[name] = Entry(isManual: isManual)
        return changes
    }

    /// Takes in what a phone has sent.
    /// - Throws: NOT_FOUND where the vehicle is gone.
    mutating func report(
        _ fixes: [PhoneFix], of name: VehicleName, in state: inout FleetEngineState, now: Date
    ) throws(FleetEngineError) -> [Change] {
        guard state.vehicles[name] != nil, var entry = entries.removeValue(forKey: name) else { throw .notFound("vehicle", name) }
        defer { entries[name] = entry }
        var changes: [Change] = []
        var untold: PhoneFix?
        for fix in fixes.sorted(by: { $0.time < $1.time }) where entry.car.add(fix) == .newest {
            untold = fix
            for _ in 0..<Self.stepLimit {
                guard let move = step(&entry, of: name, at: fix, in: state) else { break }
                // A trip is where its car was when it moved on.
                if let place = untold { changes += try Self.tell(place, &entry, of: name, in: &state, now) }
                untold = nil
                guard let moved = Self.make(move, in: &state, now) else { break }
                changes += moved
            }
        }
        if let place = untold { changes += try Self.tell(place, &entry, of: name, in: &state, now) }
        return changes
    }

    /// Takes in that time has passed.
    mutating func tick(in state: inout FleetEngineState, now: Date) -> [Change] {
        var changes: [Change] = []
        for name in entries.keys.filter({ isDue($0, state, now) }) {
            guard state.vehicles[name] != nil, var entry = entries.removeValue(forKey: name) else {
                entries[name] = nil
                continue
            }
            changes += (try? Self.tell(nil, &entry, of: name, in: &state, now)) ?? []
            if let move = step(&entry, of: name, at: nil, in: state) { changes += Self.make(move, in: &state, now) ?? [] }
            entries[name] = entry
        }
        return changes
    }

    private func isDue(_ name: VehicleName, _ state: FleetEngineState, _ now: Date) -> Bool {
        guard let entry = entries[name], let vehicle = state.vehicles[name] else { return true }
        if vehicle.vehicle.vehicleState == .online, !entry.car.isFresh(now: now) { return true }
        if entry.told != nil, entry.car.navigation(now: now) == nil { return true }
        return !entry.isManual && !vehicle.currentTrips.isEmpty && state.nextStop(of: name)?.stop.status == .new
    }

    /// - Parameter fix: nil when only time has passed.
    private func step(
        _ entry: inout Entry, of name: VehicleName, at fix: PhoneFix?, in state: FleetEngineState
    ) -> (trip: TripRecord, move: PhoneMove)? {
        guard !entry.isManual, !settings.isManual else { return nil }
        let next = state.nextStop(of: name)
        let move = entry.trips.step(
            next?.stop, place: fix?.coordinate, speedMetersPerSecond: entry.car.speedMetersPerSecond,
            radiusMeters: settings.arrivalRadiusMeters)
        return next.flatMap { next in move.map { (next.trip, $0) } }
    }

    /// - Returns: nil where the engine refuses.
    private static func make(
        _ step: (trip: TripRecord, move: PhoneMove), in state: inout FleetEngineState, _ now: Date
    ) -> [Change]? {
        let request = WireUpdateTripRequest.with {
            $0.name = step.trip.name.description
            $0.trip.tripStatus = step.move.status.wire
            $0.updateMask.paths = ["trip_status"]
            guard let index = step.move.intermediateIndex else { return }
            $0.trip.intermediateDestinationIndex = Int32(clamping: index)
            $0.updateMask.paths.append("intermediate_destination_index")
        }
        return (try? state.updateTrip(request, now: now))?.changes
    }

    /// Tells the engine what it does not know yet: the place, whether the car takes trips, what the phone's navigation says.
    private static func tell(
        _ place: PhoneFix?, _ entry: inout Entry, of name: VehicleName, in state: inout FleetEngineState, _ now: Date
    ) throws(FleetEngineError) -> [Change] {
        let isFresh = entry.car.isFresh(now: now)
        let navigation = entry.car.navigation(now: now)
        // What could not be stored is undone in the engine alone, so the engine is asked.
        let isOnline = state.vehicles[name]?.vehicle.vehicleState == .online
        var request = request(name, online: isFresh == isOnline ? nil : isFresh)
        if let place {
            request.vehicle.lastLocation = WireVehicleLocation(place, speedMetersPerSecond: entry.car.speedMetersPerSecond)
            request.updateMask.paths.append("last_location")
        }
        if navigation != entry.told {
            if let arrival = navigation?.arrival { request.vehicle.etaToFirstWaypoint = Google_Protobuf_Timestamp(moment: arrival) }
            if let meters = navigation?.remainingMeters {
                request.vehicle.remainingDistanceMeters = .init(Int32(clamping: Int(meters.rounded())))
            }
            request.updateMask.paths += ["eta_to_first_waypoint", "remaining_distance_meters"]
        }
        guard !request.updateMask.paths.isEmpty else { return [] }
        let changes = try state.updateVehicle(request, now: now).changes
        entry.told = navigation
        return changes
    }

    private static func request(_ name: VehicleName, online: Bool?) -> WireUpdateVehicleRequest {
        .with {
            $0.name = name.description
            $0.vehicle = WireVehicle()
            guard let online else { return }
            $0.vehicle.vehicleState = online ? .online : .offline
            $0.updateMask.paths = ["vehicle_state"]
        }
    }
}

extension FleetEngineState {
    /// The first stop ahead of a vehicle, and its trip.
    fileprivate func nextStop(of name: VehicleName) -> (trip: TripRecord, stop: PhoneStop)? {
        guard let first = vehicles[name]?.stops.first,
            let trip = (try? TripName(provider: name.provider, trip: first.tripID)).flatMap({ trips[$0] })
        else { return nil }
        let stop = PhoneStop(
            tripID: first.tripID, coordinate: first.coordinate, status: trip.status,
            intermediateIndex: max(0, Int(trip.trip.intermediateDestinationIndex)),
            intermediateCount: trip.trip.intermediateDestinations.count, hasDropoff: trip.trip.hasDropoffPoint)
        return (trip, stop)
    }
}

extension WireVehicleLocation {
    /// A phone's fix, with the time at which it was made.
    fileprivate init(_ fix: PhoneFix, speedMetersPerSecond: Double?) {
        self.init()
        location = ProviderDesk.point(fix.coordinate)
        locationSensor = .gps
        updateTime = Google_Protobuf_Timestamp(moment: fix.time)
        if let speed = speedMetersPerSecond { self.speed = .init(speed) }
        if let bearing = fix.bearingDegrees { heading = .init(Int32(bearing.rounded(.down))) }
        if let accuracy = fix.accuracyMeters { latlngAccuracy = .init(accuracy) }
        if let altitude = fix.altitudeMeters { self.altitude = .init(altitude) }
    }
}
