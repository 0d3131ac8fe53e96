import FleetEngineAPI

/// A stop of a vehicle with shared trips.
struct PooledStop: Hashable, Sendable {
    let tripID: String
    let type: WireWaypointType
    /// Number of passengers of the stop's trip.
    let passengers: Int

    /// Orders the stops by the rule of Google's sample provider. The pickup of the new trip comes directly before the last drop-off that
    /// the vehicle reaches with enough free seats. The other stops of the new trip come directly after this drop-off.
    ///
    /// - Returns: the stops in driving order; nil if there is no such drop-off.
    static func order(_ present: [PooledStop], taking new: [PooledStop], capacity: Int) -> [PooledStop]? {
        guard let pickup = new.first else { return nil }
        // A rider aboard has a drop-off ahead, but no pickup.
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
