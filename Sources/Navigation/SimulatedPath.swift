import Geo
import Glibc

/// The path on which a simulated vehicle drives next: from its position to the leg's end, or to the end of a detour.
struct SimulatedPath: Hashable, Sendable {
    /// Largest distance from the line of a new route at which the vehicle counts as on that route, in metres.
    private static let joinMeters = 30.0
    /// Length of the part of a new route that is searched for the vehicle's position, in metres from the route's start.
    private static let joinSearchMeters = 300.0
    /// Speed on the straight line between the old route and the new one, in metres per second.
    private static let joinSpeed = 8.0

    let line: Polyline
    let profile: SpeedProfile
    /// Whether the path ends away from the leg, at the end of a detour.
    let endsOffRoute: Bool

    /// Creates a path along a leg from its start.
    init(leg: RouteLeg, of route: NavigationRoute, _ configuration: SimulationConfiguration) {
        self.init(from: leg.startMeters, lead: [], leg: leg, of: route, configuration, initialSpeed: 0)
    }

    /// Creates a path that starts at a coordinate and follows the first leg of a new route. A straight line leads to the nearest point of
    /// the leg's first part, or to the leg's start if that point is too far away.
    init(joining route: NavigationRoute, leg: RouteLeg, from place: Coordinate, _ configuration: SimulationConfiguration, speed: Double) {
        let reach = min(leg.endMeters, leg.startMeters + Self.joinSearchMeters)
        let near = route.line.nearest(to: place, alongMeters: leg.startMeters...max(leg.startMeters, reach))
        let isOnRoute = near.map { $0.distanceMeters <= Self.joinMeters } ?? false
        let start = isOnRoute ? near?.alongMeters ?? leg.startMeters : leg.startMeters
        let gap = route.line.coordinate(atMeters: start).map { place.distanceMeters(to: $0) } ?? 0
        self.init(from: start, lead: gap > 1 ? [place] : [], leg: leg, of: route, configuration, initialSpeed: speed)
    }

    private init(
        from start: Double, lead: [Coordinate], leg: RouteLeg, of route: NavigationRoute, _ configuration: SimulationConfiguration,
        initialSpeed: Double
    ) {
        let turn = configuration.wrongTurn.flatMap { $0.offsetMeters > start && $0.offsetMeters < leg.endMeters ? $0 : nil }
        let end = turn?.offsetMeters ?? leg.endMeters
        let detour = turn.map { Self.detour($0, from: route) } ?? []
        let driven = route.line.slice(fromMeters: start, toMeters: end)
        line = Polyline(lead + driven.coordinates + detour)
        let leadSpeeds: [Double?] = lead.map { _ in Self.joinSpeed }
        let leadMeters = lead.isEmpty ? 0 : line.cumulativeMeters.dropFirst().first ?? 0
        profile = SpeedProfile(
            line: line, segmentSpeeds: leadSpeeds + route.segmentSpeeds(fromMeters: start, toMeters: end),
            slowParts: configuration.slowParts(fromMeters: start - leadMeters, toMeters: end), limits: configuration.limits,
            initialSpeed: initialSpeed)
        endsOffRoute = turn != nil
    }

    private static func detour(_ turn: SimulatedWrongTurn, from route: NavigationRoute) -> [Coordinate] {
        switch turn.detour {
        case .path(let path): return path
        case .straight(let degrees, let meters):
            guard let start = route.line.coordinate(atMeters: turn.offsetMeters), degrees.isFinite, meters.isFinite,
                let bearing = route.line.bearingDegrees(atMeters: max(0, turn.offsetMeters - 5), averagingOverMeters: 10)
            else { return [] }
            let direction = (bearing + degrees) * .pi / 180
            return [start.offset(eastMeters: meters * sin(direction), northMeters: meters * cos(direction))]
        }
    }
}
