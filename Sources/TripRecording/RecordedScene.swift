package import FoundationEssentials
package import Geo

/// The rider's own data on a ride, apart from the answers. It is in the header of a `.trip` file, and readers may ignore it.
package struct RecordedScene: Hashable, Sendable {
    /// Time at which the rider's program booked the trip; nil if the trip existed before.
    package var bookedAt: Date?
    /// Whether the trip goes through the demo's invented town.
    package var isInTown = false
    /// Names of places that are not on any map. They may hold any text. At most 100 names of 200 characters each are read from a file.
    package var placeNames: [Coordinate: String] = [:]

    package init() {}

    /// The scene's members in a header. Missing and invalid ones are ignored.
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
