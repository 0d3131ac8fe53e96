import BoundedJSON
package import FleetEngine
import FoundationEssentials
package import Geo
import TerminalCanvas
import TripWatchSettings

/// The names of a trip and its stops. The title and the place come from the trip's attributes, the user, the nearest street, the drop-off's
/// coordinates or the id, in this order. Coordinates are used only if the id ends with a UUID. The other names come only from the
/// attributes or the nearest street.
package struct TripNames: Hashable, Sendable {
    /// The title of the trip: `Ride to Northgate Station`.
    package private(set) var title: String
    /// The destination of a ride or the shop of an order, without words such as `Ride to`: `Northgate Station`.
    package private(set) var place: String
    /// The name of the pickup; empty while unknown, like the names of the stops.
    package private(set) var pickup = ""
    package private(set) var dropoff = ""
    package private(set) var stops: [String] = []
    /// The name of each stop, or else the nearest street, for the map and for numbered lists. Other texts use ``stops``.
    package private(set) var stopPlaces: [String] = []
    /// The title, if it says more than the id.
    package private(set) var ownTitle: String?

    private static let maximumLength = 60
    /// The maximum length of a stop's name in short forms, in columns. A longer name is replaced with the stop's number.
    package static let shortColumns = 16
    /// The maximum number of stops that have names.
    private static let mostStops = 99

    /// - Parameters:
    ///   - title: the title that the user has given to the trip.
    ///   - streets: street names, keyed by a coordinate near the street.
    ///   - kind: kind of the trip; the title of an order contains the shop.
    package init(_ name: TripName, trip: Trip?, title: String?, streets: [Coordinate: String] = [:], kind: TripKind = .ride) {
        func attribute(_ attribute: ReadAttribute) -> String? { Self.clean(trip.flatMap { attribute.text(in: $0.attributes) }) }
        func street(_ place: Coordinate?) -> String? { Self.clean(place.flatMap { streets[$0] }) }
        let own = Self.clean(title)
        dropoff = attribute(.dropoff) ?? street(trip?.dropoffPoint) ?? ""
        pickup = attribute(.pickup) ?? street(trip?.pickupPoint) ?? ""
        stops = Self.stops(of: trip)
        stopPlaces = zip(stops, trip?.intermediateDestinations ?? []).map { $0.isEmpty ? street($1) ?? "" : $0 }
        let (noun, to, from) = Self.beginnings(kind)
        let said = kind == .order ? attribute(.pickup).map { from + $0 } : attribute(.dropoff).map { to + $0 }
        ownTitle =
            attribute(.title) ?? said ?? own ?? (dropoff.isEmpty ? nil : to + dropoff) ?? (pickup.isEmpty ? nil : from + pickup)
        let goal = Self.goal(of: name, trip?.dropoffPoint)
        self.title = ownTitle ?? goal.map { to + $0 } ?? noun + Self.short(name.trip)
        let called = attribute(kind == .order ? .pickup : .dropoff)
        let known = called ?? attribute(.title) ?? own ?? (dropoff.isEmpty ? goal ?? Self.short(name.trip) : dropoff)
        let beginning = kind == .order ? from : to
        place = known.hasPrefix(beginning) && known.count > beginning.count ? String(known.dropFirst(beginning.count)) : known
    }

    /// Returns the stop names in the trip's attributes, in order, with an empty string for each stop without a name.
    package static func stops(of trip: Trip?) -> [String] {
        guard let trip else { return [] }
        let list = ReadAttribute.stops.text(in: trip.attributes).flatMap { text in
            text.utf8.count > 16_384 ? nil : try? JSONDecoder().decodeBounded([String].self, from: Data(text.utf8))
        }
        return trip.intermediateDestinations.indices.prefix(mostStops).map { index in
            let listed = list.flatMap { $0.indices.contains(index) ? clean($0[index]) : nil }
            return listed ?? clean(trip.attributes["stop_\(index + 1)_name"]) ?? ""
        }
    }

    /// Returns the next stop's name from the trip's attributes; empty if the stop has no name.
    static func nextStop(of trip: Trip?) -> String {
        let names = stops(of: trip)
        return trip.flatMap { names.indices.contains($0.stopIndex) ? names[$0.stopIndex] : nil } ?? ""
    }

    /// Returns the name of a stop by its index in the trip's list; empty while unknown.
    package func stop(_ index: Int) -> String { stops.indices.contains(index) ? stops[index] : "" }

    /// Returns the name of a stop, or else its nearest street; empty while unknown.
    package func stopPlace(_ index: Int) -> String { stopPlaces.indices.contains(index) ? stopPlaces[index] : "" }

    /// Returns the prefixes of a title: the ones before an id, before the destination, and before the origin.
    private static func beginnings(_ kind: TripKind) -> (noun: String, to: String, from: String) {
        switch kind {
        case .ride: ("Trip ", "Ride to ", "Ride from ")
        case .order: ("Order ", "Order to ", "Order from ")
        }
    }

    /// The drop-off's coordinates as text; nil if they are unknown or invalid. It is also nil if the trip's id does not end with a UUID: a
    /// person chose such an id, and it says more than coordinates.
    private static func goal(of name: TripName, _ dropoff: Coordinate?) -> String? {
        uuid(name.trip) == nil ? nil : dropoff.flatMap { $0.isValid ? degrees($0) : nil }
    }

    /// Returns a title with the drop-off's coordinates; nil without coordinates, or if the trip's id says more.
    package static func title(of name: TripName, to dropoff: Coordinate?, kind: TripKind = .ride) -> String? {
        goal(of: name, dropoff).map { beginnings(kind).to + $0 }
    }

    /// Returns coordinates in degrees, always with three decimals (about a hundred metres): `10.014, -29.974`.
    package static func degrees(_ place: Coordinate) -> String { "\(degrees(place.latitude)), \(degrees(place.longitude))" }

    private static func degrees(_ angle: Double) -> String {
        let text = angle.fixed(decimals: 3)
        let decimals = text.firstIndex(of: ".").map { text.distance(from: $0, to: text.endIndex) - 1 } ?? 0
        return text + (decimals == 0 ? "." : "") + String(repeating: "0", count: max(0, 3 - decimals))
    }

    /// Returns an id for use in a title. A UUID is shortened to its first group.
    private static func short(_ id: String) -> String { sanitised(uuid(id) ?? id, maximumLength: maximumLength) }

    /// Returns the first group of the UUID at the end of an id; nil if the id does not end with a UUID.
    private static func uuid(_ id: String) -> String? {
        let last = id.split(separator: "-", omittingEmptySubsequences: false).suffix(5)
        let isUUID = last.map(\.count) == [8, 4, 4, 4, 12] && last.allSatisfy { $0.allSatisfy(\.isHexDigit) }
        return isUUID ? last.first.map { String($0) } : nil
    }

    /// Returns titles for display side by side, each without the leading words that it shares with another title.
    package static func distinct(_ titles: [String]) -> [String] {
        let words = titles.map { $0.split(separator: " ") }
        return words.indices.map { index in
            let own = words[index]
            let shared = words.indices.filter { $0 != index && words[$0] != own }.map { other in
                zip(own, words[other]).prefix(while: Self.isShared).count
            }
            return own.dropFirst(min(shared.max() ?? 0, own.count - 1)).joined(separator: " ")
        }
    }

    /// Returns the leading words that all titles share, with the space after them, so that a list can leave them out. Each title keeps at
    /// least one word. Empty if the titles share no words, if all are equal, and for a single title.
    package static func sharedBeginning(of titles: [String]) -> String {
        guard let first = titles.first, titles.contains(where: { $0 != first }) else { return "" }
        let words = first.split(separator: " ", omittingEmptySubsequences: false)
        var shared = words.dropLast().prefix { isShared($0, $0) }[...]
        var beginning = shared.joined(separator: " ") + " "
        for title in titles {
            while !shared.isEmpty, !title.hasPrefix(beginning) || title.count == beginning.count {
                shared.removeLast()
                beginning = shared.joined(separator: " ") + " "
            }
            if shared.isEmpty { return "" }
        }
        return shared.isEmpty ? "" : beginning
    }

    /// Whether two words of two titles are equal and can be left out. A word with a comma at its end may belong to a place's name,
    /// so it is kept.
    private static func isShared(_ one: Substring, _ other: Substring) -> Bool { one == other && one.last != "," }

    private static func clean(_ text: String?) -> String? {
        guard let text else { return nil }
        let safe = sanitised(text, maximumLength: maximumLength)
        return safe.contains { $0 != " " } ? safe : nil
    }
}
