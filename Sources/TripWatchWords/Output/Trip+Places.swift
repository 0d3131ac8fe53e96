package import FleetEngine
import Geo

extension Trip {
    /// All stops of the trip, without arrivals and distances.
    var places: [OwnStop] {
        let between = intermediateDestinations.prefix(1_000).map { Self.stop(.intermediate, $0) }
        return ([Self.stop(.pickup, pickupPoint)] + between + [Self.stop(.dropoff, dropoffPoint)]).compactMap { $0 }
    }

    /// The stops ahead according to the status, without arrivals and distances.
    var placesAhead: [OwnStop] {
        guard !status.isFinal, status != .unknown else { return [] }
        let between = Array(places.filter { $0.type == .intermediate }.dropFirst(passedStopCount))
        return places.filter { $0.type == .pickup && status.isBeforePickup } + between + places.filter { $0.type == .dropoff }
    }

    /// The number of stops between pickup and drop-off that the vehicle has passed. The number follows from the trip's status and the
    /// server's index. The index alone is not enough, because it does not increase after the last of these stops. If the status is
    /// cancelled or unknown, only the index is used, so the number may be one too low.
    var passedStopCount: Int {
        let count = intermediateDestinations.count
        guard status != .canceled, status != .unknown else { return min(stopIndex, count) }
        return status.intermediatesAhead(of: count, index: stopIndex).lowerBound
    }

    private static func stop(_ type: WaypointType, _ place: Coordinate?) -> OwnStop? {
        guard let place, place.isValid else { return nil }
        return OwnStop(type: type, coordinate: place, eta: nil, distanceMeters: nil)
    }
}

extension JSONLine {
    /// Adds the places of all stops of a trip, and the number of passed stops between pickup and drop-off. Unlike `waypoints` events, the
    /// places do not depend on the server's list of the stops ahead, which is empty for a trip without a vehicle.
    /// - Parameter stopsReached: the number of stops that the vehicle has reached. It is used for a cancelled trip, because the
    ///   server's index does not say whether the last stop was passed.
    package mutating func addPlaces(of trip: Trip?, stopsReached: Int) {
        let places = (trip?.places ?? []).map { stop in
            JSONText.object {
                $0.add("type", .string(stop.type.rawValue))
                $0.add("latitude", .number(stop.coordinate.latitude, decimals: 7))
                $0.add("longitude", .number(stop.coordinate.longitude, decimals: 7))
            }
        }
        add("places", .array(places))
        let passed = trip?.passedStopCount ?? 0
        add("stop_index", .integer(trip?.status == .canceled ? max(passed, stopsReached) : passed))
    }
}
