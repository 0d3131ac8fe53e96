package import Geo

/// Where a map is looked at.
package enum MapPlace: Hashable, Sendable {
    /// A place and, where it is said, how near.
    case coordinate(Coordinate, zoom: Double?)
    /// What the map calls it.
    case name(String)

    /// The zooms that can be asked for.
    private static let zooms = 1.0...20.0

    /// `LAT,LNG`, `LAT,LNG,ZOOM`, `geo:LAT,LNG` (RFC 5870, with Android's `?z=ZOOM`), or a name.
    ///
    /// Nil for what looks like one of the first three and is none of them, and for nothing.
    package init?(_ text: String) {
        let text = text.drop { $0 == " " }
        if text.lowercased().hasPrefix("geo:") {
            guard let link = GeoLink(text) else { return nil }
            self = .coordinate(link.coordinate, zoom: link.zoom.flatMap { Self.zooms.contains($0) ? $0 : nil })
        } else if text.allSatisfy({ $0.isASCII && ($0.isNumber || ",.+-eE ".contains($0)) }), text.contains(where: \.isNumber) {
            let numbers = text.split(separator: ",", omittingEmptySubsequences: false).map { Double($0) }
            guard numbers.count == 2 || numbers.count == 3, let place = Self.coordinate(numbers[0], numbers[1]) else { return nil }
            guard numbers.count == 3 else {
                self = .coordinate(place, zoom: nil)
                return
            }
            guard let zoom = numbers[2], Self.zooms.contains(zoom) else { return nil }
            self = .coordinate(place, zoom: zoom)
        } else {
            guard text.contains(where: { !$0.isWhitespace }) else { return nil }
            self = .name(String(text))
        }
    }

    private static func coordinate(_ latitude: Double?, _ longitude: Double?) -> Coordinate? {
        guard let latitude, let longitude else { return nil }
        let place = Coordinate(latitude: latitude, longitude: longitude)
        return place.isValid ? place : nil
    }
}
