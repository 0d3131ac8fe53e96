package import FoundationEssentials
package import Geo

/// What the rider's program knew of a ride besides the answers: it stands in the header of a `.trip` file, and a reader can do without it.
package struct RecordedScene: Hashable, Sendable {
    /// When the rider's program booked the trip; nil where it was there before.
    package var bookedAt: Date?
    /// It goes through the demo's invented town.
    package var isInTown = false
    /// What places are called that no map names. Of a file at most 100, of 200 characters each; they are text from outside.
    package var placeNames: [Coordinate: String] = [:]

    package init() {}

    /// What a header says of it; what is not there, or cannot be, is left out.
    struct Members: Decodable {
        var booked: String?
        var town: Bool?
        var places: [Place]?

        struct Place: Decodable {
            /// Longitude and latitude, degrees.
            var at: [Double]
            var name: String
        }
    }

    init(_ members: Members, booked: Date?) {
        bookedAt = booked
        isInTown = members.town == true
        for place in (members.places ?? []).prefix(100) {
            guard place.at.count == 2, let longitude = place.at.first, let latitude = place.at.last else { continue }
            let coordinate = Coordinate(latitude: latitude, longitude: longitude)
            if coordinate.isValid { placeNames[coordinate] = String(place.name.prefix(200)) }
        }
    }
}
