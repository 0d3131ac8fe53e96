import FleetEngine
package import FleetEngineAPI
import FleetEngineWire
import SwiftProtobuf

extension FleetEngineLog {
    /// The trips, vehicles, tasks and delivery vehicles as they are at the end of the log, in the order of their first entries. If the log
    /// has only updates of an object, the object has only the fields of these updates. The vehicle of an unfinished trip is included even
    /// if the log has no entry about the vehicle.
    package var fleet: (trips: [WireTrip], vehicles: [WireVehicle], tasks: [WireTask], deliveryVehicles: [WireDeliveryVehicle]) {
        var fleet = LoggedFleet()
        for entry in entries { fleet.apply(entry) }
        let members = fleet.members
        let deliveries = fleet.deliveries.members
        return (members.trips, members.vehicles, deliveries.tasks, deliveries.vehicles)
    }
}

extension LoggedFleet {
    fileprivate var members: (trips: [WireTrip], vehicles: [WireVehicle]) {
        let busy = Set(
            trips.compactMap { name, trip in
                TripStatus(trip.tripStatus).isFinal ? nil : try? VehicleName(provider: name.provider, vehicle: trip.vehicleID)
            })
        var all = vehicleOrder.compactMap { name in busy.contains(name) ? vehicles[name] : vehicles[name]?.withoutWay }
        var known = Set(vehicleOrder)
        for (name, trip) in tripOrder.compactMap({ name in trips[name].map { (name, $0) } }) {
            guard !TripStatus(trip.tripStatus).isFinal,
                let vehicle = try? VehicleName(provider: name.provider, vehicle: trip.vehicleID), known.insert(vehicle).inserted
            else { continue }
            all.append(.with { $0.name = vehicle.description })
        }
        return (tripOrder.compactMap { trips[$0]?.completed }, all)
    }
}

extension WireTrip {
    /// The trip, with valid values in place of values that no Fleet Engine accepts.
    fileprivate var completed: WireTrip {
        var trip = self
        if trip.tripType == .unknownTripType { trip.tripType = .exclusive }
        if !trip.intermediateDestinations.indices.contains(Int(trip.intermediateDestinationIndex)) { trip.intermediateDestinationIndex = 0 }
        return trip
    }
}

extension WireVehicle {
    /// The vehicle without a route. A vehicle without a trip has no route, even if its driver's last call sent one.
    fileprivate var withoutWay: WireVehicle {
        var vehicle = self
        vehicle.currentRouteSegment = ""
        vehicle.clearCurrentRouteSegmentEndPoint()
        vehicle.clearCurrentRouteSegmentTraffic()
        vehicle.clearRemainingDistanceMeters()
        vehicle.clearEtaToFirstWaypoint()
        return vehicle
    }
}
