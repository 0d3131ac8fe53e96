package import Geo
package import TerminalMap

/// A search for a place on the map.
package struct PlaceSearch: Hashable, Sendable {
    /// The maximum length of the search text, in characters.
    package static let maximumLength = 60
    /// The maximum number of listed names.
    package static let maximumCount = 50

    package var words = ""
    package var found: [NamedPlace] = []
    /// The index of the selected name.
    package var focus = 0

    package init(words: String = "") { self.words = words }

    /// The selected name; nil if the list is empty.
    package var chosen: NamedPlace? { found.indices.contains(focus) ? found[focus] : nil }
}

/// The names on the map near a place.
package struct KnownNames: Sendable {
    /// The distance from ``middle`` beyond which the loaded street names do not apply, in metres.
    private static let reachMeters = 1_500.0

    package var index: PlaceIndex
    package var middle: Coordinate
    /// Whether the names are being loaded.
    package var isLoading = true

    package init(index: PlaceIndex, middle: Coordinate, isLoading: Bool = true) {
        self.index = index
        self.middle = middle
        self.isLoading = isLoading
    }

    package func isAround(_ place: Coordinate) -> Bool { middle.distanceMeters(to: place) < Self.reachMeters }
}
