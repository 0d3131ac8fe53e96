import FoundationEssentials
import Geo
public import Routing

/// The state of a navigator, as a value. Fixes and commands go in, events come out. The state uses no clock and no random numbers, so a
/// recorded drive gives the same events each time.
///
/// The progress is the distance that the vehicle has driven along the whole route, in metres. It never decreases within a leg.
/// While the vehicle is off its route, the remaining distance and time do not change.
///
/// A fix is matched to a window of the current leg. The window begins 30 m behind the last match. It ends at the farthest point that the
/// vehicle can have reached, at least 150 m ahead of the last match. Before the first match, the window is the whole leg. If the vehicle
/// may have left the route (`OffRouteDetector.wantsSearch`), the rest of the leg is searched too. There, a match counts only if the
/// vehicle's course and the line differ by at most 45°.
public struct NavigatorState: Hashable, Sendable {
    /// Worst accuracy at which a fix moves the vehicle, in metres.
    static let unusableAccuracyMeters = 100.0
    static let windowBehindMeters = 30.0
    static let windowAheadMeters = 150.0
    static let rejoinAgreement = 0.707

    /// The limits. `NavigatorCommand.configure` replaces them.
    public internal(set) var configuration: NavigatorConfiguration
    /// The route; nil before the first one and after the last leg.
    public internal(set) var route: NavigationRoute?
    /// A number that grows when the route, its traffic or the current leg changes.
    public internal(set) var routeRevision = 0
    /// Index of the current leg in `route.legs`.
    public internal(set) var legIndex = 0
    /// Whether the navigator reports remaining time, remaining distance and arrival.
    public internal(set) var isGuidanceActive = false
    /// Progress in metres along the route's line.
    public internal(set) var progressMeters = 0.0
    /// Whether the vehicle has reached the destination of the current leg.
    public internal(set) var hasArrived = false
    /// The reason a new route is requested; nil while no route is requested.
    public internal(set) var rerouteReason: RerouteReason?
    /// The last location, snapped where possible.
    public internal(set) var location: RoadSnappedLocation?

    var detector = OffRouteDetector()
    var arrival = ArrivalDetector()
    /// The point on the line to which a fix was last matched. It may be behind `progressMeters`, for example because of a position error.
    /// Nil until a fix is near the line of the route.
    var matched: MatchedPlace?
    var lastFix: SeenFix?
    var told = ToldFigures()
    var speeding = SpeedingWatch()
    var signal = SignalWatch()
    private var lighting = LightingAdvisor()
    private var delays = DelayJudge()

    struct MatchedPlace: Hashable, Sendable {
        var alongMeters: Double
        var coordinate: Coordinate
        var seenAt: Date
    }

    struct SeenFix: Hashable, Sendable {
        var fix: LocationFix
        var seenAt: Date
    }

    /// The values that were last reported to listeners on this leg: the remaining time and distance, and the next manoeuvre.
    struct ToldFigures: Hashable, Sendable {
        var distanceMeters: Double?
        var timeSeconds: Double?
        var stepMeters: Double?
        var stepsLeft = 0
        var hasNextStep = false
    }

    /// Creates a state without a route, before the first fix.
    public init(configuration: NavigatorConfiguration = NavigatorConfiguration()) {
        self.configuration = configuration
    }
}

// MARK: - Present values

extension NavigatorState {
    /// The current leg and all legs after it.
    public var routeLegs: [RouteLeg] { route.map { Array($0.legs.dropFirst(legIndex)) } ?? [] }

    /// The leg that leads to the next destination; nil without a route.
    public var currentRouteLeg: RouteLeg? {
        guard let route, route.legs.indices.contains(legIndex) else { return nil }
        return route.legs[legIndex]
    }

    /// The reason the vehicle is off its route; nil unless fixes have shown that it is off the route.
    public var offRouteReason: OffRouteReason? { detector.reason }

    /// The remaining distance and time to the next destination; unchanged while the vehicle is off route. Nil without a route.
    public var remaining: RemainingFigures? {
        guard let route, let leg = currentRouteLeg else { return nil }
        return route.remaining(ofLeg: leg, fromMeters: progressMeters)
    }

    /// The traffic delay on the route to the next destination; nil without a route, at the destination, and if traffic is unknown on over
    /// half of the way.
    public var delay: RouteDelay? { route?.delay(ofLeg: legIndex, fromMeters: progressMeters) }

    /// Category of the traffic delay, as last reported.
    public var delayCategoryToNextDestination: DelayCategory { delays.category }

    /// The suggested lighting of the map. It follows the sun's elevation at the vehicle.
    public var suggestedLightingMode: LightingMode { lighting.mode }

    /// The severity of speeding.
    public var speedAlertSeverity: SpeedAlertSeverity { speeding.severity }

    /// The percentage by which the speed is above the limit, as last reported. It is 0 if the vehicle is not speeding, or if the limit is
    /// unknown.
    public var speedingPercentage: Double { speeding.toldPercent }

    /// Speed limit of the road that the vehicle is on.
    public var speedLimit: SpeedLimit {
        guard let route, matched != nil, offRouteReason == nil else { return .unknown }
        return route.speedLimit(atMeters: progressMeters)
    }

    /// Whether usable fixes have stopped coming.
    public var hasLostLocation: Bool { signal.isLost }

    /// Status in Fleet Engine's terms. `arrivedAtDestination` begins `arrivalZoneMeters` before the destination.
    public var status: NavigatorStatus {
        guard isGuidanceActive, let remaining else { return .noGuidance }
        if hasArrived { return .arrivedAtDestination }
        if offRouteReason != nil { return .offRoute }
        let isNear = matched != nil && remaining.distanceMeters <= configuration.arrivalZoneMeters
        return isNear ? .arrivedAtDestination : .enrouteToDestination
    }

    /// The name of the street of the current step; nil if the router gave no name.
    public var streetName: String? {
        guard let route, let leg = currentRouteLeg else { return nil }
        return route.step(ofLeg: leg, atMeters: progressMeters)?.roadName
    }
}

// MARK: - Commands

extension NavigatorState {
    /// - Returns: the events for listeners, in order.
    public mutating func apply(_ command: NavigatorCommand) -> [NavigatorEvent] {
        switch command {
        case .configure(let new):
            configuration = new
            return []
        case .setGuidanceActive(let active):
            guard active != isGuidanceActive else { return [] }
            isGuidanceActive = active && route != nil
            told = ToldFigures()
            return []
        case .setRoute(let new, let change):
            return setRoute(new, change)
        case .reroute(let reason):
            guard route != nil, rerouteReason != reason else { return [] }
            rerouteReason = reason
            return [.didBeginRerouting(reason)]
        case .updateTraffic(let new):
            return updateTraffic(new)
        case .tick(let now):
            return tick(at: now)
        case .continueToNextDestination:
            return continueToNextDestination()
        }
    }

    private mutating func setRoute(_ new: NavigationRoute?, _ change: RouteChange) -> [NavigatorEvent] {
        guard new != nil || route != nil else { return [] }
        route = new
        enterLeg(0, atMeters: 0)
        matched = nil
        if new == nil { isGuidanceActive = false }
        return [.didChangeRoute(new == nil ? .cleared : change)]
    }

    private mutating func continueToNextDestination() -> [NavigatorEvent] {
        guard let route else { return [] }
        isGuidanceActive = false
        guard legIndex + 1 < route.legs.count else { return setRoute(nil, .cleared) }
        let start = route.legs[legIndex + 1].startMeters
        // After an arrival the vehicle is at the start of the next leg, so it is matched to that point. If the next leg is a loop, a
        // search of the whole leg could find the loop's end instead.
        let place = hasArrived ? matched : nil
        enterLeg(legIndex + 1, atMeters: start)
        matched = place.map { MatchedPlace(alongMeters: start, coordinate: $0.coordinate, seenAt: $0.seenAt) }
        return [.didChangeRoute(.nextDestination)]
    }

    private mutating func updateTraffic(_ new: NavigationRoute) -> [NavigatorEvent] {
        guard let route, new.line == route.line, new.legs.count == route.legs.count, new != route else { return [] }
        self.route = new
        routeRevision &+= 1
        return [.didUpdateTraffic]
    }

    private mutating func tick(at now: Date) -> [NavigatorEvent] {
        var events: [NavigatorEvent] = []
        if let seconds = signal.look(at: now, leastSeconds: configuration.signalLossSeconds) {
            events.append(.didLoseLocation(afterSeconds: seconds))
        }
        if let location, let mode = lighting.look(from: location.coordinate, at: now) {
            events.append(.didChangeSuggestedLightingMode(mode))
        }
        let delay = delay
        // Without a route the delay becomes unknown. While the vehicle is off its route, or guidance is off, the category keeps its last
        // value.
        let isJudged = route == nil || isGuidanceActive && matched != nil && offRouteReason == nil
        let left = remaining?.timeSeconds ?? .infinity
        if isJudged, let category = delays.judge(delay, remainingSeconds: left, at: now) {
            events.append(.didUpdateDelayCategory(category, delaySeconds: delay?.delaySeconds ?? 0))
        }
        return events
    }

    private mutating func enterLeg(_ index: Int, atMeters meters: Double) {
        legIndex = index
        routeRevision &+= 1
        progressMeters = meters
        hasArrived = false
        rerouteReason = nil
        detector = OffRouteDetector()
        arrival = ArrivalDetector()
        told = ToldFigures()
        delays.restart()
    }
}
