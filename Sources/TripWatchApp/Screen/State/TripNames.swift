package import FleetEngine
package import Geo
import TerminalCanvas

/// What trip and stops are called: by the trip's attributes, the user, the nearest street, the id, in this order.
package struct TripNames: Hashable, Sendable {
    /// Of the whole trip: `Ride to Northgate Station`.
    package private(set) var title: String
    /// Where it goes: `Northgate Station`; what is left of the title where that is not known.
    package private(set) var place: String
    /// Empty while unknown, like the names of stops.
    package private(set) var pickup = ""
    package private(set) var dropoff = ""
    package private(set) var stops: [String] = []
    /// The title, where it says more than the id.
    package private(set) var ownTitle: String?

    private static let maximumLength = 60

    /// - Parameters:
    ///   - title: what the user calls the trip.
    ///   - streets: names of streets by the places next to them.
    package init(_ name: TripName, trip: Trip?, title: String?, streets: [Coordinate: String] = [:]) {
        func attribute(_ key: String) -> String? { Self.clean(trip?.attributes[key]) }
        func street(_ place: Coordinate?) -> String? { Self.clean(place.flatMap { streets[$0] }) }
        let own = Self.clean(title)
        dropoff = attribute("dropoff_name") ?? street(trip?.dropoffPoint) ?? ""
        pickup = attribute("pickup_name") ?? street(trip?.pickupPoint) ?? ""
        stops = (trip?.intermediateDestinations ?? []).prefix(99).enumerated().map { index, place in
            attribute("stop_\(index + 1)_name") ?? street(place) ?? ""
        }
        let id = sanitised(name.trip, maximumLength: Self.maximumLength)
        ownTitle =
            attribute("title") ?? attribute("dropoff_name").map { "Ride to \($0)" } ?? own
            ?? (dropoff.isEmpty ? nil : "Ride to \(dropoff)")
        self.title = ownTitle ?? "Trip \(id)"
        place = attribute("dropoff_name") ?? attribute("title") ?? own ?? (dropoff.isEmpty ? id : dropoff)
    }

    private static func clean(_ text: String?) -> String? {
        guard let text else { return nil }
        let safe = sanitised(text, maximumLength: maximumLength)
        return safe.contains { $0 != " " } ? safe : nil
    }
}
