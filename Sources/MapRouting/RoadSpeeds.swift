import VectorTiles

/// How fast a car gets on, and what junctions cost it: the one table of the router.
///
/// The speeds are those of free roads between their junctions, set on routes of OSRM's car profile and of Dijkstra searches over
/// OpenStreetMap in San Francisco, Monaco and Liechtenstein.
struct RoadSpeeds: Sendable {
    /// km/h by class, and on its ramps.
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

    /// Metres per second by class and, from 16 on, for its ramps.
    private let table: [Double] = [false, true].flatMap { isLink in
        (UInt8(0)..<16).map { RoadClass(rawValue: $0).map { kilometersPerHour($0, isLink: isLink) / 3.6 } ?? 1 }
    }

    /// The speed on a road, metres per second.
    func metersPerSecond(_ roadClass: RoadClass, isLink: Bool) -> Double { table[Int(roadClass.rawValue) + (isLink ? 16 : 0)] }

    /// The speed at which a search counts on the way that it has not seen yet, metres per second. A little less than what is driven on the
    /// fastest roads, so that a search in a town does not look everywhere.
    static let hopefulMetersPerSecond = 50 / 3.6

    /// Farther than this from both ends a search leaves service roads out, seconds.
    static let localSeconds: Float = 240
    /// Turning round where the road ends, seconds.
    static let turnRoundSeconds = 20.0
    /// Driving off against the direction in which the car moves already, seconds.
    static let wrongWaySeconds = 30.0

    /// Seconds for passing a junction of three and more roads.
    ///
    /// - Parameter turn: how far one turns, from 0 (straight on) to 128 (back), in 256ths of a circle.
    static func junctionSeconds(turn: Int) -> Double { turnSeconds[min(max(turn, 0), 128)] }

    /// Seconds for passing a junction straight on: lights and priority are not in maps, and stand where streets cross.
    static func passSeconds(streets: Int) -> Double { streets >= 4 ? 2.5 : streets == 3 ? 0.3 : 0 }

    private static let turnSeconds: [Double] = (0...128).map { turn in
        // Nothing straight on, half of the most at 60°, nearly all from 90° on.
        let degrees = Double(turn) * 360 / 256
        let share = degrees <= 25 ? 0 : min(1, (degrees - 25) / 65)
        return 6 * share
    }
}
