import Geo
import TerminalMap

/// A search for a place on the map.
package struct PlaceSearch: Hashable, Sendable {
    /// Maximum length of the search text, characters.
    static let maximumLength = 60
    /// Maximum number of listed names.
    static let maximumCount = 50

    var words = ""
    var found: [NamedPlace] = []
    /// Index of the selected name.
    var focus = 0

    /// The selected name.
    var chosen: NamedPlace? { found.indices.contains(focus) ? found[focus] : nil }
}

/// The map's names around a place.
struct KnownNames: Sendable {
    /// Distance from which the loaded street names no longer apply, metres.
    private static let reachMeters = 1_500.0

    var index = PlaceIndex()
    var middle: Coordinate
    /// The names are being read.
    var isLoading = true

    func isAround(_ place: Coordinate) -> Bool { middle.distanceMeters(to: place) < Self.reachMeters }
}
