package import FleetEngine
package import FleetEngineAPI
import FleetEngineWire
package import FoundationEssentials
package import PhoneIntake
import SwiftProtobuf

/// Methods for vehicles that report by phone. They add and revoke phones, and update the vehicles after each fix and as time passes.
///
/// While a phone has no fix from the last 5 min, its vehicle is OFFLINE and gets no new trips.
extension FleetEngineState {
    /// Maximum number of trip status changes after one fix. One fix can cause several, because several stops may be at the same place.
    private static let stepLimit = 8

    /// Adds a phone with this key to the vehicle. If the vehicle already has a phone, the new key replaces that phone's key. The data from
    /// the earlier phone is kept, except the error of its clock and the time of its last message.
    /// - Parameter end: the time from which the key is invalid; nil for a key that does not expire.
    /// - Throws: NOT_FOUND if the vehicle does not exist.
    package mutating func addPhone(
        _ key: PhoneKey, isManual: Bool, end: Date? = nil, to name: VehicleName, now: Date
    ) throws(FleetEngineError) -> [Change] {
        var changes: [Change] = []
        if var phone = try vehicleRecord(name).phone {
            (phone.key, phone.isManual) = (key, isManual)
            phone.clockAheadSeconds = nil
            phone.keyEnd = end
            phone.lastHeard = nil
            writePhone(phone, in: name, to: &changes)
        } else {
            let request = Self.request(name, online: false)
            changes = try make(.updateVehicle(request)) { engine throws(FleetEngineError) in try engine.updateVehicle(request, now: now) }
            writePhone(PhoneRecord(key: key, isManual: isManual, keyEnd: end), in: name, to: &changes)
        }
        return changes
    }

    /// Revokes the phone of a vehicle. The phone's key becomes invalid, and the vehicle gets no new trips.
    /// - Throws: NOT_FOUND if the vehicle does not exist or has no phone.
    package mutating func revokePhone(of name: VehicleName, now: Date) throws(FleetEngineError) -> [Change] {
        guard var phone = vehicles[name]?.phone else {
            throw FleetEngineError(code: .notFound, message: "the car \(name.vehicle) has no phone key")
        }
        phone.car = PhoneCar()
        var changes = (try? tell(nil, &phone, of: name, now)) ?? []
        guard var record = vehicles[name] else { return changes }
        record.phone = nil
        write(.vehiclePut(record), to: &changes)
        return changes
    }

    /// Applies a phone's fixes. An impossible fix is dropped and counted; see `JumpFilter`.
    ///
    /// - Parameter clockAheadSeconds: seconds by which the phone's clock is ahead; nil unless positions had impossible times.
    /// - Returns: the accepted fixes in the order of their times.
    /// - Throws: NOT_FOUND if the vehicle or its phone does not exist.
    package mutating func reportPhone(
        _ fixes: [PhoneFix], clockAheadSeconds: Int? = nil, of name: VehicleName, _ settings: PhoneSettings, now: Date
    ) throws(FleetEngineError) -> (answer: [PhoneFix], changes: [Change]) {
        guard var phone = vehicles[name]?.phone else { throw .notFound("vehicle", name) }
        phone.lastHeard = now
        if clockAheadSeconds != nil { phoneClockErrors += 1 }
        phone.clockAheadSeconds = fixes.isEmpty ? clockAheadSeconds ?? phone.clockAheadSeconds : nil
        var changes: [Change] = []
        var believed: [PhoneFix] = []
        var untold: PhoneFix?
        for fix in fixes.sorted(by: { $0.time < $1.time }) {
            guard phone.car.isNews(fix) else {
                believed.append(fix)
                continue
            }
            guard options.keepsJumps || !phone.discards(fix) else {
                discardedJumps += 1
                continue
            }
            believed.append(fix)
            phone.car.add(fix)
            untold = fix
            for _ in 0..<Self.stepLimit {
                guard let move = step(&phone, of: name, at: fix, settings) else { break }
                // The position is reported first, because the status change records the vehicle's current position.
                if let place = untold { changes += try tell(place, &phone, of: name, now) }
                untold = nil
                guard let moved = make(move, now) else { break }
                changes += moved
            }
        }
        if let place = untold { changes += try tell(place, &phone, of: name, now) }
        writePhone(phone, in: name, to: &changes)
        return (believed, changes)
    }

    /// Updates all vehicles with phones to account for the time that has passed.
    package mutating func passPhoneTime(_ settings: PhoneSettings, now: Date) -> [Change] {
        var changes: [Change] = []
        for name in phoneOwners.values where isPhoneDue(name, now) {
            guard var phone = vehicles[name]?.phone else { continue }
            changes += (try? tell(nil, &phone, of: name, now)) ?? []
            if let move = step(&phone, of: name, at: nil, settings) { changes += make(move, now) ?? [] }
            writePhone(phone, in: name, to: &changes)
        }
        return changes
    }

    /// Whether time alone may change a vehicle; see ``passPhoneTime(_:now:)``.
    package var phonesNeedTime: Bool {
        phoneOwners.values.contains { name in
            guard let vehicle = vehicles[name], let phone = vehicle.phone else { return false }
            return vehicle.vehicle.vehicleState == .online || phone.told != nil || !phone.isManual && !vehicle.currentTrips.isEmpty
        }
    }

    /// The vehicles whose phones' clocks are wrong, with the seconds by which each clock is ahead.
    package var wrongPhoneClocks: [(name: VehicleName, aheadSeconds: Int)] {
        phoneOwners.values.compactMap { name in vehicles[name]?.phone?.clockAheadSeconds.map { (name, $0) } }
    }

    /// Writes a phone's record into its vehicle. The record is not part of answers, so the vehicle's timestamps do not change.
    mutating func writePhone(_ phone: PhoneRecord, in name: VehicleName, to changes: inout [Change]) {
        guard var record = vehicles[name], record.phone != phone else { return }
        record.phone = phone
        write(.vehiclePut(record), to: &changes)
    }

    private func isPhoneDue(_ name: VehicleName, _ now: Date) -> Bool {
        guard let vehicle = vehicles[name], let phone = vehicle.phone else { return false }
        if vehicle.vehicle.vehicleState == .online, !phone.car.isFresh(now: now) { return true }
        if phone.told != nil, phone.car.navigation(now: now) != phone.told { return true }
        return !phone.isManual && !vehicle.currentTrips.isEmpty && nextStop(of: name)?.stop.status == .new
    }

    /// - Parameter fix: nil if only time has passed.
    private func step(
        _ phone: inout PhoneRecord, of name: VehicleName, at fix: PhoneFix?, _ settings: PhoneSettings
    ) -> (trip: TripRecord, move: PhoneMove)? {
        guard !phone.isManual, !settings.isManual else { return nil }
        let next = nextStop(of: name)
        let move = phone.trips.step(
            next?.stop, fix: fix, speedMetersPerSecond: phone.car.speedMetersPerSecond, radiusMeters: settings.arrivalRadiusMeters)
        return next.flatMap { next in move.map { (next.trip, $0) } }
    }

    /// - Returns: the changes; nil if the engine refuses the call.
    private mutating func make(_ step: (trip: TripRecord, move: PhoneMove), _ now: Date) -> [Change]? {
        let request = WireUpdateTripRequest.with {
            $0.name = step.trip.name.description
            $0.trip.tripStatus = step.move.status.wire
            $0.updateMask.paths = ["trip_status"]
            guard let index = step.move.intermediateIndex else { return }
            $0.trip.intermediateDestinationIndex = Int32(clamping: index)
            $0.updateMask.paths.append("intermediate_destination_index")
        }
        return try? make(.updateTrip(request)) { engine throws(FleetEngineError) in try engine.updateTrip(request, now: now) }
    }

    /// Updates the vehicle's position and state, and the remaining distance and time from the phone's navigation.
    private mutating func tell(
        _ place: PhoneFix?, _ phone: inout PhoneRecord, of name: VehicleName, _ now: Date
    ) throws(FleetEngineError) -> [Change] {
        let isFresh = phone.car.isFresh(now: now)
        let navigation = phone.car.navigation(now: now)
        let isOnline = vehicles[name]?.vehicle.vehicleState == .online
        var request = Self.request(name, online: isFresh == isOnline ? nil : isFresh)
        if let place {
            request.vehicle.lastLocation = WireVehicleLocation(place, speedMetersPerSecond: phone.car.speedMetersPerSecond)
            request.updateMask.paths.append("last_location")
        }
        if navigation != phone.told {
            if let arrival = navigation?.arrival { request.vehicle.etaToFirstWaypoint = Google_Protobuf_Timestamp(moment: arrival) }
            if let meters = navigation?.remainingMeters {
                request.vehicle.remainingDistanceMeters = .init(Int32(clamping: Int(meters.rounded())))
            }
            request.updateMask.paths += ["eta_to_first_waypoint", "remaining_distance_meters"]
        }
        guard !request.updateMask.paths.isEmpty else { return [] }
        let changes = try make(.updateVehicle(request)) { [request] engine throws(FleetEngineError) in
            try engine.updateVehicle(request, judgesJumps: false, now: now)
        }
        phone.told = navigation
        return changes
    }

    /// Returns the request that represents a phone's refused fixes in the logs. It has the position of the newest fix.
    package static func refused(_ fixes: [PhoneFix], of name: VehicleName) -> WireUpdateVehicleRequest {
        var request = request(name, online: nil)
        if let newest = fixes.max(by: { $0.time < $1.time }) {
            request.vehicle.lastLocation = WireVehicleLocation(newest, speedMetersPerSecond: newest.speedMetersPerSecond)
            request.updateMask.paths = ["last_location"]
        }
        return request
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

    /// The next stop of a vehicle, with its trip.
    private func nextStop(of name: VehicleName) -> (trip: TripRecord, stop: PhoneStop)? {
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

extension Change {
    /// Whether the change concerns a vehicle with a phone.
    package var isOfPhone: Bool { if case .vehiclePut(let record) = self { record.phone != nil } else { false } }
}

extension WireVehicleLocation {
    /// Creates the location of a phone's fix. The raw location is the same, because the fix is not snapped to a road.
    fileprivate init(_ fix: PhoneFix, speedMetersPerSecond: Double?) {
        self.init()
        location = WireLatLng(fix.coordinate)
        locationSensor = .gps
        updateTime = Google_Protobuf_Timestamp(moment: fix.time)
        rawLocation = location
        rawLocationTime = updateTime
        rawLocationSensor = .gps
        if let accuracy = fix.accuracyMeters { rawLocationAccuracy = .init(accuracy) }
        if let speed = speedMetersPerSecond { self.speed = .init(speed) }
        if let bearing = fix.bearingDegrees { heading = .init(Int32(bearing.rounded(.down))) }
        if let accuracy = fix.accuracyMeters { latlngAccuracy = .init(accuracy) }
        if let altitude = fix.altitudeMeters { self.altitude = .init(altitude) }
    }
}
