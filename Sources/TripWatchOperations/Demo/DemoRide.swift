import BoundedJSON
import FoundationEssentials
import Geo
import ProgramSurroundings
import TileSources
import TripWatchWords

/// A ride through the invented town that is good to watch: it has a car a few streets away, a pickup, one stop and a drop-off.
struct DemoRide: Sendable, Hashable, Decodable {
    /// A place on a street.
    struct Place: Sendable, Hashable, Decodable {
        /// Name of the place; empty for a place that no rider needs to find.
        let name: String
        let coordinate: Coordinate

        private enum Keys: String, CodingKey { case name, at }

        init(from decoder: any Decoder) throws {
            let values = try decoder.container(keyedBy: Keys.self)
            let at = try values.decode([Double].self, forKey: .at)
            guard at.count == 2, Coordinate(latitude: at[1], longitude: at[0]).isValid else {
                throw DecodingError.dataCorruptedError(forKey: .at, in: values, debugDescription: "not a valid longitude and latitude")
            }
            name = try values.decodeIfPresent(String.self, forKey: .name) ?? ""
            coordinate = Coordinate(latitude: at[1], longitude: at[0])
        }
    }

    /// The position at which the car starts.
    let start: Place
    let pickup: Place
    let stop: Place
    let dropoff: Place

    /// Names of the places in the ride.
    var names: [Coordinate: String] {
        Dictionary([pickup, stop, dropoff].filter { !$0.name.isEmpty }.map { ($0.coordinate, $0.name) }) { first, _ in first }
    }

    /// Number of stops in a van's round.
    static let roundStops = 6

    /// Returns the stops, in driving order, of a van that starts at the pickup and reaches the drop-off last.
    /// - Parameter rides: the rides whose places can be the other stops. The places nearest to the drop-off are chosen.
    func round(in rides: [DemoRide]) -> [Place] {
        let others = Set(rides.flatMap { [$0.pickup, $0.stop, $0.dropoff] }).subtracting([pickup, dropoff])
        var rest = Array(Self.byDistance(others, from: dropoff).prefix(Self.roundStops - 1))
        var round: [Place] = []
        while let next = Self.byDistance(rest, from: round.last ?? pickup).first {
            round.append(next)
            rest.removeAll { $0 == next }
        }
        return round + [dropoff]
    }

    /// Sorts places by their distance from `start`, and by name where distances are equal.
    private static func byDistance(_ places: some Sequence<Place>, from start: Place) -> [Place] {
        places.map { (place: $0, meters: $0.coordinate.distanceMeters(to: start.coordinate)) }
            .sorted { ($0.meters, $0.place.name) < ($1.meters, $1.place.name) }
            .map(\.place)
    }

    private struct Metadata: Decodable { var rides: [DemoRide] }

    /// Returns the rides in a map file, the standard ride first; empty if the file has no rides.
    static func all(of map: BaseMapFile) -> [DemoRide] {
        (try? JSONDecoder().decodeBounded(Metadata.self, from: Data(map.metadata)))?.rides ?? []
    }

    /// Finds a ride by its number.
    /// - Parameter number: number of the ride, from 1. Numbers after the last ride start again at the first ride.
    /// - Throws: `Failure` for a map without rides.
    static func ride(_ number: UInt64, of map: BaseMapFile) throws(Failure) -> DemoRide {
        let rides = all(of: map)
        guard !rides.isEmpty else { throw Failure(message: "the map of the demo has no rides.", exitCode: ExitCodes.failed) }
        return rides[Int((number &- 1) % UInt64(rides.count))]
    }
}
