import ArgumentParser
import Geo
import ProgramSurroundings

/// A place on the command line, in any form of `PlaceText`. An option that takes a place uses the parsing strategy `.unconditional` or
/// `.unconditionalSingleValue`, because a southern latitude begins with a minus sign.
struct Place: ExpressibleByArgument, CustomStringConvertible {
    let coordinate: Coordinate

    init(_ coordinate: Coordinate) { self.coordinate = coordinate }

    init?(argument: String) {
        guard let place = PlaceText(argument) else { return nil }
        coordinate = place.coordinate
    }

    var description: String { "\(coordinate.latitude),\(coordinate.longitude)" }
    var defaultValueDescription: String { description }

    /// Reads `LAT,LNG;LAT,LNG;…` with at least `minimum` places.
    static func list(_ text: String, option: String, minimum: Int) throws -> [Coordinate] {
        let parts = text.split(separator: ";", omittingEmptySubsequences: true)
        guard parts.count <= 1_000 else { throw ValidationError("\(option) takes at most 1,000 places.") }
        let places = try parts.map { part in
            guard let place = Place(argument: String(part)) else {
                throw ValidationError(
                    "'\(printable(String(part)))' in \(option) is not a place: use LAT,LNG in degrees, such as 51.5,-0.12."
                )
            }
            return place.coordinate
        }
        guard places.count >= minimum else {
            throw ValidationError("\(option) needs at least \(minimum) places, in quotation marks: 'LAT,LNG;LAT,LNG'.")
        }
        return places
    }
}
