import FleetEngine
import FleetEngineAPI
import FleetEngineWire
package import FoundationEssentials
import Geo
import PhoneIntake
import SwiftProtobuf

/// Assigns vehicles to a provider's waiting trips. The trip with the longest wait comes first, and gets the nearest suitable vehicle. If a
/// vehicle's position is over two minutes old, the vehicle counts as farther away. A vehicle gets no trip whose pickup point is 100 km away
/// or more, including the possible error of the position.
///
/// Only the vehicles that can take a trip now are compared with the waiting trips. A vehicle's ability to take a trip is checked again only
/// after the vehicle has changed.
package struct Dispatch: Sendable {
    private struct Candidate: Sendable {
        let place: Coordinate
        /// The possible error of `place`, in metres.
        let accuracyMeters: Double
        /// The time at which `place` was reported.
        let locatedAt: Date
        /// The serial of the vehicle. At equal distances, the older vehicle gets the trip.
        let serial: UInt64

        /// Returns the vehicle's distance from a pickup point plus the possible error of its position, in metres; nil if the vehicle is too
        /// far away to get the trip.
        func meters(to pickup: Coordinate) -> Double? {
            // A degree of latitude is over 110 km. Comparing latitudes is cheaper than computing a distance.
            guard abs(place.latitude - pickup.latitude) < 1 else { return nil }
            let meters = place.distanceMeters(to: pickup) + accuracyMeters
            return meters < Dispatch.tooFarMeters ? meters : nil
        }
    }

    /// A position of at most this age, in seconds, counts as the vehicle's present place. Drivers report at least once a minute.
    private static let recentSeconds = 120.0
    /// Distance, in metres, that is added for each second by which a position's age exceeds `recentSeconds`. It corresponds to a vehicle's
    /// speed in a town.
    private static let metersPerOldSecond = 15.0
    /// A vehicle that is at least this far from the pickup point, in metres, does not get the trip.
    private static let tooFarMeters = 100_000.0
    /// Number of passengers of a trip booked through the provider API. It is fixed at the trip's creation.
    package static let partySize: Int32 = 1
    private static let types: [WireTripType] = [.exclusive, .shared]

    private let provider: String
    /// The vehicles that can take a trip now, by the trip's type.
    private var candidates: [WireTripType: [VehicleName: Candidate]] = [:]
    /// The waiting trips that no candidate can take. They are compared only with vehicles that change.
    private var unserved: Set<TripName> = []
    /// Number of checks of a vehicle's state or distance. Tests use it to measure the work.
    package private(set) var looks = 0

    package init(provider: String, state: FleetEngineState) {
        self.provider = provider
        for name in state.vehicles.keys where name.provider == provider { note(name, in: state) }
    }

    /// Must be called after each change of the provider's data.
    package mutating func note(_ change: Change, in state: FleetEngineState) {
        if case .tripPut(let record) = change { unserved.remove(record.name) }
        if let name = change.vehicleName { note(name, in: state) }
    }

    /// Updates the candidates after a vehicle has changed.
    private mutating func note(_ name: VehicleName, in state: FleetEngineState) {
        looks += 1
        let record = state.vehicles[name]
        for type in Self.types {
            guard let record, let place = record.position, place.isBelievablePosition, record.accepts(type, in: state) else {
                candidates[type]?[name] = nil
                continue
            }
            candidates[type, default: [:]][name] = Candidate(
                place: place, accuracyMeters: record.positionAccuracyMeters, locatedAt: record.vehicle.lastLocation.serverTime.moment,
                serial: record.serial)
        }
        guard Self.types.contains(where: { candidates[$0]?[name] != nil }) else { return }
        looks += unserved.count
        unserved = unserved.filter { waiting in
            guard let trip = state.trips[waiting] else { return false }
            guard let candidate = candidates[trip.trip.tripType]?[name], !trip.declinedBy.contains(name.vehicle) else { return true }
            return candidate.meters(to: trip.trip.pickupPoint.point.coordinate) == nil
        }
    }

    /// Assigns a vehicle to the longest-waiting trip that a vehicle can take. If the search finds an expired trip, no vehicle is assigned,
    /// and the trip no longer waits.
    /// - Returns: the changes; empty if no vehicle can take a waiting trip.
    package mutating func serveNext(_ state: inout FleetEngineState, now: Date) -> [Change] {
        while let booking = firstBooking(in: state) {
            guard let trip = try? state.tripRecord(booking.trip, now) else {
                // The trip has expired since the last sweep.
                var changes: [Change] = []
                state.write(.bookingTaken(booking.trip), to: &changes)
                return changes
            }
            guard let vehicle = nearest(to: trip, type: booking.type, now) else {
                unserved.insert(booking.trip)
                continue
            }
            if let changes = Self.assign(vehicle, to: trip, in: &state, now) { return changes }
            // The vehicle becomes a candidate again after its next change.
            for type in Self.types { candidates[type]?[vehicle] = nil }
        }
        return []
    }

    /// Returns the longest-waiting booking that a candidate may be able to take.
    private func firstBooking(in state: FleetEngineState) -> Booking? {
        Self.types.compactMap { type in
            guard let vehicles = candidates[type], !vehicles.isEmpty else { return nil }
            return state.bookings.first(of: provider, type: type) { !unserved.contains($0) }
        }.min { $0.serial < $1.serial }
    }

    /// Returns the vehicle for a trip; nil if every candidate has declined the trip or is too far away.
    private mutating func nearest(to trip: TripRecord, type: WireTripType, _ now: Date) -> VehicleName? {
        let pickup = trip.trip.pickupPoint.point.coordinate
        var best: (name: VehicleName, rank: (Double, UInt64))?
        for (name, candidate) in candidates[type] ?? [:] where !trip.declinedBy.contains(name.vehicle) {
            looks += 1
            guard let meters = candidate.meters(to: pickup) else { continue }
            let oldSeconds = max(0, now.timeIntervalSince(candidate.locatedAt) - Self.recentSeconds)
            let rank = (meters + Self.metersPerOldSecond * oldSeconds, candidate.serial)
            if let best, best.rank <= rank { continue }
            best = (name, rank)
        }
        return best?.name
    }

    /// - Returns: the changes; nil if the engine refuses the assignment.
    private static func assign(
        _ vehicle: VehicleName, to trip: TripRecord, in state: inout FleetEngineState, _ now: Date
    ) -> [Change]? {
        let order = state.vehicles[vehicle]?.pooledOrder(taking: trip.ownStops, in: state)
        let request = WireUpdateTripRequest.with {
            $0.name = trip.name.description
            $0.trip.vehicleID = vehicle.vehicle
            $0.updateMask.paths = ["vehicle_id"]
            guard let order else { return }
            $0.updateMask.paths.append("vehicle_waypoints")
            $0.trip.vehicleWaypoints = order.map { stop in
                .with {
                    $0.tripID = stop.tripID
                    $0.waypointType = stop.type
                }
            }
        }
        return try? state.make(.updateTrip(request)) { state throws(FleetEngineError) in try state.updateTrip(request, now: now) }
    }
}

extension VehicleRecord {
    /// The reported accuracy of the position, or an assumed one if none is reported, in metres.
    fileprivate var positionAccuracyMeters: Double {
        let location = vehicle.lastLocation
        let told = [location.latlngAccuracy.value, location.rawLocationAccuracy.value].first { $0 > 0 }
        return told ?? PhoneFix.assumedAccuracyMeters
    }

    /// Whether the vehicle can take a trip of this type now. The vehicle must be online, and have a category, this trip type and a seat. A
    /// free vehicle can then take one trip. A vehicle with one trip can take another if the rider is aboard and back-to-back trips are
    /// enabled. A vehicle with only shared trips can take another shared trip if a seat is free on the way to at least one of its
    /// drop-offs.
    fileprivate func accepts(_ type: WireTripType, in state: FleetEngineState) -> Bool {
        guard vehicle.vehicleState == .online, vehicle.vehicleType.category != .unknown,
            vehicle.supportedTripTypes.contains(type), vehicle.maximumCapacity >= Dispatch.partySize
        else { return false }
        guard let first = currentTrips.first else { return true }
        if vehicle.backToBackEnabled, currentTrips.count == 1, let only = trip(first, in: state), !only.status.isBeforePickup {
            return true
        }
        guard type == .shared else { return false }
        // The pickup is sufficient for the check, because the other stops of the trip come after it.
        let pickup = Stop(tripID: "", kind: .pickup, location: WireTerminalLocation(), isExclusive: false)
        return pooledOrder(taking: [pickup], in: state) != nil
    }

    /// Returns the stops of the vehicle's shared trips and of a new shared trip, in driving order. Nil if the vehicle has no trip, if a
    /// trip is not shared, or if the new trip does not fit.
    fileprivate func pooledOrder(taking new: [Stop], in state: FleetEngineState) -> [PooledStop]? {
        let trips = currentTrips.compactMap { trip($0, in: state) }
        guard !trips.isEmpty, trips.count == currentTrips.count, trips.allSatisfy({ $0.trip.tripType == .shared }),
            new.allSatisfy({ !$0.isExclusive })
        else { return nil }
        let parties = Dictionary(trips.map { ($0.name.trip, Int($0.trip.numberOfPassengers)) }) { first, _ in first }
        let present = stops.map { PooledStop(tripID: $0.tripID, type: $0.waypointType, passengers: parties[$0.tripID] ?? 0) }
        let added = new.map { PooledStop(tripID: $0.tripID, type: $0.waypointType, passengers: Int(Dispatch.partySize)) }
        return PooledStop.order(present, taking: added, capacity: Int(vehicle.maximumCapacity))
    }

    private func trip(_ id: String, in state: FleetEngineState) -> TripRecord? {
        (try? TripName(provider: name.provider, trip: id)).flatMap { state.trips[$0] }
    }
}
