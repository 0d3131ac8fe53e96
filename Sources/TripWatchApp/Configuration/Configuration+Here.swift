package import Geo
package import Navigation

extension Configuration {
    /// The user's own place, and who knows it.
    package enum Here: Hashable, Sendable {
        case place(Coordinate)
        /// What a gpsd says.
        case receiver(GPSDAddress)

        /// What a place may be.
        package static let forms = "LAT,LNG in degrees, such as \"51.5,-0.12\", a geo: link, or gpsd or gpsd:HOST:PORT for a receiver"

        /// Reads `LAT,LNG`, `geo:LAT,LNG`, `gpsd` or `gpsd:HOST:PORT`.
        package init?(_ text: String) {
            if text == "gpsd" {
                self = .receiver(.standard)
            } else if text.hasPrefix("gpsd:") {
                guard let address = GPSDAddress(String(text.dropFirst(5))) else { return nil }
                self = .receiver(address)
            } else if let link = GeoLink(text) {
                self = .place(link.coordinate)
            } else {
                let parts = text.split(separator: ",", omittingEmptySubsequences: false).map { part in part.filter { $0 != " " } }
                guard parts.count == 2, let latitude = Double(parts[0]), let longitude = Double(parts[1]) else { return nil }
                let coordinate = Coordinate(latitude: latitude, longitude: longitude)
                guard coordinate.isValid else { return nil }
                self = .place(coordinate)
            }
        }
    }
}
