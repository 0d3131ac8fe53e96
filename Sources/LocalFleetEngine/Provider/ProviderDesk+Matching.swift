import FleetEngine
import FleetEngineAPI
import Geo
import SwiftProtobuf

extension ProviderDesk {
    /// Gives each waiting trip the nearest vehicle that fits, in the order of booking. Rounds follow each other: two at once could both
    /// think the same vehicle free.
    func match() async {
        let earlier = matching
        let round = Task {
            await earlier?.value
            await self.matchOnce()
        }
        matching = round
        await round.value
    }

    private func matchOnce() async {
        guard !waiting.isEmpty else { return }
        var vehicles = await onlineVehicles()
        for name in waiting {
            guard let trip = try? await engine.getTrip(.with { $0.name = name.description }), trip.tripStatus == .new,
                trip.vehicleID.isEmpty
            else {
                waiting.removeAll { $0 == name }
                continue
            }
            guard let index = await best(for: trip, among: vehicles), await assign(vehicles[index], to: trip) else { continue }
            waiting.removeAll { $0 == name }
            vehicles.remove(at: index)
        }
    }

    private func onlineVehicles() async -> [WireVehicle] {
        var vehicles: [WireVehicle] = []
        var page = ""
        repeat {
            let request = Self.onlineVehicles(provider) { $0.pageToken = page }
            guard let answer = try? await engine.listVehicles(request) else { break }
            vehicles += answer.vehicles
            page = answer.nextPageToken
        } while !page.isEmpty && vehicles.count < 10_000
        return vehicles
    }

    /// The nearest vehicle that fits; one that never told its place only when no other does.
    private func best(for trip: WireTrip, among vehicles: [WireVehicle]) async -> Int? {
        let pickup = Coordinate(latitude: trip.pickupPoint.point.latitude, longitude: trip.pickupPoint.point.longitude)
        var best: (index: Int, meters: Double)?
        for (index, vehicle) in vehicles.enumerated() where await fits(vehicle, trip) {
            let meters = Self.place(vehicle)?.distanceMeters(to: pickup) ?? .infinity
            if best.map({ meters < $0.meters }) ?? true { best = (index, meters) }
        }
        return best?.index
    }

    private static func place(_ vehicle: WireVehicle) -> Coordinate? {
        guard vehicle.hasLastLocation else { return nil }
        let place = vehicle.lastLocation.hasLocation ? vehicle.lastLocation.location : vehicle.lastLocation.rawLocation
        return Coordinate(latitude: place.latitude, longitude: place.longitude)
    }

    /// Free; or shared like the trips that it has, with seats left; or on its way with one trip after whose pickup it takes another.
    private func fits(_ vehicle: WireVehicle, _ trip: WireTrip) async -> Bool {
        guard vehicle.supportedTripTypes.contains(trip.tripType), vehicle.maximumCapacity >= trip.numberOfPassengers else { return false }
        guard !vehicle.currentTrips.isEmpty else { return true }
        let current = await currentTrips(vehicle)
        guard current.count == vehicle.currentTrips.count else { return false }
        if await pooledOrder(vehicle, trip, current) != nil { return true }
        guard vehicle.backToBackEnabled, current.count == 1, let only = current.first else { return false }
        return !TripStatus(wireNumber: only.tripStatus.rawValue).isBeforePickup
    }

    private func currentTrips(_ vehicle: WireVehicle) async -> [WireTrip] {
        var trips: [WireTrip] = []
        for id in vehicle.currentTrips {
            if let trip = try? await engine.getTrip(.with { $0.name = "providers/\(provider)/trips/\(id)" }) { trips.append(trip) }
        }
        return trips
    }

    /// Where a shared trip's stops go among those of other shared trips; nil when they do not go together.
    private func pooledOrder(_ vehicle: WireVehicle, _ trip: WireTrip, _ current: [WireTrip]) async -> [PooledStop]? {
        guard trip.tripType == .shared, !current.isEmpty, current.allSatisfy({ $0.tripType == .shared }) else { return nil }
        let passengers = Dictionary(current.map { (Self.id($0), Int($0.numberOfPassengers)) }) { first, _ in first }
        let present = vehicle.waypoints.map {
            PooledStop(tripID: $0.tripID, type: $0.waypointType, passengers: passengers[$0.tripID] ?? 0)
        }
        var own = [WireWaypointType.pickupWaypointType]
        own += trip.intermediateDestinations.map { _ in .intermediateDestinationWaypointType }
        if trip.hasDropoffPoint { own.append(.dropOffWaypointType) }
        let new = own.map { PooledStop(tripID: Self.id(trip), type: $0, passengers: Int(trip.numberOfPassengers)) }
        return PooledStop.order(present, taking: new, capacity: Int(vehicle.maximumCapacity))
    }

    private func assign(_ vehicle: WireVehicle, to trip: WireTrip) async -> Bool {
        guard let name = try? VehicleName(vehicle.name) else { return false }
        let order = await pooledOrder(vehicle, trip, await currentTrips(vehicle))
        let request = WireUpdateTripRequest.with {
            $0.name = trip.name
            $0.trip.vehicleID = name.vehicle
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
        return (try? await engine.updateTrip(request)) != nil
    }

    private static func id(_ trip: WireTrip) -> String { (try? TripName(trip.name))?.trip ?? "" }
}

/// A stop of a vehicle that several parties share.
struct PooledStop: Hashable, Sendable {
    let tripID: String
    let type: WireWaypointType
    /// Of its trip.
    let passengers: Int

    /// The order of the sample provider: the new pickup comes before the last drop-off at which there are seats enough, the rest of the
    /// new trip directly after that drop-off.
    ///
    /// - Returns: nil when there are never seats enough.
    static func order(_ present: [PooledStop], taking new: [PooledStop], capacity: Int) -> [PooledStop]? {
        guard let pickup = new.first else { return nil }
        // Who is aboard already has a drop-off ahead, but no pickup.
        let ahead = Set(present.filter { $0.type == .pickupWaypointType }.map(\.tripID))
        var load = present.filter { $0.type == .dropOffWaypointType && !ahead.contains($0.tripID) }.reduce(0) { $0 + $1.passengers }
        var place: Int?
        for (index, stop) in present.enumerated() {
            if stop.type == .dropOffWaypointType {
                if load + pickup.passengers <= capacity { place = index }
                load -= stop.passengers
            } else if stop.type == .pickupWaypointType {
                load += stop.passengers
            }
        }
        guard let place else { return nil }
        return present[..<place] + [pickup, present[place]] + new.dropFirst() + present[(place + 1)...]
    }
}
