package import FleetEngine
package import FoundationEssentials
package import Geo
package import JourneySharing

/// A fact about a trip, for a line of output, a banner or an event list.
package enum TripFact: Hashable, Sendable {
    case status(TripStatus, previous: TripStatus?)
    /// A vehicle was assigned or replaced; nil if the vehicle was removed.
    case vehicle(String?)
    case location(VehicleLocation, ageSeconds: Double?)
    case eta(ETAFact)
    /// The announced arrival has changed. For the next stop, every change of the shown minute is announced. For the destination, if
    /// another stop comes first, only changes of at least three minutes are announced.
    case promise(WaypointType, arrival: Date, previous: Date)
    case route(points: Int, lengthMeters: Double)
    case waypoints(stopsBefore: Int, own: [OwnStop])
    /// The pickup was moved to another place, and the rider is not in the vehicle yet.
    case pickupChanged
    /// The trip's own stops between pickup and drop-off were changed. Both numbers are 0 if stops were only moved or put in another order.
    case stopsChanged(added: Int, removed: Int)
    /// The drop-off was moved to another place.
    case dropoffChanged
    case traffic([TrafficStretch])
    case drawn(VehicleMotion.Drawn)
    /// A change of the freshness. Without a position, the freshness is nil, unless a request has failed.
    case freshness(Freshness?, ageSeconds: Double?, previous: Freshness?)
    /// The countdown has fallen below two minutes, or was already below two minutes when the trip was first seen.
    case near(WaypointType, ETAText)
    case failure(PollFailure)
    case recovered(afterSeconds: Double)
    case end(TripStatus)
}

/// The displayed arrival at the next of the trip's own stops. For an order, the arrival at the drop-off.
package struct ETAFact: Hashable, Sendable {
    package let waypoint: WaypointType
    package let arrival: Date?
    /// The remaining time until the arrival, in seconds; never negative.
    package let remainingSeconds: Double?
    package let remainingMeters: Double?
    /// For an order, the shop if the courier has not been there yet.
    package let shop: Shop?

    /// A shop that the courier has not reached yet.
    package struct Shop: Hashable, Sendable {
        /// The time at which the courier arrives at the shop; nil while unknown.
        package let arrival: Date?

        package init(arrival: Date?) { self.arrival = arrival }
    }

    package init(waypoint: WaypointType, arrival: Date?, remainingSeconds: Double?, remainingMeters: Double?, shop: Shop? = nil) {
        self.waypoint = waypoint
        self.arrival = arrival
        self.remainingSeconds = remainingSeconds
        self.remainingMeters = remainingMeters
        self.shop = shop
    }
}

/// One of the trip's own remaining stops.
package struct OwnStop: Hashable, Sendable {
    package let type: WaypointType
    package let coordinate: Coordinate
    package let eta: Date?
    /// The distance from the vehicle to the stop along the route, in metres.
    package let distanceMeters: Double?
    /// For the drop-off of an order, the number of deliveries to others before it; otherwise nil.
    package let deliveriesBefore: Int?

    package init(type: WaypointType, coordinate: Coordinate, eta: Date?, distanceMeters: Double?, deliveriesBefore: Int? = nil) {
        self.type = type
        self.coordinate = coordinate
        self.eta = eta
        self.distanceMeters = distanceMeters
        self.deliveriesBefore = deliveriesBefore
    }
}

/// Selects the news about one trip: turns updates and clock ticks into facts.
///
/// The trip's state is in its `JourneyTracker`, which must handle each update and tick first.
package struct TripObserver: Sendable {
    /// The remaining time below which the car counts as near, in seconds.
    package static let nearSeconds = 120.0
    /// The smallest change of the arrival at the destination that is reported while another stop comes next, in minutes.
    private static let destinationMinutes = 3
    /// The arrival at a stop is reported again if it has changed by at least this many seconds.
    private static let waypointTimeSeconds = 60.0
    /// Coordinates within this distance, in metres, are the same stop, because a server may round them.
    private static let samePlaceMeters = 30.0

    /// The trip in the last answer.
    private var trip: Trip?
    private var estimate: ArrivalEstimate?
    /// For each stop, the time at which the last reported arrival was announced.
    private var toldPromises: [JourneyStop: Date] = [:]
    private var toldFreshness: Freshness?
    private var isFreshnessTold = false
    private var toldETA: ETAFact?
    private var toldStops: (before: Int, next: WaypointType?, own: [OwnStop])?
    private var isNearTold = false

    package init() {}

    /// Returns what is new in an update.
    /// - Parameter journey: the trip's tracker, which has already handled the update.
    package mutating func observe(_ update: TripUpdate, _ journey: JourneyTracker) -> [TripFact] {
        let now = update.time
        switch update.kind {
        case .trip(let trip, let changed): return facts(of: trip, changed: changed, journey, now: now)
        case .failure(let failure): return [.failure(failure)] + freshnessFact(journey, now: now)
        case .recovered(let seconds): return [.recovered(afterSeconds: seconds)]
        case .ended(let status): return freshnessFact(journey, now: now) + [.end(status)]
        case .state: return []
        }
    }

    /// Returns the news that arises without an update, only because time has passed.
    package mutating func tick(_ journey: JourneyTracker, now: Date) -> [TripFact] {
        // The freshness cannot change before the first answer or failure.
        (isFreshnessTold ? freshnessFact(journey, now: now) : []) + nearFact(journey, now: now)
    }

    /// The next time at which there can be news without an update, if the program can predict it; otherwise nil.
    package func newsDue(_ journey: JourneyTracker, after now: Date) -> Date? {
        guard isFreshnessTold else { return nil }
        let near = nearSeconds(journey, now: now).map { max(0, $0 - Self.nearSeconds) }
        return [near, journey.secondsToNextFreshness(now: now)].compactMap { $0 }.min().map(now.addingTimeInterval)
    }

    private mutating func facts(of trip: Trip, changed: TripPropertyFields, _ journey: JourneyTracker, now: Date) -> [TripFact] {
        let old = (trip: self.trip, estimate: estimate)
        self.trip = trip
        estimate = journey.estimate
        if estimate?.stop != old.estimate?.stop { isNearTold = false }
        var facts: [TripFact] = []
        // The assignment is reported before the status and the position. If the first answer has no car, that is not news.
        if changed.contains(.vehicleID) && (old.trip != nil || trip.vehicleID != nil) { facts.append(.vehicle(trip.vehicleID)) }
        if changed.contains(.tripStatus) { facts.append(.status(trip.status, previous: old.trip?.status)) }
        facts += Self.changedStops(trip, since: old.trip)
        if journey.isNewFix, let location = trip.lastLocation {
            facts.append(.location(location, ageSeconds: journey.ageSeconds(now: now)))
        }
        facts += routeFacts(trip, changed)
        facts += waypointFacts(trip, journey)
        facts += etaFacts(journey, now: now)
        facts += promiseFacts(journey)
        let isOtherVehicle = changed.contains(.vehicleID) && old.trip?.vehicleID != nil && trip.vehicleID != nil
        return facts + nearFact(journey, now: now) + freshnessFact(journey, now: now, isOtherVehicle: isOtherVehicle)
    }

    private func routeFacts(_ trip: Trip, _ changed: TripPropertyFields) -> [TripFact] {
        var facts: [TripFact] = []
        guard changed.contains(.activeRoute) || changed.contains(.activeRouteTraffic) else { return [] }
        if changed.contains(.activeRoute) {
            facts.append(.route(points: trip.activeRoute.coordinates.count, lengthMeters: trip.activeRoute.lengthMeters))
        }
        if changed.contains(.activeRouteTraffic) { facts.append(.traffic(trip.activeRoute.traffic)) }
        return facts
    }

    private mutating func waypointFacts(_ trip: Trip, _ journey: JourneyTracker) -> [TripFact] {
        let own = Self.ownStops(journey)
        // Only the words for a ride say what the car does at another rider's stop: pick up or drop off.
        let next = trip.stopsBefore > 0 && journey.kind == .ride ? trip.remainingWaypoints.first?.type : nil
        guard isNews(before: trip.stopsBefore, next, own) else { return [] }
        toldStops = (trip.stopsBefore, next, own)
        return [.waypoints(stopsBefore: trip.stopsBefore, own: own)]
    }

    /// Returns the changes of the trip's own stops. Passing a stop is not a change.
    private static func changedStops(_ trip: Trip, since old: Trip?) -> [TripFact] {
        guard let old, !trip.status.isFinal else { return [] }
        let isPickupMoved = trip.status.isBeforePickup && isMoved(old.pickupPoint, to: trip.pickupPoint)
        let pickupChange: TripFact? = isPickupMoved ? .pickupChanged : nil
        // The first answer from a link may lack the stops and the drop-off. If the next answer has them, nothing has changed.
        let stopsChange = old.dropoffPoint == nil ? nil : changedStops(old.intermediateDestinations, trip.intermediateDestinations)
        let dropoffChange: TripFact? = isMoved(old.dropoffPoint, to: trip.dropoffPoint) ? .dropoffChanged : nil
        return [pickupChange, stopsChange, dropoffChange].compactMap { $0 }
    }

    /// Whether a place was moved. A place that becomes known, or is no longer known, was not moved.
    private static func isMoved(_ old: Coordinate?, to new: Coordinate?) -> Bool {
        guard let old, let new else { return false }
        return !isSamePlace(old, new)
    }

    private static func changedStops(_ old: [Coordinate], _ new: [Coordinate]) -> TripFact? {
        guard old.count != new.count || !zip(old, new).allSatisfy({ isSamePlace($0, $1) }) else { return nil }
        // Each new stop is compared with all old stops. This would be slow for long lists, so only the first stops of both lists are
        // compared.
        var removed = Array(old.prefix(JourneyForecast.mostIntermediates))
        var added = 0
        for place in new.prefix(JourneyForecast.mostIntermediates) {
            if let index = removed.firstIndex(where: { isSamePlace($0, place) }) { removed.remove(at: index) } else { added += 1 }
        }
        // A stop that was moved is neither added nor removed.
        return added == removed.count ? .stopsChanged(added: 0, removed: 0) : .stopsChanged(added: added, removed: removed.count)
    }

    private static func isSamePlace(_ a: Coordinate, _ b: Coordinate) -> Bool { a.distanceMeters(to: b) < samePlaceMeters }

    /// The trip's own remaining stops, with their displayed arrivals.
    static func ownStops(_ journey: JourneyTracker) -> [OwnStop] {
        guard let trip = journey.trip else { return [] }
        var along = trip.remainingDistanceMeters
        var meters: [Double?] = []
        for (index, waypoint) in trip.remainingWaypoints.enumerated() {
            if index > 0 { along = along.flatMap { sum in waypoint.distanceMeters.map { sum + $0 } } }
            if trip.owns(waypoint) { meters.append(along) }
        }
        // While the car is at a stop, the server may report the present time as the arrival at that stop.
        let present = trip.status.isAtStop ? ArrivalEstimate(trip)?.stop : nil
        return zip(trip.stopsAhead, meters).map { ahead, meters in
            OwnStop(
                type: ahead.waypoint.type, coordinate: ahead.waypoint.coordinate,
                eta: journey.arrivals[ahead.stop].shown ?? (ahead.stop == present ? nil : ahead.waypoint.eta),
                distanceMeters: meters,
                deliveriesBefore: journey.kind == .order && ahead.waypoint.type == .dropoff ? journey.estimate?.stopsBefore : nil)
        }
    }

    private func isNews(before: Int, _ next: WaypointType?, _ own: [OwnStop]) -> Bool {
        guard let told = toldStops else { return !own.isEmpty || before > 0 }
        guard told.before == before, told.next == next, told.own.count == own.count else { return true }
        return zip(told.own, own).contains { old, new in
            if old.type != new.type || old.coordinate != new.coordinate || (old.eta == nil) != (new.eta == nil) { return true }
            if old.deliveriesBefore != new.deliveriesBefore { return true }
            guard let oldTime = old.eta, let newTime = new.eta else { return false }
            return abs(newTime.timeIntervalSince(oldTime)) >= Self.waypointTimeSeconds
        }
    }

    private mutating func etaFacts(_ journey: JourneyTracker, now: Date) -> [TripFact] {
        guard let estimate else { return [] }
        let fact = ETAFact(
            waypoint: estimate.waypoint, arrival: journey.forecast.shown,
            remainingSeconds: journey.remainingSeconds(now: now).map { max(0, $0) },
            remainingMeters: estimate.remainingMeters,
            shop: journey.isShopAhead ? ETAFact.Shop(arrival: journey.arrivals[.pickup].shown) : nil)
        // Unknown values are news only after a known value.
        guard fact.arrival != nil || fact.remainingMeters != nil || fact.shop?.arrival != nil || toldETA != nil else { return [] }
        let isSame = toldETA.map {
            $0.waypoint == fact.waypoint && $0.arrival == fact.arrival && $0.remainingMeters == fact.remainingMeters
                && $0.shop == fact.shop
        }
        if isSame == true { return [] }
        toldETA = fact
        return [.eta(fact)]
    }

    private mutating func promiseFacts(_ journey: JourneyTracker) -> [TripFact] {
        guard let next = journey.estimate?.stop else { return [] }
        var facts = [promiseFact(of: next, journey, leastMinutes: 1)]
        if next != .dropoff { facts.append(promiseFact(of: .dropoff, journey, leastMinutes: Self.destinationMinutes)) }
        return facts.compactMap { $0 }
    }

    private mutating func promiseFact(of stop: JourneyStop, _ journey: JourneyTracker, leastMinutes: Int) -> TripFact? {
        let promises = journey.arrivals[stop].promises
        guard let last = promises.last else { return nil }
        // A clock adjustment shifts the announced arrivals, so each is identified by the time of its announcement.
        guard let toldAt = toldPromises[stop], let told = promises.last(where: { $0.madeAt <= toldAt }) else {
            toldPromises[stop] = last.madeAt
            return nil
        }
        guard ClockMinutes.count(from: told.arrival, to: last.arrival).magnitude >= leastMinutes else { return nil }
        toldPromises[stop] = last.madeAt
        return .promise(stop.waypoint, arrival: last.arrival, previous: told.arrival)
    }

    private mutating func nearFact(_ journey: JourneyTracker, now: Date) -> [TripFact] {
        guard let seconds = nearSeconds(journey, now: now), seconds <= Self.nearSeconds, let estimate else { return [] }
        isNearTold = true
        return [.near(estimate.waypoint, journey.etaText(now: now))]
    }

    /// The time that the car still needs, in seconds. Nil unless the car drives to the pickup of a ride or the drop-off of an order,
    /// without other stops before it. Also nil once the car has been reported as near, while its position is too old, and after a failed
    /// request.
    private func nearSeconds(_ journey: JourneyTracker, now: Date) -> Double? {
        let lastLeg: TripStatus = journey.kind == .order ? .enrouteToDropoff : .enrouteToPickup
        guard !isNearTold, trip?.status == lastLeg, estimate?.stopsBefore == 0 else { return nil }
        guard journey.failure == nil, toldFreshness == .live || toldFreshness == .quiet else { return nil }
        return journey.remainingSeconds(now: now)
    }

    private mutating func freshnessFact(_ journey: JourneyTracker, now: Date, isOtherVehicle: Bool = false) -> [TripFact] {
        let (word, previous) = (journey.freshness, toldFreshness)
        guard word != previous || !isFreshnessTold else { return [] }
        (isFreshnessTold, toldFreshness) = (true, word)
        // A live position of another vehicle does not mean that the old position is back.
        let before = isOtherVehicle && word == .live ? nil : previous
        return [.freshness(word, ageSeconds: journey.ageSeconds(now: now), previous: before)]
    }
}
