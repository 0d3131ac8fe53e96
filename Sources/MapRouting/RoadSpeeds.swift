import VectorTiles

/// Speeds of the road classes and costs of junctions: the router's only table.
///
/// The speeds apply to clear roads between junctions. They are fitted to routes of OSRM's car profile and of Dijkstra searches
/// over OpenStreetMap in San Francisco, Monaco and Liechtenstein.
struct RoadSpeeds: Sendable {
    /// Returns the speed of a class or of its ramps, in km/h.
    private static func kilometersPerHour(_ roadClass: RoadClass, isLink: Bool) -> Double {
        switch roadClass {
        case .motorway: isLink ? 50 : 97
        case .trunk: isLink ? 45 : 77
        case .primary: isLink ? 36 : 51.5
        case .secondary: isLink ? 36 : 47.5
        case .tertiary: isLink ? 30 : 43
        case .street: 30
        case .livingStreet: 12
        case .service: 14
        case .driveway: 10
        }
    }

    /// Metres per second for each class and, from index 16 on, for each class's ramps.
    private let table: [Double] = [false, true].flatMap { isLink in
        (UInt8(0)..<16).map { RoadClass(rawValue: $0).map { kilometersPerHour($0, isLink: isLink) / 3.6 } ?? 1 }
    }

    /// Returns the speed on a road, in metres per second.
    func metersPerSecond(_ roadClass: RoadClass, isLink: Bool) -> Double { table[Int(roadClass.rawValue) + (isLink ? 16 : 0)] }

    /// Assumed speed from the current arc to the destination, in metres per second. It is below the speed of the fastest roads, so that a
    /// search in a town examines fewer roads.
    static let hopefulMetersPerSecond = 50 / 3.6

    /// A search that avoids service roads leaves out those that are more than this many seconds of driving from both ends of the route.
    static let localSeconds: Float = 240
    /// Cost of turning around where the road ends, in seconds.
    static let turnRoundSeconds = 20.0
    /// Cost of starting against the car's current direction, in seconds.
    static let wrongWaySeconds = 30.0

    /// Returns the seconds lost by a turn at a junction of three or more roads.
    ///
    /// - Parameter turn: angle of the turn, from 0 (straight on) to 128 (back), in 256ths of a circle.
    static func junctionSeconds(turn: Int) -> Double { turnSeconds[min(max(turn, 0), 128)] }

    /// Returns the seconds lost by driving through a junction, in addition to the seconds for a turn. This time accounts for traffic lights
    /// and right of way, which maps do not contain.
    static func passSeconds(streets: Int) -> Double { streets >= 4 ? 2.5 : streets == 3 ? 0.3 : 0 }

    private static let turnSeconds: [Double] = (0...128).map { turn in
        // A turn of up to 25° counts as straight on, and costs nothing. A turn of about 60° costs half of the maximum, and a turn of 90° or
        // more costs all of it.
        let degrees = Double(turn) * 360 / 256
        let share = degrees <= 25 ? 0 : min(1, (degrees - 25) / 65)
        return 6 * share
    }
}
