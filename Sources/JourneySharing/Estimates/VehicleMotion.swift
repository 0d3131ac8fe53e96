package import FleetEngine
package import FoundationEssentials
public import Geo
import Glibc

/// Position at which a vehicle is drawn between two reports. It glides along the route, never backwards, and never far ahead of the last
/// report.
///
/// The vehicle follows a target with a time constant of four seconds. The target starts at the last report and moves ahead at the
/// reported speed. This speed decays over ten seconds: faster if the vehicle has just slowed down, more slowly on a fast road.
/// On a recorded drive, a dozen other rules had more lag, or ran farther ahead of the reports.
///
/// The vehicle jumps, in one frame, in these cases:
/// - The vehicle is more than 400 m from its target.
/// - A new route is more than 30 m from the vehicle everywhere, and its start is more than 30 m from the line that the vehicle follows.
///   Only the next 2 km of that line count.
/// - No frame was drawn for more than 30 s.
/// - Another vehicle takes over the trip, or the vehicle's position or route disappears.
/// - Two reports in a row are off the route. The vehicle then jumps to its reported position. A vehicle that has not reached the start
///   of its route yet is also drawn at its reported position, but is not off the route.
public struct VehicleMotion: Sendable {
    /// The drawn vehicle of one frame.
    public struct Drawn: Hashable, Sendable {
        /// Position of the drawn vehicle.
        public let coordinate: Coordinate
        /// Heading of the drawn vehicle, degrees clockwise from north; nil while unknown.
        public let headingDegrees: Double?
        /// Distance along the active route, in metres; nil without a route, off the route, and before its start.
        public let alongMeters: Double?
        /// Whether the last reports were off the route, so that the vehicle is drawn at its reported position.
        public let isOffRoute: Bool
        /// Path that leads the vehicle to the start of the active route. Empty without a route, once the vehicle is on the route, while
        /// `isOffRoute` is true, and while the vehicle moves onto the route sideways.
        public let pathToRoute: [Coordinate]
    }

    static let decaySeconds = 10.0
    static let shortestDecaySeconds = 5.0
    static let longestDecaySeconds = 20.0
    /// A vehicle is on a fast road if its last two reports exceed this speed, in metres per second.
    static let fastMetersPerSecond = 20.0
    static let followSeconds = 4.0
    static let jumpMeters = 400.0
    static let slideMeters = 30.0
    static let offRouteMeters = 50.0
    static let offRouteFixes = 2
    static let highestDrawnMetersPerSecond = 72.0
    static let turnDegreesPerSecond = 120.0
    private static let longestStepSeconds = 0.1
    private static let longestGlideSeconds = 30.0

    /// Age of the last report at which the target stops moving, in seconds. It is the time between two reports plus the poll interval.
    package var ageCapSeconds = 15.0
    private var path = MotionLine(Polyline([]))
    private var route = Polyline([])
    private var vehicleID: String?
    private var sample: Sample?
    private var drawn: Double?
    private var drawnAt: Date?
    private var location: VehicleLocation?
    private var fixesOffLine = 0
    /// Whether a fix was on the active route. A vehicle cannot have left a route that it has not reached.
    private var hasReachedRoute = false
    private var turning = Turning()

    /// A report on the line: its distance along the line, its speed, and its time on the local clock.
    private struct Sample: Sendable {
        let along: Double
        let speed: Double
        let decaySeconds: Double
        let time: Date
    }

    package init() {}

    /// Adds an answer.
    /// - Parameters:
    ///   - ageSeconds: age of the position, by `FreshnessTracker`.
    ///   - isNewFix: whether the answer has a newer fix than the earlier answers.
    package mutating func observe(_ trip: Trip, ageSeconds: Double?, isNewFix: Bool, now: Date) {
        if trip.vehicleID != vehicleID {
            self = VehicleMotion(ageCap: ageCapSeconds)
            vehicleID = trip.vehicleID
        }
        let isNewRoute = adoptRoute(trip.activeRoute.line)
        if let newLocation = trip.lastLocation {
            if isNewFix || location == nil || (isNewRoute && sample == nil) {
                location = newLocation
                adoptFix(newLocation, time: now.addingTimeInterval(-(ageSeconds ?? 0)))
            }
        } else {
            location = nil
            sample = nil
        }
        place(at: now)
    }

    private init(ageCap: Double) { ageCapSeconds = ageCap }

    /// Returns the drawn vehicle at `now`; nil without a position. The method may be called at any rate. A time before the last frame has
    /// no effect.
    package mutating func frame(at now: Date) -> Drawn? {
        guard let location else { return nil }
        guard !isOffRoute, let sample, let start = drawn, !path.line.isEmpty else {
            let heading = isOffRoute ? location.headingDegrees : turning.degrees ?? location.headingDegrees
            return Drawn(
                coordinate: location.coordinate, headingDegrees: heading, alongMeters: nil, isOffRoute: isOffRoute, pathToRoute: [])
        }
        let along = glide(from: start, sample: sample, to: now)
        drawn = along
        drawnAt = max(now, drawnAt ?? now)
        if sample.speed >= 1 || turning.degrees == nil,
            let wanted = path.line.bearingDegrees(atMeters: along, averagingOverMeters: 2 * max(sample.speed * 0.5, 7.5))
        {
            turning.turn(toward: wanted, at: now)
        }
        return Drawn(
            coordinate: path.line.coordinate(atMeters: along) ?? location.coordinate,
            headingDegrees: turning.degrees ?? location.headingDegrees, alongMeters: path.routeMeters(at: along), isOffRoute: false,
            pathToRoute: path.pathToRoute(from: along))
    }

    /// Whether at least the last two fixes were off the route.
    package var isOffRoute: Bool { fixesOffLine >= Self.offRouteFixes }
}

// MARK: - Reports and routes

extension VehicleMotion {
    /// A report counts as beside the line if it is farther from the line than `limitMeters`, but not farther than this multiple of
    /// `limitMeters`: it may merely be inaccurate. If the report before it was on the line, a report beside the line is not assigned to a
    /// distant part of the line.
    private static let besideFactor = 3.0
    private static let likelyMetersPerSecond = 12.0
    private static let leastReachMeters = 150.0
    private static let likelyReachMeters = 1_500.0
    private static let behindMeters = 30.0
    private static let largestAccuracyMeters = 500.0
    private static let highestMetersPerSecond = 70.0

    /// - Returns: whether the route has changed.
    private mutating func adoptRoute(_ newRoute: Polyline) -> Bool {
        guard newRoute != route else { return false }
        route = newRoute
        var expected: Double?
        if let along = drawn, let next = path.continued(at: along, on: route) {
            expected = sample.map { $0.along + next.along - along }
            path = next.line
            drawn = next.along
        } else {
            path = MotionLine(route)
            drawn = nil
            hasReachedRoute = false
        }
        guard let old = sample, let location else { return true }
        // `expected` keeps the distance between the last reported position and the drawn vehicle, even if that position is behind
        // the start of the new route.
        let along = expected ?? firstPlace(of: location)
        sample = along.map { Sample(along: $0, speed: old.speed, decaySeconds: old.decaySeconds, time: old.time) }
        return true
    }

    /// Returns how far along the route a reported position lies, for a new route that has no relation to the old one. Points near the start
    /// of the route are preferred, because a route can cross itself.
    private func firstPlace(of location: VehicleLocation) -> Double? {
        let limit = Self.limitMeters(location)
        for reach in [Self.leastReachMeters, Self.likelyReachMeters] {
            guard let place = path.line.nearest(to: location.coordinate, alongMeters: 0...reach) else { return nil }
            if place.distanceMeters <= limit { return place.alongMeters }
        }
        return path.line.nearest(to: location.coordinate)?.alongMeters
    }

    private mutating func adoptFix(_ location: VehicleLocation, time: Date) {
        guard !path.line.isEmpty else {
            fixesOffLine = 0
            sample = nil
            return
        }
        guard let place = project(location, time: time) else {
            let isWaiting = !hasReachedRoute && isBeforeStart(location)
            if !isWaiting { fixesOffLine = min(fixesOffLine + 1, Self.offRouteFixes) }
            if isWaiting || isOffRoute { sample = nil }
            return
        }
        fixesOffLine = 0
        hasReachedRoute = true
        let speed = speed(of: location, at: place.alongMeters, time: time)
        let decay = Self.decaySeconds(speed: speed, before: sample?.speed ?? speed)
        sample = Sample(along: place.alongMeters, speed: speed, decaySeconds: decay, time: time)
    }

    /// Whether the start is the nearest point of the route, as for a vehicle that is still in a car park.
    private func isBeforeStart(_ location: VehicleLocation) -> Bool {
        path.line.nearest(to: location.coordinate).map { $0.alongMeters < 1 } ?? false
    }

    /// Returns the time in which `speed` decays, in seconds. It is 10 s, or less in proportion if the vehicle has slowed down from
    /// `before`, but at least 5 s. One second is added for each metre per second by which the lower of the two speeds exceeds
    /// ``fastMetersPerSecond``, up to 20 s in all.
    private static func decaySeconds(speed: Double, before: Double) -> Double {
        let slowing = decaySeconds * min(1, speed / max(before, 1))
        let lasting = max(0, min(speed, before) - fastMetersPerSecond)
        return min(max(slowing, shortestDecaySeconds) + lasting, longestDecaySeconds)
    }

    /// Finds the point of the line that belongs to a report; nil if the report is off the line. The part that the vehicle may have reached
    /// is searched first. On a route that uses the same road twice, the vehicle thus stays on the current pass over the road.
    private func project(_ location: VehicleLocation, time: Date) -> Polyline.Projection? {
        let limit = Self.limitMeters(location)
        if let sample {
            let elapsed = max(0, time.timeIntervalSince(sample.time))
            let speed = max(sample.speed, Self.speed(location) ?? 0, Self.likelyMetersPerSecond)
            let reach = max(Self.leastReachMeters, min(3 * speed * elapsed, path.line.lengthMeters)) + 2 * Self.accuracy(location)
            let window = (sample.along - Self.behindMeters)...(sample.along + reach)
            if let near = path.line.nearest(to: location.coordinate, alongMeters: window) {
                if near.distanceMeters <= limit { return near }
                if near.distanceMeters <= Self.besideFactor * limit, fixesOffLine + 1 < Self.offRouteFixes { return nil }
            }
        }
        guard let place = path.line.nearest(to: location.coordinate), place.distanceMeters <= limit else { return nil }
        return place
    }

    private static func limitMeters(_ location: VehicleLocation) -> Double { max(offRouteMeters, 2 * accuracy(location)) }

    private static func accuracy(_ location: VehicleLocation) -> Double {
        guard let meters = location.accuracyMeters, meters.isFinite else { return 0 }
        return min(max(0, meters), largestAccuracyMeters)
    }

    private static func speed(_ location: VehicleLocation) -> Double? {
        guard let speed = location.speedMetersPerSecond, speed.isFinite else { return nil }
        return min(max(0, speed), highestMetersPerSecond)
    }

    private func speed(of location: VehicleLocation, at along: Double, time: Date) -> Double {
        if let speed = Self.speed(location) { return speed }
        guard let sample, time > sample.time else { return 0 }
        return min(max(0, (along - sample.along) / time.timeIntervalSince(sample.time)), Self.highestMetersPerSecond)
    }
}

// MARK: - Gliding

extension VehicleMotion {
    /// Speed of the drawn vehicle at the last frame, in metres per second; 0 if it does not move before the next answer.
    var metersPerSecond: Double {
        guard location != nil, !isOffRoute, let sample, let drawn, let drawnAt, drawn < path.line.lengthMeters else { return 0 }
        return rate(at: drawnAt, along: drawn, sample: sample)
    }

    /// Places the vehicle at its target if the vehicle has no position on the line yet, or if the target is too far away for gliding.
    /// Without a report on the line, removes the vehicle from the line.
    private mutating func place(at now: Date) {
        guard sample != nil else {
            drawn = nil
            return
        }
        let target = target(at: now)
        if let current = drawn, abs(target - current) <= Self.jumpMeters, drawnAt != nil { return }
        drawn = target
        drawnAt = now
        turning = Turning()
    }

    /// Returns the vehicle's target at `now` as a distance along the line, in metres. It is computed from the last report.
    private func target(at now: Date) -> Double {
        guard let sample else { return drawn ?? 0 }
        let age = min(max(0, now.timeIntervalSince(sample.time)), ageCapSeconds)
        let ahead = sample.speed * sample.decaySeconds * (1 - exp(-age / sample.decaySeconds))
        return min(sample.along + ahead, path.line.lengthMeters)
    }

    private func glide(from start: Double, sample: Sample, to now: Date) -> Double {
        guard let last = drawnAt, now > last else { return start }
        let whole = now.timeIntervalSince(last)
        if whole > Self.longestGlideSeconds { return max(start, target(at: now)) }
        let steps = max(1, Int((whole / Self.longestStepSeconds).rounded(.up)))
        let step = whole / Double(steps)
        var along = start
        for index in 0..<steps {
            let moment = last.addingTimeInterval(Double(index + 1) * step)
            along += step * rate(at: moment, along: along, sample: sample)
        }
        return min(along, path.line.lengthMeters)
    }

    /// Returns the speed of the drawn vehicle, in metres per second. It is at most 1.5 × max(`sample.speed`, 3) plus a tenth of the gap to
    /// the target. It is also at most `highestDrawnMetersPerSecond`, because the eye cannot follow a faster vehicle.
    private func rate(at moment: Date, along: Double, sample: Sample) -> Double {
        let age = max(0, moment.timeIntervalSince(sample.time))
        let gap = target(at: moment) - along
        let own = age >= ageCapSeconds ? 0 : sample.speed * exp(-age / sample.decaySeconds)
        let limit = 1.5 * max(sample.speed, 3) + max(0, gap) / 10
        return min(max(0, own + gap / Self.followSeconds), limit, Self.highestDrawnMetersPerSecond)
    }

    /// A heading that turns in the shorter direction, no faster than a car turns.
    private struct Turning: Sendable {
        private(set) var degrees: Double?
        private var at: Date?

        mutating func turn(toward wanted: Double, at now: Date) {
            guard let old = degrees, let last = at else {
                degrees = wanted
                at = now
                return
            }
            let most = max(0, now.timeIntervalSince(last)) * VehicleMotion.turnDegreesPerSecond
            let turn = (wanted - old).remainder(dividingBy: 360)
            let turned = (old + min(max(turn, -most), most)).truncatingRemainder(dividingBy: 360)
            degrees = turned < 0 ? turned + 360 : turned
            at = max(last, now)
        }
    }
}
