package import Geo

/// The place to show on a map.
package enum MapPlace: Hashable, Sendable {
    /// Coordinates and an optional zoom.
    case coordinate(Coordinate, zoom: Double?)
    /// The name of a place on the map.
    case name(String)

    /// The allowed zoom levels.
    private static let zooms = 1.0...20.0

    /// Reads a name or coordinates. Coordinates have any form of `PlaceText`, or the form `LAT,LNG,ZOOM`. A name may be in a `geo:`
    /// link.
    ///
    /// Returns nil for an empty text, and for invalid numbers or links.
    package init?(_ text: String) {
        if let place = PlaceText(text) {
            self = .coordinate(place.coordinate, zoom: place.zoom.flatMap { Self.zooms.contains($0) ? $0 : nil })
        } else if text.drop(while: \.isWhitespace).lowercased().hasPrefix("geo:") {
            guard let name = GeoLink.name(in: text) else { return nil }
            self = .name(name)
        } else if text.allSatisfy({ $0.isASCII && ($0.isNumber || ",.+-eE ".contains($0)) }), text.contains(where: \.isNumber) {
            let parts = text.split(separator: ",", omittingEmptySubsequences: false)
            guard parts.count == 3, let place = PlaceText(parts.prefix(2).joined(separator: ",")),
                let zoom = Double(parts[2].filter { $0 != " " }), Self.zooms.contains(zoom)
            else { return nil }
            self = .coordinate(place.coordinate, zoom: zoom)
        } else {
            guard text.contains(where: { !$0.isWhitespace }) else { return nil }
            self = .name(String(text.drop { $0 == " " }))
        }
    }
}
