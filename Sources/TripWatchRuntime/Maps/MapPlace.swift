package import Geo

/// Where a map is looked at.
package enum MapPlace: Hashable, Sendable {
    /// A place and, where it is said, how near.
    case coordinate(Coordinate, zoom: Double?)
    /// What the map calls it.
    case name(String)

    /// The zooms that can be asked for.
    private static let zooms = 1.0...20.0

    /// A place in any form of `PlaceText`, `LAT,LNG,ZOOM`, or a name, which a `geo:` link may ask for as well.
    ///
    /// Nil for what looks like numbers or a link and is no place, and for nothing.
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
