import Geo
import TerminalMap

/// What somebody looks for on the map, as it is typed.
package struct PlaceSearch: Hashable, Sendable {
    /// Longer words are not looked for.
    static let maximumLength = 60
    /// Names that are listed.
    static let maximumCount = 50

    var words = ""
    var found: [NamedPlace] = []
    /// The name that Enter goes to.
    var focus = 0

    /// The name in focus.
    var chosen: NamedPlace? { found.indices.contains(focus) ? found[focus] : nil }
}

/// The names of the map around a place.
struct KnownNames: Sendable {
    /// Farther away than this other streets are around, metres.
    private static let reachMeters = 1_500.0

    var index = PlaceIndex()
    var middle: Coordinate
    /// They are being read.
    var isLoading = true

    func isAround(_ place: Coordinate) -> Bool { middle.distanceMeters(to: place) < Self.reachMeters }
}
