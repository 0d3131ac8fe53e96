package import Geo
package import Navigation

extension Configuration {
    /// The user's position, or the GPS receiver that reports it.
    package enum Here: Hashable, Sendable {
        case place(Coordinate)
        /// The position that a gpsd daemon reports.
        case receiver(GPSDAddress)

        /// Description of the allowed forms of a position, for messages.
        package static let forms = "LAT,LNG in degrees (such as \"51.5,-0.12\"), a geo: link, or gpsd or gpsd:HOST:PORT for a GPS receiver"

        /// Parses `gpsd`, `gpsd:HOST:PORT`, or a place in any form that `PlaceText` accepts.
        package init?(_ text: String) {
            if text == "gpsd" {
                self = .receiver(.standard)
            } else if text.hasPrefix("gpsd:") {
                guard let address = GPSDAddress(String(text.dropFirst(5))) else { return nil }
                self = .receiver(address)
            } else {
                guard let place = PlaceText(text) else { return nil }
                self = .place(place.coordinate)
            }
        }
    }
}
