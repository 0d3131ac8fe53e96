import DequeModule
import FleetEngine
import FleetEngineAPI
import FoundationEssentials
import Geo
import SwiftProtobuf

/// Gives a provider's waiting trips to its vehicles: who waits longest is served first, by the nearest vehicle that fits.
///
/// It keeps in mind which vehicles would take a trip, and looks at a vehicle again only when it has changed. So a vehicle that is busy
/// costs nothing however many trips wait, and a trip that waits costs nothing however many vehicles are busy.
struct Dispatch: Sendable {
    private struct WaitingTrip: Sendable {
        let name: TripName
        /// Rises from booking to booking.
        let number: UInt64
    }

    private struct Candidate: Sendable {
        let place: Coordinate
        /// The vehicle's, so that the older one of two at the same distance is taken.
        let serial: UInt64
    }

    /// Passengers of a trip that is booked at a desk; it is fixed when the trip is created.
    static let partySize: Int32 = 1
    private static let types: [WireTripType] = [.exclusive, .shared]

    private let provider: String
    /// By the type of trip, in the order of booking. A trip that was cancelled or given away meanwhile is left out when its turn comes.
    private var waiting: [WireTripType: Deque<WaitingTrip>] = [:]
    /// By the type of trip: the vehicles that would take one.
    private var candidates: [WireTripType: [VehicleName: Candidate]] = [:]
    private var lastNumber: UInt64 = 0
    /// How often a vehicle was looked at, for its state or for its distance: what the work is measured by.
    private(set) var looks = 0

    init(provider: String, state: FleetEngineState) {
        self.provider = provider
        for name in state.vehicles.keys where name.provider == provider { note(name, in: state) }
    }

    /// Takes in that a vehicle has changed.
    mutating func note(_ name: VehicleName, in state: FleetEngineState) {
        looks += 1
        let record = state.vehicles[name]
        for type in Self.types {
            guard let record, let place = record.position, record.takes(type, in: state) else {
                candidates[type]?[name] = nil
                continue
            }
            candidates[type, default: [:]][name] = Candidate(place: place, serial: record.serial)
        }
    }

    /// Puts a trip at the end of the line.
    mutating func add(_ name: TripName, type: WireTripType) {
        lastNumber += 1
        waiting[type, default: []].append(WaitingTrip(name: name, number: lastNumber))
    }

    /// How many trips wait. Those that wait no longer are left out only when there seem to be `limit` or more.
    mutating func waitingCount(limit: Int, in state: FleetEngineState, now: Date) -> Int {
        let count = waiting.values.reduce(0) { $0 + $1.count }
        guard count >= limit else { return count }
        for type in waiting.keys { waiting[type]?.removeAll { Self.trip($0.name, in: state, now) == nil } }
        return waiting.values.reduce(0) { $0 + $1.count }
    }

    /// Gives trips away as long as one waits that a vehicle would take.
    mutating func serve(_ state: inout FleetEngineState, now: Date) {
        while let (type, next) = first() {
            guard let trip = Self.trip(next.name, in: state, now) else {
                _ = waiting[type]?.popFirst()
                continue
            }
            guard let vehicle = nearest(to: trip, type: type) else { return }
            if Self.assign(vehicle, to: trip, in: &state, now) {
                _ = waiting[type]?.popFirst()
            } else {
                // It has its reasons, and is asked again when it has changed.
                for type in Self.types { candidates[type]?[vehicle] = nil }
            }
            noteChanges(in: &state)
        }
    }

    private mutating func noteChanges(in state: inout FleetEngineState) {
        for changed in state.takeChangedVehicles() {
            // A sweep of old trips frees vehicles of other providers too; theirs is another desk.
            if changed.provider == provider { note(changed, in: state) } else { state.noteChange(of: changed) }
        }
    }

    /// The trip that waits longest of those types for which there are vehicles.
    private func first() -> (type: WireTripType, trip: WaitingTrip)? {
        Self.types.compactMap { type in
            guard candidates[type]?.isEmpty == false, let trip = waiting[type]?.first else { return nil }
            return (type, trip)
        }.min { $0.trip.number < $1.trip.number }
    }

    private mutating func nearest(to trip: TripRecord, type: WireTripType) -> VehicleName? {
        let pickup = trip.trip.pickupPoint.point.coordinate
        var best: (name: VehicleName, meters: Double, serial: UInt64)?
        for (name, candidate) in candidates[type] ?? [:] {
            looks += 1
            let meters = candidate.place.distanceMeters(to: pickup)
            if let best, (best.meters, best.serial) <= (meters, candidate.serial) { continue }
            best = (name, meters, candidate.serial)
        }
        return best?.name
    }

    /// Nil for a trip that waits for no vehicle any more.
    private static func trip(_ name: TripName, in state: FleetEngineState, _ now: Date) -> TripRecord? {
        guard let record = try? state.tripRecord(name, now), record.status == .new, record.trip.vehicleID.isEmpty else { return nil }
        return record
    }

    private static func assign(_ vehicle: VehicleName, to trip: TripRecord, in state: inout FleetEngineState, _ now: Date) -> Bool {
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
        return (try? state.updateTrip(request, now: now)) != nil
    }
}

extension VehicleRecord {
    /// Whether it would take a trip now: when it is free; or shared like the trips that it has, with seats left; or on its way with one
    /// trip after whose pickup it takes another.
    fileprivate func takes(_ type: WireTripType, in state: FleetEngineState) -> Bool {
        guard vehicle.vehicleState == .online, vehicle.vehicleType.category != .unknown,
            vehicle.supportedTripTypes.contains(type), vehicle.maximumCapacity >= Dispatch.partySize
        else { return false }
        guard let first = currentTrips.first else { return true }
        if vehicle.backToBackEnabled, currentTrips.count == 1, let only = trip(first, in: state), !only.status.isBeforePickup {
            return true
        }
        guard type == .shared else { return false }
        // Where the pickup goes decides; what comes after it goes along.
        let pickup = Stop(tripID: "", kind: .pickup, location: WireTerminalLocation(), isExclusive: false)
        return pooledOrder(taking: [pickup], in: state) != nil
    }

    /// Where a shared trip's stops go among those of the shared trips that the vehicle has; nil when they do not go together.
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
