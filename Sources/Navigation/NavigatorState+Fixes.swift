public import FoundationEssentials
import Geo
import Routing

extension NavigatorState {
    /// Processes one fix.
    ///
    /// A fix changes nothing if it is not newer than the last one, or if its coordinate or time is invalid.
    ///
    /// - Parameter now: time by the caller's clock. The sensor's clock may be wrong by years.
    /// - Returns: the events for listeners, in order.
    public mutating func apply(_ fix: LocationFix, at now: Date) -> [NavigatorEvent] {
        var events: [NavigatorEvent] = []
        apply(fix, at: now, addingTo: &events)
        return events
    }

    /// Processes one fix and appends its events to `events`. For many fixes, this avoids creating one array per fix.
    public mutating func apply(_ fix: LocationFix, at now: Date, addingTo events: inout [NavigatorEvent]) {
        guard fix.isUsable, let motion = FixMotion(fix, at: now, after: lastFix, matched: matched) else { return }
        lastFix = SeenFix(fix: fix, seenAt: now)
        let isAccurate = fix.accuracyMeters ?? 0 <= Self.unusableAccuracyMeters
        let silence = isAccurate ? signal.see(at: now) : nil
        if let route, let leg = currentRouteLeg, isAccurate, let match = match(fix, motion, on: leg, route) {
            follow(fix, motion, match, on: leg, route, at: now, &events)
        } else {
            tell(RoadSnappedLocation(fix, snappedTo: isAccurate ? roadWithoutRoute(fix) : nil), &events)
            observeSpeed(fix, nil, &events)
        }
        if let silence { events.append(.didRegainLocation(afterSeconds: silence)) }
    }

    private func roadWithoutRoute(_ fix: LocationFix) -> Coordinate? {
        guard route == nil, let road = fix.nearestRoad, road.isValid else { return nil }
        return road
    }

    /// Moves the vehicle along its leg, or finds that the vehicle is off the leg.
    private mutating func follow(
        _ fix: LocationFix, _ motion: FixMotion, _ first: RouteMatcher.Match, on leg: RouteLeg, _ route: NavigationRoute, at now: Date,
        _ events: inout [NavigatorEvent]
    ) {
        let limit = configuration.limitMeters(accuracyMeters: fix.accuracyMeters)
        let wasOff = detector.reason
        var match = first
        if !hasArrived {
            observe(fix, motion, match, limitMeters: limit)
            if detector.wantsSearch, let ahead = searchAhead(fix, motion, on: leg, route, limitMeters: limit) {
                match = ahead
                detector.rejoin()
            }
            detector.conclude()
        }
        let isOnLine = match.distanceMeters <= limit && detector.reason != .distance
        if isOnLine { settle(match, at: now) }
        tell(RoadSnappedLocation(fix, snappedTo: isOnLine ? match.coordinate : nil), &events)
        if (wasOff == nil) != (detector.reason == nil) {
            events.append(detector.reason.map { .didLeaveRoute($0) } ?? .didReturnToRoute)
        }
        if detector.reason == nil { rerouteReason = nil }
        observeSpeed(fix, isOnLine && detector.reason == nil ? match : nil, &events)
        addProgress(fix, motion, leg, route, isOnLine: isOnLine, &events)
    }

    private mutating func tell(_ new: RoadSnappedLocation, _ events: inout [NavigatorEvent]) {
        location = new
        events.append(.didUpdateLocation(new))
    }

    /// - Parameter match: the vehicle's point on the route; nil if it is not on the route.
    private mutating func observeSpeed(_ fix: LocationFix, _ match: RouteMatcher.Match?, _ events: inout [NavigatorEvent]) {
        let limit = match.flatMap { match in route?.speedLimit(atMeters: match.alongMeters) } ?? .unknown
        let observation = SpeedingWatch.Observation(
            speedMetersPerSecond: fix.speedMetersPerSecond, speedAccuracyMetersPerSecond: fix.speedAccuracyMetersPerSecond,
            courseAgreement: match?.courseAgreement, limit: limit, time: fix.time)
        speeding.observe(observation, configuration.speedAlerts, &events)
    }

    /// Returns the best match near the last match. The first fix is matched against the whole leg.
    private func match(_ fix: LocationFix, _ motion: FixMotion, on leg: RouteLeg, _ route: NavigationRoute) -> RouteMatcher.Match? {
        let matcher = RouteMatcher(line: route.line)
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
                isTrusted: fix.accuracyMeters.map { $0 <= configuration.alarmAccuracyMeters } ?? true,
                runsWithLine: isMoving ? match.courseAgreement.map { $0 >= 0 } : nil,
                metersBack: progressMeters - match.alongMeters))
    }

    /// Returns the best point on the rest of the leg, in case the vehicle has reached that point by another road; nil if no point fits.
    private func searchAhead(
        _ fix: LocationFix, _ motion: FixMotion, on leg: RouteLeg, _ route: NavigationRoute, limitMeters: Double
    ) -> RouteMatcher.Match? {
        let matcher = RouteMatcher(line: route.line)
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

    /// Adds the events for the remaining time and distance, the next manoeuvre and the arrival. Adds nothing while guidance is off or the
    /// vehicle is not on its route.
    private mutating func addProgress(
        _ fix: LocationFix, _ motion: FixMotion, _ leg: RouteLeg, _ route: NavigationRoute, isOnLine: Bool,
        _ events: inout [NavigatorEvent]
    ) {
        guard isGuidanceActive, matched != nil, detector.reason == nil else { return }
        let remaining = route.remaining(ofLeg: leg, fromMeters: progressMeters)
        addFigures(remaining, &events)
        addNavInfo(of: leg, &events)
        guard !hasArrived, isOnLine else { return }
        let target = { route.line.coordinate(atMeters: leg.endMeters) ?? leg.destination.coordinate }
        let isNear = remaining.distanceMeters <= ArrivalDetector.passingMeters
        let observation = ArrivalDetector.Observation(
            remainingMeters: remaining.distanceMeters, directMeters: isNear ? fix.coordinate.distanceMeters(to: target()) : .infinity,
            speedMetersPerSecond: motion.speedMetersPerSecond, time: fix.time)
        if arrival.observe(observation, configuration) {
            hasArrived = true
            events.append(.didArrive(leg.destination))
        }
    }

    private mutating func addFigures(_ remaining: RemainingFigures, _ events: inout [NavigatorEvent]) {
        if Self.isNews(remaining.timeSeconds, told: told.timeSeconds, threshold: configuration.timeUpdateThreshold) {
            told.timeSeconds = remaining.timeSeconds
            events.append(.didUpdateRemainingTime(remaining.timeSeconds))
        }
        if Self.isNews(remaining.distanceMeters, told: told.distanceMeters, threshold: configuration.distanceUpdateThreshold) {
            told.distanceMeters = remaining.distanceMeters
            events.append(.didUpdateRemainingDistance(remaining.distanceMeters))
        }
    }

    private mutating func addNavInfo(of leg: RouteLeg, _ events: inout [NavigatorEvent]) {
        guard !leg.steps.isEmpty, let info = navInfo else { return }
        let isSame = told.stepsLeft == info.stepsAfterNext.count && told.hasNextStep == (info.nextStep != nil)
        let meters = isSame ? told.stepMeters : nil
        guard Self.isNews(info.distanceToNextStepMeters, told: meters, threshold: configuration.distanceUpdateThreshold) else { return }
        told.stepMeters = info.distanceToNextStepMeters
        (told.stepsLeft, told.hasNextStep) = (info.stepsAfterNext.count, info.nextStep != nil)
        events.append(.didUpdateNavInfo(info))
    }

    /// Whether a value must be reported: it is the first one on a leg, or it has changed to 0 or by at least the threshold since the last
    /// report.
    private static func isNews(_ value: Double, told: Double?, threshold: Double) -> Bool {
        guard let told else { return true }
        return value != told && (value == 0 || abs(value - told) >= threshold)
    }
}
