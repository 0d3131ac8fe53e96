import FleetEngine

/// The trips that a vehicle has to serve, as last read.
struct VehicleDuties: Sendable {
    /// The trips that have remaining stops, in the order of their first stops.
    private(set) var byStops: [TripName] = []
    /// All trips of the vehicle.
    private(set) var current: [TripName] = []
    /// The vehicle's remaining stops, of all its trips, in driving order.
    private(set) var stops: [TripWaypoint] = []
    /// Trips that are over for the driver, but that the vehicle still lists. A trip that returns later is served again.
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
        stops = vehicle.waypoints.map {
            TripWaypoint(coordinate: $0.coordinate, tripID: $0.tripID, type: $0.type, distanceMeters: $0.distanceMeters, eta: $0.eta)
        }
        self.over = over.intersection(known)
        orderByStops()
    }

    /// Returns the remaining stops of one trip, in driving order.
    func stops(of name: TripName) -> [TripWaypoint] { stops.filter { $0.tripID == name.trip } }

    /// Returns the vehicle's stops up to the last stop of a trip; empty if the trip has no stop.
    func stops(through name: TripName) -> [TripWaypoint] {
        stops.lastIndex { $0.tripID == name.trip }.map { Array(stops[...$0]) } ?? []
    }

    private mutating func orderByStops() {
        let names = Dictionary(current.map { ($0.trip, $0) }) { first, _ in first }
        var seen: Set<String> = []
        byStops = stops.compactMap { seen.insert($0.tripID).inserted ? names[$0.tripID] : nil }
    }

    /// Removes those stops of a trip that its status shows as served.
    mutating func removeStopsLeft(by trip: Trip) {
        guard trip.status != .unknown, !trip.status.isBeforePickup else { return }
        // The pickup is removed by its type. Counting the stops is not enough: if the trip has gained stops since the vehicle was read, the
        // pickup would stay.
        stops.removeAll { $0.tripID == trip.name.trip && $0.type == .pickup }
        let between = trip.status.intermediatesAhead(
            of: trip.intermediateDestinations.count, index: trip.intermediateDestinationIndex)
        keep(between.count + (trip.dropoffPoint == nil ? 0 : 1), stopsOf: trip.name)
    }

    /// Removes the first stops of a trip until at most `count` remain.
    mutating func keep(_ count: Int, stopsOf name: TripName) {
        var surplus = stops.count { $0.tripID == name.trip } - count
        stops = stops.filter { stop in
            guard surplus > 0, stop.tripID == name.trip else { return true }
            surplus -= 1
            return false
        }
        orderByStops()
    }
}
