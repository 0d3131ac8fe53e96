import Geo
import Glibc

/// Finds the point on a route's line at which the vehicle most likely was when a fix was made.
///
/// The best point has the least cost, in metres: the distance from the fix plus penalties. A point has a penalty if the line deviates from
/// the vehicle's course, if the point is behind the vehicle's last point, or if it is farther ahead than the vehicle can have driven. Of
/// points with equal costs, the one nearest to the line's start is taken.
struct RouteMatcher {
    /// The fix's course and accuracy.
    struct Evidence {
        /// Direction of movement, in degrees; nil if unknown or not reliable.
        var courseDegrees: Double?
        /// 68 % confidence radius, in metres; 0 if unknown.
        var accuracyMeters: Double
    }

    /// The vehicle's last point on the line, and the estimated distance that it has driven since.
    struct Expectation {
        var alongMeters: Double
        var travelledMeters: Double
    }

    struct Match: Hashable {
        var alongMeters: Double
        var distanceMeters: Double
        var coordinate: Coordinate
        /// Cosine of the angle between the vehicle's course and the line, -1...1; nil without a course.
        var courseAgreement: Double?
        var cost: Double
    }

    /// Extra cost of a line that runs exactly against the course, in metres. Twice the fix's accuracy is used instead if that is more. At a
    /// right angle, half of the cost applies.
    static let courseWeightMeters = 40.0
    /// Extra cost, in metres, for each metre by which a point is behind the vehicle's last point.
    static let backWeight = 0.5
    /// Extra cost, in metres, for each metre by which a point is beyond the farthest one that the vehicle can have reached.
    static let aheadWeight = 0.2

    let line: Polyline

    /// Returns the point with the least cost. `window` is the range of the line to search, in metres.
    func best(
        for place: Coordinate, _ evidence: Evidence, within window: ClosedRange<Double>, expecting expectation: Expectation? = nil
    ) -> Match? {
        scan(place, evidence, within: window, expecting: expectation) { candidate, best in candidate < best - 1e-6 }
    }

    /// Returns a point for the first fix on a leg. If several places along the leg fit almost equally well, the earliest is used, because a
    /// leg that is a loop ends where it starts.
    func first(for place: Coordinate, _ evidence: Evidence, within window: ClosedRange<Double>) -> Match? {
        guard let best = best(for: place, evidence, within: window) else { return nil }
        let slack = max(15, evidence.accuracyMeters)
        var found = false
        let early = scan(place, evidence, within: window, expecting: nil) { candidate, _ in
            guard !found, candidate <= best.cost + slack else { return false }
            found = true
            return true
        }
        guard let early, early.alongMeters + 3 * slack < best.alongMeters else { return best }
        let end = min(window.upperBound, early.alongMeters + 3 * slack)
        return self.best(for: place, evidence, within: early.alongMeters...max(early.alongMeters, end)) ?? best
    }

    /// The values that a search uses for every segment.
    private struct Query {
        var window: ClosedRange<Double>
        var expectation: Expectation?
        var heading: (east: Double, north: Double)?
        var accuracyMeters: Double
    }

    /// The point of one segment that is nearest to the fix.
    private struct Foot {
        var index: Int
        var fraction: Double
        var alongMeters: Double
        var distanceMeters: Double
        var agreement: Double?
        var cost: Double
    }

    private typealias Offset = (east: Double, north: Double)

    /// Goes through the window's segments once. `takes` decides whether a point replaces the best point so far, from the costs of both.
    private func scan(
        _ place: Coordinate, _ evidence: Evidence, within window: ClosedRange<Double>, expecting expectation: Expectation?,
        takes: (_ cost: Double, _ best: Double) -> Bool
    ) -> Match? {
        let coordinates = line.coordinates
        guard coordinates.count > 1 else { return matchPoint(place) }
        let frame = LocalFrame(latitude: place.latitude)
        let heading = evidence.courseDegrees.map { (east: sin($0 * .pi / 180), north: cos($0 * .pi / 180)) }
        let query = Query(window: window, expectation: expectation, heading: heading, accuracyMeters: evidence.accuracyMeters)
        var best: Foot?
        var index = firstSegment(atMeters: window.lowerBound)
        var start = frame.offsetMeters(from: place, to: coordinates[index])
        while index + 1 < coordinates.count, line.cumulativeMeters[index] <= window.upperBound {
            let end = frame.offsetMeters(from: place, to: coordinates[index + 1])
            if let foot = foot(on: index, from: start, to: end, query), takes(foot.cost, best?.cost ?? .infinity) { best = foot }
            start = end
            index += 1
        }
        return best.map(match) ?? matchPoint(place)
    }

    /// - Parameter start, end: the segment's ends, relative to the fix.
    private func foot(on index: Int, from start: Offset, to end: Offset, _ query: Query) -> Foot? {
        let from = line.cumulativeMeters[index]
        let length = line.cumulativeMeters[index + 1] - from
        let run = (east: end.east - start.east, north: end.north - start.north)
        let squared = run.east * run.east + run.north * run.north
        guard squared > 0, length > 0 else { return nil }
        let low = (query.window.lowerBound - from) / length
        let high = (query.window.upperBound - from) / length
        let nearest = -(start.east * run.east + start.north * run.north) / squared
        let fraction = min(1, max(0, min(high, max(low, nearest))))
        let along = from + length * fraction
        let away = (east: start.east + fraction * run.east, north: start.north + fraction * run.north)
        let distance = (away.east * away.east + away.north * away.north).squareRoot()
        let agreement = query.heading.map { ($0.east * run.east + $0.north * run.north) / squared.squareRoot() }
        let weight = max(Self.courseWeightMeters, 2 * query.accuracyMeters)
        let against = agreement.map { weight * (1 - $0) / 2 } ?? 0
        return Foot(
            index: index, fraction: fraction, alongMeters: along, distanceMeters: distance, agreement: agreement,
            cost: distance + against + Self.penalty(along, query.expectation, accuracyMeters: query.accuracyMeters))
    }

    private func match(_ foot: Foot) -> Match {
        let place = line.coordinates[foot.index].interpolated(to: line.coordinates[foot.index + 1], fraction: foot.fraction)
        return Match(
            alongMeters: foot.alongMeters, distanceMeters: foot.distanceMeters, coordinate: place, courseAgreement: foot.agreement,
            cost: foot.cost)
    }

    private static func penalty(_ along: Double, _ expectation: Expectation?, accuracyMeters: Double) -> Double {
        guard let expectation else { return 0 }
        let ahead = along - expectation.alongMeters
        if ahead < 0 { return -ahead * backWeight }
        return max(0, ahead - max(30, 1.5 * expectation.travelledMeters + accuracyMeters)) * aheadWeight
    }

    /// Matches a fix to a line of length 0, which is a single point.
    private func matchPoint(_ place: Coordinate) -> Match? {
        guard line.lengthMeters == 0, let only = line.coordinates.first else { return nil }
        let distance = place.distanceMeters(to: only)
        return Match(alongMeters: 0, distanceMeters: distance, coordinate: only, courseAgreement: nil, cost: distance)
    }

    /// Returns the index of the first segment that contains the point at `meters`. A point beyond an end of the line counts as that
    /// end.
    private func firstSegment(atMeters meters: Double) -> Int {
        let metres = line.cumulativeMeters
        var low = 0
        var high = metres.count
        while low < high {
            let middle = low + (high - low) / 2
            if metres[middle] >= meters { high = middle } else { low = middle + 1 }
        }
        return max(0, min(low - 1, metres.count - 2))
    }
}
