package import Geo
package import ProgramSurroundings
import TerminalMap
import TripWatchSettings
import TripWatchWords
import VectorTiles

/// Finds the places of a ride by their names on the base map.
package struct PlaceLookup: Sendable {
    /// The coordinate of a place, and its name on the map. The name is nil if the user gave coordinates.
    package struct Found: Sendable {
        package var coordinate: Coordinate
        package var name: String?
    }

    /// The pickup, the drop-off and the stops between them.
    package struct Ride: Sendable {
        package var pickup: Found
        package var dropoff: Found
        package var stops: [Found]
    }

    /// The names on the map, and the centre of the search.
    private struct Names {
        var index: PlaceIndex
        var middle: Coordinate
        /// Whether the names come only from cached tiles of a network map.
        var isKept: Bool
    }

    /// The maximum number of places with the same name that an error lists.
    private static let mostListed = 10

    package var map: BaseMapSettings
    /// The centre of the search; nil to use the first place that the user gave as coordinates, or else the middle of the map.
    package var near: Coordinate?

    package init(map: BaseMapSettings, near: Coordinate?) {
        self.map = map
        self.near = near
    }

    /// Finds the places of a ride.
    /// - Throws: `Failure` with exit code 1 for a name that is not on the map, and with exit code 64 for an ambiguous name or a missing
    ///   map.
    package func ride(
        from: MapPlace, to: MapPlace, via: [MapPlace], in surroundings: Surroundings
    ) async throws(Failure) -> Ride {
        let names = try await names(for: [from, to] + via, in: surroundings)
        return Ride(
            pickup: try Self.find("--from", from, among: names), dropoff: try Self.find("--to", to, among: names),
            stops: try via.map { place throws(Failure) in try Self.find("--via", place, among: names) })
    }

    /// Reads the names on the map. Returns nil if all places have coordinates, or if there is no map.
    private func names(for places: [MapPlace], in surroundings: Surroundings) async throws(Failure) -> Names? {
        let given = places.compactMap(\.coordinate)
        guard given.count < places.count else { return nil }
        let supply = try map.open(standard: .none, in: surroundings)
        guard let tiles = supply.tiles else { return nil }
        let center = supply.details?.center ?? supply.details?.bounds?.center
        let middle = near ?? given.first ?? center ?? Coordinate(latitude: 0, longitude: 0)
        return Names(index: await PlaceIndex.load(from: tiles, near: middle), middle: middle, isKept: supply.host != nil)
    }

    private static func find(_ option: String, _ place: MapPlace, among names: Names?) throws(Failure) -> Found {
        switch place {
        case .coordinate(let coordinate, _): return Found(coordinate: coordinate, name: nil)
        case .name(let name):
            guard let names else {
                throw Failure(
                    message: "\(option): '\(printable(name))' is not LAT,LNG, and no base map with names is set. Set --basemap.",
                    exitCode: ExitCodes.usage)
            }
            return try choose(option, name, among: names)
        }
    }

    private static func choose(_ option: String, _ name: String, among names: Names) throws(Failure) -> Found {
        let places = names.index.best(name, near: names.middle)
        guard let first = places.first else {
            let called = "is called '\(printable(name))'"
            let words =
                names.isKept
                ? "no place in the cached map tiles \(called), and names are looked up only there"
                : "no place near \(names.middle.typed) on the base map \(called)"
            throw Failure(message: "\(option): \(words). Check the spelling, or give LAT,LNG.", exitCode: ExitCodes.failed)
        }
        guard places.count > 1 else { return Found(coordinate: first.coordinate, name: first.name) }
        // The line "and N more" is used only if N is at least 2.
        let listed = places.count == mostListed + 1 ? places.count : mostListed
        let lines = places.prefix(listed).map { "\n  \($0.coordinate.typed)  \(printable($0.name))" }
        let rest = places.count > lines.count ? "\n  and \(places.count - lines.count) more: give LAT,LNG or a longer name" : ""
        throw Failure(
            message: "\(option): \(places.count) places match '\(printable(name))'. Give one as LAT,LNG:\(lines.joined())\(rest)",
            exitCode: ExitCodes.usage)
    }
}

extension Coordinate {
    /// The coordinate as a user types it.
    var typed: String { "\(latitude.fixed(decimals: 5)),\(longitude.fixed(decimals: 5))" }
}

extension MapPlace {
    /// The coordinate; nil for a place that was given by its name.
    fileprivate var coordinate: Coordinate? { if case .coordinate(let coordinate, _) = self { coordinate } else { nil } }
}
