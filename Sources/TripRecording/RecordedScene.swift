package import FoundationEssentials
package import Geo

/// The rider's own data about a ride, in the header of a `.trip` file. The server's answers do not contain this data, and a program that
/// reads the file may ignore it.
package struct RecordedScene: Hashable, Sendable {
    /// Time at which the rider's program booked the trip; nil if the program did not book it.
    package var bookedAt: Date?
    /// Whether the trip takes place in the invented town of the demo.
    package var isInTown = false
    /// Names of places that are not on any map. A name may contain any text. At most 100 names of 200 characters each are read from a file.
    package var placeNames: [Coordinate: String] = [:]

    package init() {}

    /// The members of a header that hold this data. Missing and invalid members are ignored.
    struct Members: Decodable {
        var booked: String?
        var town: Bool?
        var places: [Place]?

        struct Place: Decodable {
            /// Longitude and latitude, in degrees.
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
