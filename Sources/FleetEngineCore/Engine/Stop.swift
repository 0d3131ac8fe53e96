import FleetEngine
import FleetEngineAPI
import FleetEngineWire
import Geo

/// A remaining stop of a vehicle. Its trip and its position within the trip identify it.
struct Stop: Hashable, Sendable {
    enum Kind: Hashable, Sendable {
        case pickup
        /// An intermediate stop, by its index in the trip's intermediate destinations.
        case intermediate(Int)
        case dropoff
    }

    /// The bare id of the trip.
    var tripID: String
    var kind: Kind
    var location: WireTerminalLocation
    /// Whether the trip has the vehicle to itself.
    var isExclusive: Bool

    var coordinate: Coordinate { location.point.coordinate }

    var waypointType: WireWaypointType {
        switch kind {
        case .pickup: .pickupWaypointType
        case .intermediate: .intermediateDestinationWaypointType
        case .dropoff: .dropOffWaypointType
        }
    }

    func isSameStop(as other: Stop) -> Bool { tripID == other.tripID && kind == other.kind }
}

/// The order in which a vehicle makes its stops.
enum StopOrder {
    /// Updates the stops of one trip in `present`. Stops that the trip no longer has are removed. New ones are inserted next to the
    /// trip's other stops, or appended for a new trip. The stops of other trips keep their order.
    static func updated(_ present: [Stop], tripID: String, own: [Stop]) -> [Stop] {
        var result: [Stop] = []
        for stop in present {
            if stop.tripID != tripID {
                result.append(stop)
            } else if let current = own.first(where: { $0.kind == stop.kind }) {
                result.append(current)
            }
        }
        for (index, stop) in own.enumerated() where !result.contains(where: stop.isSameStop) {
            let later = own[(index + 1)...]
            if let next = result.firstIndex(where: { present in later.contains(where: present.isSameStop) }) {
                result.insert(stop, at: next)
            } else if let last = result.lastIndex(where: { $0.tripID == tripID }) {
                result.insert(stop, at: last + 1)
            } else {
                result.append(stop)
            }
        }
        return result
    }

    /// Returns the stops of `present` in the caller's order. Only the trip id and the type of each waypoint are read, because the trips
    /// already contain the places. An empty trip id means `ownTrip`.
    ///
    /// - Throws: INVALID_ARGUMENT unless the list has exactly the same stops as `present`. Each trip's stops must keep their order, and the
    ///   stops of an exclusive trip must not be separated.
    static func arranged(
        _ waypoints: [WireTripWaypoint], of present: [Stop], ownTrip: String, field: String
    ) throws(FleetEngineError) -> [Stop] {
        guard waypoints.count == present.count else {
            throw .invalid(
                field,
                "\(field) must have one waypoint for each stop ahead of the vehicle "
                    + "(stops: \(present.count), waypoints: \(waypoints.count))")
        }
        // The stops of each trip are matched from the front, so a different order within a trip is refused.
        var queues: [String: ArraySlice<Stop>] = [:]
        for (trip, stops) in Dictionary(grouping: present, by: \.tripID) { queues[trip] = stops[...] }
        var result: [Stop] = []
        for (index, waypoint) in waypoints.enumerated() {
            let trip = waypoint.tripID.isEmpty ? ownTrip : waypoint.tripID
            guard let next = queues[trip]?.popFirst() else {
                throw .invalid(field, "\(field)[\(index)]: the vehicle has no further stop for trip \(FleetEngineError.shown(trip))")
            }
            guard next.waypointType == waypoint.waypointType else {
                throw .invalid(field, "\(field)[\(index)]: a trip's stops must be in the order pickup, intermediate destinations, drop-off")
            }
            result.append(next)
        }
        try checkExclusive(result, field)
        return result
    }

    private static func checkExclusive(_ stops: [Stop], _ field: String) throws(FleetEngineError) {
        var finished: Set<String> = []
        var previous: Stop?
        for stop in stops {
            if let previous, previous.tripID != stop.tripID {
                finished.insert(previous.tripID)
                if stop.isExclusive, finished.contains(stop.tripID) {
                    throw .invalid(field, "\(field): stops of other trips lie between those of the exclusive trip \(stop.tripID)")
                }
            }
            previous = stop
        }
    }
}
