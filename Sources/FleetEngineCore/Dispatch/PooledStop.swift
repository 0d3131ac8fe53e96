import FleetEngineAPI

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
