package import FleetEngine
import FleetEngineAPI
import FleetEngineWire
package import FoundationEssentials
import Geo
import PhoneIntake
import SwiftProtobuf

/// Assigns vehicles to a provider's waiting trips. The trip with the longest wait comes first, and gets the nearest suitable vehicle.
/// Vehicles whose position is old come last, and those whose position is very old or very far away get no trip.
///
/// Only the vehicles that accept a trip are compared with the waiting trips. A vehicle is checked again only after it has
/// changed.
package struct Dispatch: Sendable {
    private struct Candidate: Sendable {
        let place: Coordinate
        /// The possible error of `place`, in metres.
        let accuracyMeters: Double
        /// The time at which `place` was reported.
        let locatedAt: Date
        /// The serial of the vehicle. At equal distances, the older vehicle gets the trip.
        let serial: UInt64

        /// The largest possible distance from a trip's pickup point, in metres.
        func meters(to trip: TripRecord) -> Double {
            place.distanceMeters(to: trip.trip.pickupPoint.point.coordinate) + accuracyMeters
        }
    }

    /// Age of a position, in seconds, from which on a vehicle is chosen only if no other one is suitable. Drivers report at least once a
    /// minute.
    private static let oldSeconds = 120.0
    /// Age of a position, in seconds, from which on a vehicle gets no trip.
    private static let tooOldSeconds = 3_600.0
    /// Distance to the pickup point, in metres, from which on a vehicle does not get the trip.
    private static let tooFarMeters = 100_000.0
    /// Number of passengers of a trip booked through the provider API. It is fixed at the trip's creation.
    package static let partySize: Int32 = 1
    private static let types: [WireTripType] = [.exclusive, .shared]

    private let provider: String
    /// The vehicles that accept a trip, by the trip's type.
    private var candidates: [WireTripType: [VehicleName: Candidate]] = [:]
    /// Number of checks of a vehicle's state or distance. Tests use it to measure the work.
    package private(set) var looks = 0

    package init(provider: String, state: FleetEngineState) {
        self.provider = provider
        for name in state.vehicles.keys where name.provider == provider { note(name, in: state) }
    }

    /// Updates the candidates after a vehicle has changed.
    package mutating func note(_ name: VehicleName, in state: FleetEngineState) {
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
    }

    /// Assigns a vehicle to the trip with the longest wait.
    /// - Returns: the changes; empty if no vehicle accepts a waiting trip.
    package mutating func serveNext(_ state: inout FleetEngineState, now: Date) -> [Change] {
        while let booking = firstBooking(in: state, now) {
            guard let trip = try? state.tripRecord(booking.trip, now), let vehicle = nearest(to: trip, type: booking.type, now) else {
                // The trip has expired since the last sweep.
                var changes: [Change] = []
                state.write(.bookingTaken(booking.trip), to: &changes)
                return changes
            }
            if let changes = Self.assign(vehicle, to: trip, in: &state, now) { return changes }
            // The vehicle becomes a candidate again after its next change.
            for type in Self.types { candidates[type]?[vehicle] = nil }
        }
        return []
    }

    /// Returns the longest-waiting booking that a candidate can take.
    private func firstBooking(in state: FleetEngineState, _ now: Date) -> Booking? {
        Self.types.compactMap { type in
            guard let vehicles = candidates[type], !vehicles.isEmpty else { return nil }
            return state.bookings.first(of: provider, type: type) { name in
                guard let trip = state.trips[name] else { return true }
                return vehicles.contains { Self.suits($0.value, $0.key, trip, now) }
            }
        }.min { $0.serial < $1.serial }
    }

    /// Whether a candidate can take a trip: its driver has not declined the trip, and its position is recent and near enough.
    private static func suits(_ candidate: Candidate, _ name: VehicleName, _ trip: TripRecord, _ now: Date) -> Bool {
        !trip.declinedBy.contains(name.vehicle) && now.timeIntervalSince(candidate.locatedAt) < tooOldSeconds
            && candidate.meters(to: trip) < tooFarMeters
    }

    private mutating func nearest(to trip: TripRecord, type: WireTripType, _ now: Date) -> VehicleName? {
        var best: (name: VehicleName, rank: (Int, Double, UInt64))?
        for (name, candidate) in candidates[type] ?? [:] where Self.suits(candidate, name, trip, now) {
            looks += 1
            let isOld = now.timeIntervalSince(candidate.locatedAt) >= Self.oldSeconds
            let rank = (isOld ? 1 : 0, candidate.meters(to: trip), candidate.serial)
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

    /// Whether the vehicle accepts a trip now. A free vehicle accepts one. A vehicle with one trip accepts another if the rider
    /// is aboard and back-to-back trips are enabled. A vehicle with shared trips accepts another while it has free seats.
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

    /// Returns the stops of the vehicle's shared trips and of a new shared trip, in driving order; nil if the new trip does not fit.
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
