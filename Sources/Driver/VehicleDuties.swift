import FleetEngine

/// The trips that a vehicle has to serve, as last read.
struct VehicleDuties: Sendable {
    /// The trips that have remaining stops, in the order of their first stops.
    private(set) var byStops: [TripName] = []
    /// All trips of the vehicle.
    private(set) var current: [TripName] = []
    /// The vehicle's remaining stops, of all its trips, in driving order.
    private(set) var stops: [TripWaypoint] = []
    /// Trips that have ended for the driver, as long as the vehicle still lists them. A trip that returns later is served again.
    var over: Set<TripName> = []

    init(over: Set<TripName> = []) {
        self.over = over
    }

    /// - Parameter over: trips that have ended for the driver.
    init(_ vehicle: Vehicle, over: Set<TripName>) {
        var known: Set<TripName> = []
        for id in vehicle.currentTrips {
            guard let name = try? TripName(provider: vehicle.name.provider, trip: id), known.insert(name).inserted else { continue }
            current.append(name)
        }
        var seen: Set<String> = []
        for waypoint in vehicle.waypoints where seen.insert(waypoint.tripID).inserted {
            guard let name = try? TripName(provider: vehicle.name.provider, trip: waypoint.tripID), known.contains(name) else { continue }
            byStops.append(name)
        }
        stops = vehicle.waypoints.map { TripWaypoint(coordinate: $0.coordinate, tripID: $0.tripID, type: $0.type, eta: $0.eta) }
        self.over = over.intersection(known)
    }
}
