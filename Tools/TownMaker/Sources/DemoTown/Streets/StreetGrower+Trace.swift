import Geo

extension StreetGrower {
    /// The result when a growing street meets a road.
    private enum Meeting {
        case end, cross, refuse
    }

    /// Returns the course of a street from a seed; nil if no course fits. The course begins on a road. It also ends on a road, unless the
    /// street is a dead end.
    mutating func trace(_ seed: Seed, kind: Kind, length: Double) -> Traced? {
        var course = Course(start: seed.point, heading: field.direction(at: seed.point + seed.heading * 10, near: seed.heading))
        guard course.heading.dot(seed.heading) > 0.8 else { return nil }
        while course.length < kind.lengths.upperBound {
            guard let next = step(from: course, kind: kind, seed: seed) else { break }
            if let hit = network.firstHit(from: course.point, to: next), hit.point.distance(to: seed.point) > 6 {
                let meeting = meet(hit, heading: course.heading, kind: kind, isLong: course.length > length)
                if meeting == .refuse { break }
                course.append(hit.point)
                course.markRoad()
                if meeting == .end { break }
            }
            course.append(next)
            course.steps += 1
        }
        return finished(course, kind: kind)
    }

    /// Returns the next point of a course; nil if the street must stop.
    private mutating func step(from course: Course, kind: Kind, seed: Seed) -> Vector2? {
        // The heading is read from the field at the middle of the step. For the first step, `trace` has already read it.
        let heading =
            course.steps == 0
            ? course.heading : field.direction(at: course.point + course.heading * (Self.stepMeters / 2), near: course.heading)
        guard heading.dot(course.heading) > 0.86, course.turned < 2.6 else { return nil }
        let next = course.point + heading * Self.stepMeters
        let square = square(at: next)
        let box = kind.isRural ? plan.frame.box.padded(by: -80) : plan.frame.box
        guard box.contains(next), square.zone != .open || kind.isRural else { return nil }
        guard !isBlocked(next, square, within: kind.isRural ? 45 : 17) else { return nil }
        // A road beside the street comes closer only slowly, so not every step is checked.
        guard course.steps.isMultiple(of: kind.isRural ? 6 : 3) else { return next }
        let spacing = kind.spacing ?? zones.spacing(square.zone, family: seed.family, at: next)
        let isNearStart = course.length < spacing * 0.5
        let radius = spacing * kind.tightness
        guard !network.isCrowded(at: next, direction: heading, radius: radius, except: isNearStart ? seed.road : -1, sine: 0.55) else {
            return nil
        }
        return next
    }

    private mutating func meet(_ hit: StreetNetwork.Hit, heading: Vector2, kind: Kind, isLong: Bool) -> Meeting {
        let segment = network.segments[hit.segment]
        let way = (network.positions[segment.end] - network.positions[segment.start]).normalized
        guard abs(way.cross(heading)) > 0.62, !segment.isBridge else { return .refuse }
        let road = network.roads[segment.road]
        if road.role == .ringRoad {
            guard kind.role == .collector || kind.role == .lane, ringIsFree(near: hit.point) else { return .refuse }
            return kind.role == .lane ? .end : .cross
        }
        if isLong { return .end }
        let share: Double
        switch road.roadClass {
        case .ringRoad, .primary: share = 0.45
        case .secondary: share = 0.55
        case .tertiary: share = 0.75
        case .residential, .service: share = zone(at: hit.point) == .oldTown ? 0.62 : 0.86
        }
        return random.chance(kind.role == .collector ? 0.9 : share) ? .cross : .end
    }

    /// Whether no junction of the ring road is within 260 m of a point.
    private func ringIsFree(near point: Vector2) -> Bool {
        var isFree = true
        let reach = Vector2(x: 260, y: 260)
        network.index.forEach(from: point - reach, to: point + reach) { index in
            let segment = network.segments[index]
            guard network.roads[segment.road].role == .ringRoad else { return true }
            if network.degree(of: segment.start) > 2, network.positions[segment.start].distance(to: point) < 260 { isFree = false }
            return isFree
        }
        return isFree
    }

    /// Returns the finished course; nil if it is too short. A rural lane ends at the last road that it meets. Other streets may
    /// be dead ends.
    private func finished(_ course: Course, kind: Kind) -> Traced? {
        guard course.length >= kind.lengths.lowerBound else { return nil }
        let traced = kind.isRural ? course.tracedToLastRoad : course.traced
        return traced.points.count > 1 && Line.length(traced.points) >= kind.lengths.lowerBound ? traced : nil
    }
}

/// The finished course of a street.
struct Traced {
    var points: [Vector2]
    /// Whether each step is known to meet no other road; one value for each step.
    var isFree: [Bool]
}

/// A street under construction.
private struct Course {
    private let start: Vector2
    private var rest: [Vector2] = []
    private var isOnRoad: [Bool] = []
    private(set) var point: Vector2
    private(set) var heading: Vector2
    private(set) var length = 0.0
    /// The sum of the absolute sines of all turns, so that left and right turns do not cancel out.
    private(set) var turned = 0.0
    private var lastRoadCount = 0
    var steps = 0

    init(start: Vector2, heading: Vector2) {
        (self.start, point, self.heading) = (start, start, heading)
    }

    mutating func append(_ next: Vector2) {
        let step = next - point
        let distance = step.length
        guard distance > 0.5 else { return }
        let direction = step * (1 / distance)
        turned += abs(heading.cross(direction))
        heading = direction
        length += distance
        point = next
        if rest.isEmpty {
            rest.reserveCapacity(24)
            isOnRoad.reserveCapacity(24)
        }
        rest.append(next)
        isOnRoad.append(false)
    }

    /// Notes that the last point lies on a road.
    mutating func markRoad() {
        lastRoadCount = rest.count
        if !isOnRoad.isEmpty { isOnRoad[isOnRoad.count - 1] = true }
    }

    var traced: Traced { traced(rest.count) }
    var tracedToLastRoad: Traced { traced(lastRoadCount) }

    private func traced(_ count: Int) -> Traced {
        let isFree = (0..<count).map { step in
            step > 0 && step < count - 1 && !isOnRoad[step - 1] && !isOnRoad[step] && (step < 2 || !isOnRoad[step - 2])
        }
        return Traced(points: [start] + rest.prefix(count), isFree: isFree)
    }
}
