public import FoundationEssentials
import Geo
import Routing

extension NavigatorState {
    /// Takes in one fix.
    ///
    /// A fix that is not newer than the last one, or not a real place, changes nothing.
    ///
    /// - Parameter now: the caller's clock; the sensor's own may be years off.
    /// - Returns: the events for listeners, in order.
    public mutating func apply(_ fix: LocationFix, at now: Date) -> [NavigatorEvent] {
        let before = lastFix.map { (fix: $0.fix, seenAt: $0.seenAt) }
        let place = matched.map { (place: $0.coordinate, at: $0.seenAt) }
        guard fix.isUsable, let motion = FixMotion(fix, at: now, after: before, matched: place) else { return [] }
        lastFix = SeenFix(fix: fix, seenAt: now)
        guard let route, let leg = currentRouteLeg, fix.accuracyMeters ?? 0 <= Self.unusableAccuracyMeters else {
            return tell(RoadSnappedLocation(fix))
        }
        let matcher = RouteMatcher(line: route.line)
        let limit = configuration.limitMeters(accuracyMeters: fix.accuracyMeters)
        guard var match = match(fix, motion, on: leg, matcher) else { return tell(RoadSnappedLocation(fix)) }
        var events: [NavigatorEvent] = []
        if !hasArrived {
            observe(fix, motion, match, limitMeters: limit)
            if detector.wantsSearch, let ahead = searchAhead(fix, motion, on: leg, matcher, limitMeters: limit) {
                match = ahead
                let wasOff = detector.reason != nil
                detector.rejoin()
                if wasOff { events.append(.didReturnToRoute) }
            }
            if let changed = detector.conclude() { events.append(changed.map { .didLeaveRoute($0) } ?? .didReturnToRoute) }
            if detector.reason == nil { rerouteReason = nil }
        }
        let isOnLine = match.distanceMeters <= limit && detector.reason != .distance
        if isOnLine { settle(match, at: now) }
        let snapped = RoadSnappedLocation(fix, snappedTo: isOnLine ? match.coordinate : nil)
        return tell(snapped) + events + progressEvents(fix, motion, leg, isOnLine: isOnLine)
    }

    private mutating func tell(_ new: RoadSnappedLocation) -> [NavigatorEvent] {
        location = new
        return [.didUpdateLocation(new)]
    }

    /// The match inside the window; the whole leg for the first fix.
    private func match(_ fix: LocationFix, _ motion: FixMotion, on leg: RouteLeg, _ matcher: RouteMatcher) -> RouteMatcher.Match? {
        let evidence = RouteMatcher.Evidence(courseDegrees: motion.courseDegrees, accuracyMeters: fix.accuracyMeters ?? 0)
        guard let matched else { return matcher.first(for: fix.coordinate, evidence, within: leg.startMeters...leg.endMeters) }
        let reach = max(Self.windowAheadMeters, 3 * motion.travelledMeters + 2 * evidence.accuracyMeters)
        let low = min(leg.endMeters, max(leg.startMeters, matched.alongMeters - Self.windowBehindMeters))
        let high = max(low, min(leg.endMeters, matched.alongMeters + reach))
        return matcher.best(
            for: fix.coordinate, evidence, within: low...high,
            expecting: .init(alongMeters: matched.alongMeters, travelledMeters: motion.travelledMeters))
    }

    private mutating func observe(_ fix: LocationFix, _ motion: FixMotion, _ match: RouteMatcher.Match, limitMeters: Double) {
        let isMoving = (motion.speedMetersPerSecond ?? 0) >= OffRouteDetector.courseSpeedMetersPerSecond
        detector.observe(
            .init(
                distanceMeters: match.distanceMeters, limitMeters: limitMeters,
                isTrusted: fix.accuracyMeters.map { $0 <= configuration.alarmAccuracyMeters } ?? false,
                runsWithLine: isMoving ? match.courseAgreement.map { $0 >= 0 } : nil,
                metersBack: progressMeters - match.alongMeters))
    }

    /// A place on the rest of the leg that the vehicle may have reached by another way.
    private func searchAhead(
        _ fix: LocationFix, _ motion: FixMotion, on leg: RouteLeg, _ matcher: RouteMatcher, limitMeters: Double
    ) -> RouteMatcher.Match? {
        guard motion.courseDegrees != nil, progressMeters < leg.endMeters else { return nil }
        let evidence = RouteMatcher.Evidence(courseDegrees: motion.courseDegrees, accuracyMeters: fix.accuracyMeters ?? 0)
        let found = matcher.best(for: fix.coordinate, evidence, within: max(leg.startMeters, progressMeters)...leg.endMeters)
        guard let found, let agreement = found.courseAgreement, agreement >= Self.rejoinAgreement,
            found.distanceMeters <= limitMeters * OffRouteDetector.clearShare
        else { return nil }
        return found
    }

    private mutating func settle(_ match: RouteMatcher.Match, at now: Date) {
        matched = MatchedPlace(alongMeters: match.alongMeters, coordinate: match.coordinate, seenAt: now)
        if detector.reason == nil { progressMeters = max(progressMeters, match.alongMeters) }
    }

    /// Arrival and the figures that are left. Nothing of it while off route.
    private mutating func progressEvents(
        _ fix: LocationFix, _ motion: FixMotion, _ leg: RouteLeg, isOnLine: Bool
    ) -> [NavigatorEvent] {
        guard isGuidanceActive, matched != nil, detector.reason == nil, let remaining else { return [] }
        var events = figures(remaining)
        guard !hasArrived, isOnLine else { return events }
        let target = route?.line.coordinate(atMeters: leg.endMeters) ?? leg.destination.coordinate
        let observation = ArrivalDetector.Observation(
            remainingMeters: remaining.distanceMeters, directMeters: fix.coordinate.distanceMeters(to: target),
            speedMetersPerSecond: motion.speedMetersPerSecond, time: fix.time)
        if arrival.observe(observation, configuration) {
            hasArrived = true
            events.append(.didArrive(leg.destination))
        }
        return events
    }

    private mutating func figures(_ remaining: RemainingFigures) -> [NavigatorEvent] {
        var events: [NavigatorEvent] = []
        if Self.isNews(remaining.timeSeconds, told: told.timeSeconds, threshold: configuration.timeUpdateThreshold) {
            told.timeSeconds = remaining.timeSeconds
            events.append(.didUpdateRemainingTime(remaining.timeSeconds))
        }
        if Self.isNews(remaining.distanceMeters, told: told.distanceMeters, threshold: configuration.distanceUpdateThreshold) {
            told.distanceMeters = remaining.distanceMeters
            events.append(.didUpdateRemainingDistance(remaining.distanceMeters))
        }
        return events
    }

    /// Whether a figure is reported: the first one on a leg, a 0, and one that differs enough from the last.
    private static func isNews(_ value: Double, told: Double?, threshold: Double) -> Bool {
        guard let told else { return true }
        return value != told && (value == 0 || abs(value - told) >= threshold)
    }
}
