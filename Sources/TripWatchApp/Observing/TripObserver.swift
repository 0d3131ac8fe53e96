public import FleetEngine
public import FoundationEssentials
public import Geo
public import JourneySharing

/// Something about a trip that a line of output, a banner or an event list can tell.
public enum TripFact: Hashable, Sendable {
    case status(TripStatus, previous: TripStatus?)
    /// A vehicle was assigned, exchanged or (nil) taken away.
    case vehicle(String?)
    case location(VehicleLocation, ageSeconds: Double?)
    case eta(ETAFact)
    /// The announced arrival moved by a minute or more.
    case promise(WaypointType, arrival: Date, previous: Date)
    case route(points: Int, lengthMeters: Double)
    case waypoints(stopsBefore: Int, own: [OwnStop])
    case traffic([TrafficStretch])
    case drawn(VehicleMotion.Drawn)
    /// Nil while there is no position and nothing is wrong.
    case freshness(Freshness?, ageSeconds: Double?, previous: Freshness?)
    /// The countdown crossed two minutes.
    case near(WaypointType)
    case failure(PollFailure)
    case recovered(afterSeconds: Double)
    case end(TripStatus)
}

/// The arrival at this trip's own next stop, as it is shown.
public struct ETAFact: Hashable, Sendable {
    public let waypoint: WaypointType
    public let arrival: Date?
    /// Never negative.
    public let remainingSeconds: Double?
    public let remainingMeters: Double?
}

/// One of this trip's own stops that are still ahead.
public struct OwnStop: Hashable, Sendable {
    public let type: WaypointType
    public let coordinate: Coordinate
    public let eta: Date?
    /// Along the way from the vehicle.
    public let distanceMeters: Double?
}

/// Traffic on a stretch of the active route, metres from its start.
public struct TrafficStretch: Hashable, Sendable {
    public let startMeters: Double
    public let endMeters: Double
    public let speed: TrafficSpeed
}

/// Everything that is known about one trip, and what of it is news: updates and ticks of the clock in, facts out.
public struct TripObserver: Sendable {
    /// A rider wants to be told when the car is this near, seconds.
    public static let nearSeconds = 120.0
    /// A stop's ETA is told again when it moves by this much, seconds.
    private static let waypointTimeSeconds = 60.0

    public let name: TripName
    public private(set) var trip: Trip?
    public private(set) var failure: PollFailure?
    public private(set) var lastAnswerAt: Date?
    public private(set) var freshness: FreshnessTracker
    public private(set) var forecast = ArrivalForecast()
    public private(set) var progress = Progress()
    public private(set) var motion = VehicleMotion()
    public private(set) var estimate: ArrivalEstimate?
    /// The word that holds now; nil while there is no position and nothing is wrong.
    public private(set) var state: Freshness?
    private var isFreshnessTold = false
    private var toldETA: ETAFact?
    private var toldStops: (before: Int, own: [OwnStop])?
    private var isNearTold = false

    /// - Parameter progress: where an earlier run looked last.
    public init(
        name: TripName, pollIntervalSeconds: Double = PollMachine.Configuration.standardInterval, progress: Progress.Mark? = nil
    ) {
        self.name = name
        if let progress { self.progress = Progress(mark: progress) }
        freshness = FreshnessTracker(pollIntervalSeconds: pollIntervalSeconds)
    }

    public mutating func observe(_ update: TripUpdate) -> [TripFact] {
        let now = update.time
        switch update.kind {
        case .trip(let trip, let changed): return take(trip, changed: changed, now: now)
        case .failure(let failure):
            self.failure = failure
            return [.failure(failure)] + freshnessFact(now: now)
        case .recovered(let seconds):
            failure = nil
            return [.recovered(afterSeconds: seconds)]
        case .ended(let status): return freshnessFact(now: now) + [.end(status)]
        case .state: return []
        }
    }

    /// What the passing of time alone makes news.
    public mutating func tick(now: Date) -> [TripFact] {
        // Before the first answer or failure there is nothing that could have changed.
        (isFreshnessTold ? freshnessFact(now: now) : []) + nearFact(now: now)
    }

    /// When the passing of time alone makes news next, as far as that can be known; nil for never.
    public func newsDue(after now: Date) -> Date? {
        guard isFreshnessTold, trip?.status.isFinal != true, failure == nil else { return nil }
        let near = nearSeconds(now: now).map { max(0, $0 - Self.nearSeconds) }
        return [near, freshness.secondsToNextState(now: now)].compactMap { $0 }.min().map(now.addingTimeInterval)
    }

    /// Where to draw the vehicle now.
    public mutating func drawn(now: Date) -> VehicleMotion.Drawn? { motion.frame(at: now) }

    /// The words of the countdown.
    public func etaText(now: Date) -> ETAText {
        ETAText(
            remainingSeconds: forecast.shown.map { $0.timeIntervalSince(freshness.serverNow(now)) },
            remainingMeters: trip?.status.isFinal == true ? nil : estimate?.remainingMeters, isLive: isLive)
    }

    /// Whether numbers may be shown as they are, without `about`.
    public var isLive: Bool {
        switch state {
        case .live, .quiet, .ended, nil: failure == nil
        case .notLive, .offline, .stopped: false
        }
    }

    /// Whether there is a position, and a recent one: then somebody may be sent out by the countdown.
    public var hasLivePosition: Bool { failure == nil && (state == .live || state == .quiet) }

    private mutating func take(_ trip: Trip, changed: TripPropertyFields, now: Date) -> [TripFact] {
        let old = self.trip
        self.trip = trip
        failure = nil
        lastAnswerAt = now
        let isNewFix = freshness.observe(trip, now: now)
        let estimate = ArrivalEstimate(trip)
        let promise = forecast.promises.last
        if estimate?.waypoint != self.estimate?.waypoint || estimate?.intermediateIndex != self.estimate?.intermediateIndex {
            isNearTold = false
        }
        self.estimate = estimate
        forecast.observe(estimate, now: now)
        progress.observe(estimate)
        motion.ageCapSeconds = freshness.reportGapSeconds + freshness.pollIntervalSeconds
        motion.observe(trip, ageSeconds: freshness.ageSeconds(now: now), isNewFix: isNewFix, now: now)

        var facts: [TripFact] = []
        // A rider hears of the car before hearing what it does; at first sight of a trip there was no other car.
        if changed.contains(.vehicleID) && (old != nil || trip.vehicleID != nil) { facts.append(.vehicle(trip.vehicleID)) }
        if changed.contains(.tripStatus) { facts.append(.status(trip.status, previous: old?.status)) }
        if isNewFix, let location = trip.lastLocation { facts.append(.location(location, ageSeconds: freshness.ageSeconds(now: now))) }
        facts += routeFacts(trip, changed)
        facts += waypointFacts(trip)
        facts += etaFacts(now: now)
        if let last = forecast.promises.last, let promise, last != promise, forecast.promises.count > 1, let estimate {
            facts.append(.promise(estimate.waypoint, arrival: last.arrival, previous: promise.arrival))
        }
        return facts + nearFact(now: now) + freshnessFact(now: now)
    }

    private func routeFacts(_ trip: Trip, _ changed: TripPropertyFields) -> [TripFact] {
        var facts: [TripFact] = []
        guard changed.contains(.activeRoute) || changed.contains(.activeRouteTraffic) else { return [] }
        if changed.contains(.activeRoute) {
            facts.append(.route(points: trip.activeRoute.count, lengthMeters: Polyline(trip.activeRoute).lengthMeters))
        }
        if changed.contains(.activeRouteTraffic) { facts.append(.traffic(Self.stretches(trip))) }
        return facts
    }

    /// Indices to metres: they address the traffic's own path, or the route where it has none.
    private static func stretches(_ trip: Trip) -> [TrafficStretch] {
        guard let traffic = trip.activeRouteTraffic else { return [] }
        let line = Polyline(traffic.path.isEmpty ? trip.activeRoute : traffic.path)
        guard let last = line.cumulativeMeters.indices.last else { return [] }
        return traffic.intervals.compactMap { interval in
            guard interval.startIndex <= last else { return nil }
            let start = line.cumulativeMeters[max(0, interval.startIndex)]
            let end = line.cumulativeMeters[min(last, max(0, interval.endIndex))]
            return end > start ? TrafficStretch(startMeters: start, endMeters: end, speed: interval.speed) : nil
        }
    }

    private mutating func waypointFacts(_ trip: Trip) -> [TripFact] {
        var along = trip.remainingDistanceMeters
        var own: [OwnStop] = []
        for (index, waypoint) in trip.remainingWaypoints.enumerated() {
            if index > 0 { along = along.flatMap { sum in waypoint.distanceMeters.map { sum + $0 } } }
            guard trip.owns(waypoint) else { continue }
            let eta = index == 0 ? waypoint.eta ?? trip.etaToNextWaypoint : waypoint.eta
            own.append(
                OwnStop(
                    type: waypoint.type, coordinate: waypoint.coordinate, eta: eta ?? Self.forecastTime(waypoint.type, trip),
                    distanceMeters: along))
        }
        guard isNews(before: trip.stopsBefore, own) else { return [] }
        toldStops = (trip.stopsBefore, own)
        return [.waypoints(stopsBefore: trip.stopsBefore, own: own)]
    }

    private static func forecastTime(_ type: WaypointType, _ trip: Trip) -> Date? {
        switch type {
        case .pickup: trip.pickupTime
        case .dropoff: trip.dropoffTime
        case .intermediate, .unknown: nil
        }
    }

    private func isNews(before: Int, _ own: [OwnStop]) -> Bool {
        guard let told = toldStops else { return !own.isEmpty || before > 0 }
        guard told.before == before, told.own.count == own.count else { return true }
        return zip(told.own, own).contains { old, new in
            if old.type != new.type || old.coordinate != new.coordinate || (old.eta == nil) != (new.eta == nil) { return true }
            guard let oldTime = old.eta, let newTime = new.eta else { return false }
            return abs(newTime.timeIntervalSince(oldTime)) >= Self.waypointTimeSeconds
        }
    }

    private mutating func etaFacts(now: Date) -> [TripFact] {
        guard let estimate else { return [] }
        let remaining = forecast.shown.map { max(0, $0.timeIntervalSince(freshness.serverNow(now))) }
        let fact = ETAFact(
            waypoint: estimate.waypoint, arrival: forecast.shown, remainingSeconds: remaining, remainingMeters: estimate.remainingMeters)
        // That nothing is known is news only where something was.
        guard fact.arrival != nil || fact.remainingMeters != nil || toldETA != nil else { return [] }
        let isSame = toldETA.map {
            $0.waypoint == fact.waypoint && $0.arrival == fact.arrival && $0.remainingMeters == fact.remainingMeters
        }
        if isSame == true { return [] }
        toldETA = fact
        return [.eta(fact)]
    }

    private mutating func nearFact(now: Date) -> [TripFact] {
        guard let seconds = nearSeconds(now: now), seconds <= Self.nearSeconds, let estimate else { return [] }
        isNearTold = true
        return [.near(estimate.waypoint)]
    }

    /// How far away the car is, seconds, while that is to be told when it is near.
    private func nearSeconds(now: Date) -> Double? {
        guard !isNearTold, hasLivePosition, trip?.status == .enrouteToPickup, estimate?.stopsBefore == 0 else { return nil }
        return forecast.shown?.timeIntervalSince(freshness.serverNow(now))
    }

    private mutating func freshnessFact(now: Date) -> [TripFact] {
        let newState = freshness.state(now: now, status: trip?.status, failure: failure)
        guard newState != state || !isFreshnessTold else { return [] }
        isFreshnessTold = true
        defer { state = newState }
        return [.freshness(newState, ageSeconds: freshness.ageSeconds(now: now), previous: state)]
    }
}
