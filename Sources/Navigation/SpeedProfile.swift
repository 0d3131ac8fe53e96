import Geo

/// The speed of a vehicle along a line. The vehicle drives as fast as each part of the line allows, slows down for turns and for the end,
/// and stays within its limits for acceleration and braking.
///
/// The whole drive is computed at once, as phases of constant acceleration. The vehicle's position at a given time therefore
/// does not depend on how often the position is computed.
struct SpeedProfile: Hashable, Sendable {
    /// The limits of the vehicle's speed and acceleration.
    struct Limits: Hashable, Sendable {
        /// Speed in turns of 90° or more, in metres per second.
        var turnSpeed: Double
        /// Speed on straight stretches, in metres per second.
        var straightSpeed: Double
        /// Largest acceleration, metres per second squared.
        var acceleration: Double
        var braking: Double
    }

    /// A part of the line on which the speed is limited. Its start and end are in metres along the line, its speed in metres per second.
    struct SlowPart: Hashable, Sendable {
        var startMeters: Double
        var endMeters: Double
        var speed: Double
    }

    private struct Phase: Hashable, Sendable {
        var startSeconds: Double
        var startMeters: Double
        var speed: Double
        var acceleration: Double
    }

    /// Length of the stretches before and after a turn, in metres. The line's direction is measured over each stretch, because routers draw
    /// a bend as many small angles.
    private static let turnLengthMeters = 12.0
    /// Lowest speed that a part of the line can have, in metres per second.
    static let leastSpeed = 0.5

    private var phases: [Phase] = []
    private(set) var durationSeconds = 0.0
    let lengthMeters: Double

    /// - Parameters:
    ///   - segmentSpeeds: the highest speed on each segment of `line`. For nil and for missing entries it is `limits.straightSpeed`.
    ///   - initialSpeed: speed at the start of the line. It is lowered if it is too high for the line there, or if the vehicle could not
    ///     brake in time.
    init(line: Polyline, segmentSpeeds: [Double?], slowParts: [SlowPart], limits: Limits, initialSpeed: Double) {
        lengthMeters = line.lengthMeters
        let nodes = Self.nodes(line, slowParts)
        guard nodes.count > 1 else { return }
        let caps = Self.caps(nodes, line, segmentSpeeds, slowParts, limits)
        let speeds = Self.nodeSpeeds(nodes, caps, Self.turnLimits(nodes, line, limits), limits, initialSpeed)
        for index in caps.indices {
            append(
                from: nodes[index], length: nodes[index + 1] - nodes[index], speeds: (speeds[index], speeds[index + 1]), cap: caps[index],
                limits)
        }
    }

    /// Returns the distance along the line and the speed of the vehicle `seconds` after the start.
    func position(atSeconds seconds: Double) -> (meters: Double, speed: Double) {
        guard seconds < durationSeconds, let phase = lastPhase(where: { $0.startSeconds <= max(0, seconds) }) else {
            return (lengthMeters, 0)
        }
        let elapsed = max(0, seconds) - phase.startSeconds
        let meters = phase.startMeters + elapsed * (phase.speed + phase.acceleration * elapsed / 2)
        return (min(lengthMeters, max(0, meters)), max(0, phase.speed + phase.acceleration * elapsed))
    }

    /// Returns the seconds after which the vehicle reaches a point on the line.
    func seconds(atMeters meters: Double) -> Double {
        guard meters < lengthMeters, let phase = lastPhase(where: { $0.startMeters <= max(0, meters) }) else { return durationSeconds }
        let way = max(0, meters) - phase.startMeters
        guard abs(phase.acceleration) > 0 else { return phase.startSeconds + (phase.speed > 0 ? way / phase.speed : 0) }
        let root = max(0, phase.speed * phase.speed + 2 * phase.acceleration * way).squareRoot()
        return min(durationSeconds, phase.startSeconds + max(0, (root - phase.speed) / phase.acceleration))
    }

    /// The marks for a timetable: one at the start of each phase, and one at the end of the line. Each mark has a time and a distance. A
    /// phase in which the speed changes has three more marks inside.
    var timetable: [Timetable.Mark] {
        let ends = phases.dropFirst().map { ($0.startSeconds, $0.startMeters) } + [(durationSeconds, lengthMeters)]
        let marks = zip(phases, ends).flatMap { phase, end -> [Timetable.Mark] in
            let parts = phase.acceleration == 0 ? 1 : 4
            return (0..<parts).map { part in
                let elapsed = (end.0 - phase.startSeconds) * Double(part) / Double(parts)
                let meters = phase.startMeters + elapsed * (phase.speed + phase.acceleration * elapsed / 2)
                return Timetable.Mark(meters: min(lengthMeters, max(0, meters)), seconds: phase.startSeconds + elapsed)
            }
        }
        return (marks.isEmpty ? [Timetable.Mark(meters: 0, seconds: 0)] : marks) + [
            Timetable.Mark(meters: lengthMeters, seconds: durationSeconds)
        ]
    }

    private func lastPhase(where isBefore: (Phase) -> Bool) -> Phase? {
        var low = 0
        var high = phases.count
        while low < high {
            let middle = low + (high - low) / 2
            if isBefore(phases[middle]) { low = middle + 1 } else { high = middle }
        }
        return phases.indices.contains(low - 1) ? phases[low - 1] : phases.first
    }
}

// MARK: - Computation

extension SpeedProfile {
    /// Returns the distances along the line at which the highest speed may change: the line's coordinates and the ends of slow parts.
    private static func nodes(_ line: Polyline, _ slowParts: [SlowPart]) -> [Double] {
        let ends = slowParts.flatMap { [$0.startMeters, $0.endMeters] }.filter { $0 > 0 && $0 < line.lengthMeters }
        var nodes: [Double] = []
        for meters in (line.cumulativeMeters + ends).sorted() where meters > (nodes.last ?? -1) + 1e-3 { nodes.append(meters) }
        if let last = nodes.last, nodes.count > 1, last < line.lengthMeters { nodes[nodes.count - 1] = line.lengthMeters }
        return nodes
    }

    /// Returns the highest speed between each node and the next.
    private static func caps(
        _ nodes: [Double], _ line: Polyline, _ segmentSpeeds: [Double?], _ slowParts: [SlowPart], _ limits: Limits
    ) -> [Double] {
        var segment = 0
        return zip(nodes, nodes.dropFirst()).map { start, end in
            let middle = (start + end) / 2
            while segment + 2 < line.cumulativeMeters.count, line.cumulativeMeters[segment + 1] <= middle { segment += 1 }
            var cap = (segmentSpeeds.indices.contains(segment) ? segmentSpeeds[segment] : nil) ?? limits.straightSpeed
            for part in slowParts where part.startMeters <= middle && middle <= part.endMeters { cap = min(cap, part.speed) }
            return max(leastSpeed, cap.isFinite ? cap : leastSpeed)
        }
    }

    /// Returns the highest speed in the turn at each node. It falls linearly from `straightSpeed` for no turn to `turnSpeed` for 90° or
    /// more.
    private static func turnLimits(_ nodes: [Double], _ line: Polyline, _ limits: Limits) -> [Double] {
        nodes.map { node in
            guard node > 0, node < line.lengthMeters,
                let before = line.bearingDegrees(atMeters: node - turnLengthMeters / 2, averagingOverMeters: turnLengthMeters),
                let after = line.bearingDegrees(atMeters: node + turnLengthMeters / 2, averagingOverMeters: turnLengthMeters)
            else { return .infinity }
            let turn = abs(Coordinate.wrappedLongitude(after - before))
            return limits.straightSpeed - (limits.straightSpeed - limits.turnSpeed) * min(1, turn / 90)
        }
    }

    /// Returns the speed at each node. The turn and the parts on both sides set its upper limit. The speed is lower than that if the
    /// vehicle could not accelerate or brake enough, and 0 at the last node.
    private static func nodeSpeeds(
        _ nodes: [Double], _ caps: [Double], _ turns: [Double], _ limits: Limits, _ initialSpeed: Double
    ) -> [Double] {
        var speeds = nodes.indices.map { index in
            min(turns[index], index > 0 ? caps[index - 1] : .infinity, index < caps.count ? caps[index] : .infinity)
        }
        speeds[0] = min(speeds[0], max(0, initialSpeed))
        speeds[speeds.count - 1] = 0
        for index in caps.indices.reversed() {
            let way = nodes[index + 1] - nodes[index]
            speeds[index] = min(speeds[index], (speeds[index + 1] * speeds[index + 1] + 2 * limits.braking * way).squareRoot())
        }
        for index in caps.indices {
            let way = nodes[index + 1] - nodes[index]
            speeds[index + 1] = min(speeds[index + 1], (speeds[index] * speeds[index] + 2 * limits.acceleration * way).squareRoot())
        }
        return speeds
    }

    /// Appends up to three phases: speeding up, driving at the highest speed, and braking. The distance decides which of them fit.
    private mutating func append(
        from start: Double, length: Double, speeds: (start: Double, end: Double), cap: Double, _ limits: Limits
    ) {
        let (up, down) = (limits.acceleration, limits.braking)
        let free = (2 * up * down * length + down * speeds.start * speeds.start + up * speeds.end * speeds.end) / (up + down)
        let top = max(speeds.start, speeds.end, min(cap, free.squareRoot()))
        let speedUp = (top * top - speeds.start * speeds.start) / (2 * up)
        let slowDown = (top * top - speeds.end * speeds.end) / (2 * down)
        let cruise = max(0, length - speedUp - slowDown)
        var now = durationSeconds
        if top > speeds.start {
            phases.append(Phase(startSeconds: now, startMeters: start, speed: speeds.start, acceleration: up))
            now += (top - speeds.start) / up
        }
        if cruise > 0 {
            phases.append(Phase(startSeconds: now, startMeters: start + speedUp, speed: top, acceleration: 0))
            now += cruise / top
        }
        if top > speeds.end {
            phases.append(Phase(startSeconds: now, startMeters: start + speedUp + cruise, speed: top, acceleration: -down))
            now += (top - speeds.end) / down
        }
        durationSeconds = now
    }
}
