import FleetEngine
import Geo
import Routing

extension RouteAnswer.Leg {
    /// Returns the leg without segments of zero length. The duration of such a segment is added to the next segment, or
    /// to the last one if no segment follows.
    func leg(along line: [Coordinate], to destination: NavigationWaypoint) -> RouterLeg {
        var path = Array(line.prefix(1))
        var seconds: [Double] = []
        var rest = 0.0
        let times = list(annotation?.duration, line)
        for (index, place) in line.enumerated().dropFirst() {
            rest += times.map { max(0, $0[index - 1] ?? 0) } ?? 0
            guard place != path.last else { continue }
            path.append(place)
            seconds.append(rest)
            rest = 0
        }
        if let last = seconds.indices.last { seconds[last] += rest }
        let length = distance ?? Polyline(line).lengthMeters
        return RouterLeg(
            path: path, destination: destination, distanceMeters: distance, durationSeconds: duration,
            segmentSeconds: times == nil ? [] : scaled(seconds), freeFlowSeconds: typicalDuration, speedLimits: limits(line, length),
            steps: routeSteps(length))
    }

    private func list<Entry>(_ entries: [Entry]?, _ line: [Coordinate]) -> [Entry]? {
        entries.flatMap { $0.count == line.count - 1 ? $0 : nil }
    }

    /// Returns the segments' times, scaled to the leg's time. Only the leg's time includes the time for turns.
    private func scaled(_ seconds: [Double]) -> [Double] {
        let sum = seconds.reduce(0, +)
        guard sum > 0, sum.isFinite, duration.isFinite else { return [] }
        return seconds.map { $0 * (duration / sum) }
    }

    /// Returns the speed limits that are known. Neighbouring segments with the same limit become one stretch.
    private func limits(_ line: [Coordinate], _ length: Double) -> [SpeedLimitStretch] {
        guard let entries = list(annotation?.maxspeed, line) else { return [] }
        let meters = zip(line, line.dropFirst()).map { $0.distanceMeters(to: $1) }
        let sum = meters.reduce(0, +)
        let scale = sum > 0 ? length / sum : 0
        var stretches: [SpeedLimitStretch] = []
        var offset = 0.0
        for (entry, meters) in zip(entries, meters) where meters > 0 {
            defer { offset += meters * scale }
            guard let limit = entry?.limit else { continue }
            if let last = stretches.indices.last, stretches[last].limit == limit, stretches[last].endMeters > offset - 0.01 {
                stretches[last].lengthMeters = offset + meters * scale - stretches[last].offsetMeters
            } else {
                stretches.append(SpeedLimitStretch(offsetMeters: offset, lengthMeters: meters * scale, limit: limit))
            }
        }
        return stretches
    }

    private func routeSteps(_ length: Double) -> [RouteStep] {
        var offset = 0.0
        return (steps ?? []).map { step in
            let meters = min(max(step.distance ?? 0, 0), max(0, length - offset))
            defer { offset += meters }
            return RouteStep(
                maneuver: step.maneuver?.kind ?? .unknown, roadName: step.roadName, offsetMeters: offset, lengthMeters: meters)
        }
    }
}

extension SpeedLimitStretch {
    fileprivate var endMeters: Double { offsetMeters + lengthMeters }
}

extension RouteAnswer.MaximumSpeed {
    /// The speed limit; nil if it is unknown.
    fileprivate var limit: SpeedLimit? {
        if none == true { return .unlimited }
        guard let speed, speed > 0, speed < 1_000 else { return nil }
        return unit == "mph" ? .milesPerHour(speed) : .kilometersPerHour(speed)
    }
}

extension RouteAnswer.Step {
    fileprivate var roadName: String? {
        [name, ref].compactMap { $0.map { ForeignText.line($0, limit: 100) } }.first { !$0.isEmpty }
    }
}

extension RouteAnswer.Maneuver {
    /// The manoeuvre, from OSRM's table of types and modifiers (docs/http.md, StepManeuver object).
    fileprivate var kind: Maneuver {
        switch type {
        case "depart": .depart
        case "arrive": .arrive
        case "merge": .merge
        case "on ramp": .onRamp
        case "off ramp": .offRamp
        case "roundabout", "rotary": .enterRoundabout
        case "exit roundabout", "exit rotary": .exitRoundabout
        case "fork" where modifier?.hasSuffix("left") == true: .keepLeft
        case "fork" where modifier?.hasSuffix("right") == true: .keepRight
        default: turn
        }
    }

    private var turn: Maneuver {
        switch modifier {
        case "straight": .straight
        case "slight left": .slightLeft
        case "left": .left
        case "sharp left": .sharpLeft
        case "slight right": .slightRight
        case "right": .right
        case "sharp right": .sharpRight
        // OSRM does not say in which direction the vehicle turns.
        case "uturn": .uTurnLeft
        default: type == "new name" || type == "continue" ? .straight : .unknown
        }
    }
}
