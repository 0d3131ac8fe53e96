import Geo
import Routing

extension NavigationRoute {
    /// Returns the speeds of the segments between two points on the line, in metres per second. The entries match the segments that
    /// `line.slice` returns for the same range.
    func segmentSpeeds(fromMeters start: Double, toMeters end: Double) -> [Double?] {
        guard line.coordinates.count > 1, end > start else { return [] }
        let first = segmentIndex(atMeters: start)
        let metres = line.cumulativeMeters
        let speeds = segmentSpeeds
        return (first..<speeds.count).prefix { metres[$0] < end }.map { speeds[$0] }
    }

    /// Returns the route as a simulated vehicle drives it. The line and the legs stay the same, the times are those of the simulated drive,
    /// and the jams are added to the route's traffic.
    public func timed(for configuration: SimulationConfiguration) -> NavigationRoute {
        var marks: [Timetable.Mark] = []
        var timedLegs: [RouteLeg] = []
        var start = 0.0
        for leg in legs {
            let profile = profile(from: leg.startMeters, to: leg.endMeters, configuration, initialSpeed: 0)
            marks += profile.timetable.map { mark in
                Timetable.Mark(meters: leg.startMeters + mark.meters, seconds: start + mark.seconds / configuration.multiplier)
            }
            let end = start + profile.durationSeconds / configuration.multiplier
            timedLegs.append(
                RouteLeg(
                    destination: leg.destination, startMeters: leg.startMeters, endMeters: leg.endMeters,
                    distanceMeters: leg.distanceMeters, startSeconds: start, endSeconds: end,
                    freeFlowSeconds: freeFlowSeconds(of: leg, configuration), steps: leg.steps))
            start = end
        }
        return NavigationRoute(
            line: line, times: Timetable(marks), legs: timedLegs, segmentSpeeds: segmentSpeeds, speedLimits: speedLimits,
            traffic: traffic + configuration.jams.map(\.stretch))
    }

    /// Returns the seconds that the leg takes without the jams; nil if traffic is unknown.
    private func freeFlowSeconds(of leg: RouteLeg, _ configuration: SimulationConfiguration) -> Double? {
        guard leg.freeFlowSeconds != nil || !configuration.jams.isEmpty else { return nil }
        var free = configuration
        free.jams = []
        let profile = profile(from: leg.startMeters, to: leg.endMeters, free, initialSpeed: 0)
        return profile.durationSeconds / configuration.multiplier
    }

    func profile(
        from start: Double, to end: Double, _ configuration: SimulationConfiguration, initialSpeed: Double
    ) -> SpeedProfile {
        SpeedProfile(
            line: line.slice(fromMeters: start, toMeters: end), segmentSpeeds: segmentSpeeds(fromMeters: start, toMeters: end),
            slowParts: configuration.slowParts(fromMeters: start, toMeters: end), limits: configuration.limits, initialSpeed: initialSpeed)
    }

    var firstLeg: RouteLeg {
        legs.first
            ?? RouteLeg(
                destination: NavigationWaypoint(coordinate: line.coordinates.last ?? Coordinate(latitude: 0, longitude: 0)), startMeters: 0,
                endMeters: line.lengthMeters, distanceMeters: line.lengthMeters, startSeconds: 0, endSeconds: durationSeconds,
                freeFlowSeconds: nil, steps: [])
    }
}
