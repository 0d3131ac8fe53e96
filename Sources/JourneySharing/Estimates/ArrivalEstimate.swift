public import FleetEngine
public import FoundationEssentials

/// Arrival at this trip's own next stop, or at an order's drop-off, as one answer of the server has it.
public struct ArrivalEstimate: Hashable, Sendable {
    /// Which of this trip's stops comes next; the drop-off for an order.
    public let waypoint: WaypointType
    /// For intermediate stops the place in the trip's list, from 0.
    public let intermediateIndex: Int?
    /// When the vehicle arrives: the trip's own forecast, else the vehicle's ETA if this stop is its next, else the stop's ETA in the list;
    /// nil without any.
    public let time: Date?
    /// Along the route, through all stops before.
    public let remainingMeters: Double?
    /// Stops of other trips before it; for an order the deliveries to others between the shop and its drop-off.
    public let stopsBefore: Int

    /// The trip's own next stop; the drop-off for an order.
    public var stop: JourneyStop { JourneyStop(waypoint, intermediateIndex: intermediateIndex) }

    /// Nil when the trip is over.
    ///
    /// The vehicle's own ETA and distance are used only if its next stop is this trip's: another rider's stop says nothing about this
    /// trip's.
    public init?(_ trip: Trip) {
        guard let waypoint = Self.nextStop(of: trip) else { return nil }
        self.waypoint = waypoint
        intermediateIndex = waypoint == .intermediate ? trip.intermediateDestinationIndex : nil
        stopsBefore = trip.stopsBefore
        let place = trip.remainingWaypoints.firstIndex { trip.owns($0) }
        let isVehiclesNext = place == 0 || trip.remainingWaypoints.isEmpty
        let listed = place.map { trip.remainingWaypoints[$0] }
        time = Self.time(of: waypoint, trip: trip, listed: listed, isVehiclesNext: isVehiclesNext)
        remainingMeters = Self.remainingMeters(trip, through: place)
    }

    /// The stop that is counted down to: the next one of a ride, and an order's drop-off, whatever comes before it.
    init?(_ trip: Trip, kind: TripKind) {
        switch kind {
        case .ride: self.init(trip)
        case .order: self.init(dropoffOf: trip)
        }
    }

    /// Nothing is guessed: only the trip's own forecast and an ETA for this very stop count.
    private init?(dropoffOf trip: Trip) {
        if trip.status.isFinal { return nil }
        let place = trip.remainingWaypoints.lastIndex { trip.owns($0) && $0.type == .dropoff }
        let isVehiclesNext = place == 0 || (trip.remainingWaypoints.isEmpty && trip.status == .enrouteToDropoff)
        waypoint = .dropoff
        intermediateIndex = nil
        stopsBefore = trip.deliveriesBefore(place)
        time = Self.time(
            of: .dropoff, trip: trip, listed: place.map { trip.remainingWaypoints[$0] }, isVehiclesNext: isVehiclesNext)
        remainingMeters = place != nil || isVehiclesNext ? Self.remainingMeters(trip, through: place) : nil
    }

    private static func nextStop(of trip: Trip) -> WaypointType? {
        switch trip.status {
        case .complete, .canceled: nil
        case .new, .enrouteToPickup, .arrivedAtPickup: .pickup
        case .enrouteToIntermediateDestination, .arrivedAtIntermediateDestination: .intermediate
        case .enrouteToDropoff: .dropoff
        case .unknown: trip.ownRemainingWaypoints.first.map(\.type) ?? .unknown
        }
    }

    private static func time(of waypoint: WaypointType, trip: Trip, listed: TripWaypoint?, isVehiclesNext: Bool) -> Date? {
        let vehiclesOwn = isVehiclesNext ? trip.etaToNextWaypoint : nil
        return switch waypoint {
        case .pickup: trip.pickupTime ?? vehiclesOwn ?? listed?.eta
        case .dropoff: trip.dropoffTime ?? vehiclesOwn ?? listed?.eta
        case .intermediate, .unknown: vehiclesOwn ?? listed?.eta
        }
    }

    private static func remainingMeters(_ trip: Trip, through place: Int?) -> Double? {
        guard let first = trip.remainingDistanceMeters else { return nil }
        guard let place, place > 0 else { return first }
        var sum = first
        for leg in trip.remainingWaypoints[1...place] {
            guard let meters = leg.distanceMeters else { return nil }
            sum += meters
        }
        return sum
    }
}

extension Trip {
    /// The deliveries to others between the shop, or here once that is behind, and the drop-off.
    /// - Parameter dropoff: its place in the list of stops; nil where it is not listed.
    fileprivate func deliveriesBefore(_ dropoff: Int?) -> Int {
        let shop = remainingWaypoints.lastIndex { owns($0) && $0.type == .pickup }
        guard let dropoff, shop != nil || !status.isBeforePickup else { return 0 }
        return remainingWaypoints.prefix(dropoff).dropFirst(shop.map { $0 + 1 } ?? 0).count { !owns($0) && $0.type == .dropoff }
    }
}

/// The arrival time for display: calm where the server's estimates flicker, honest where they move, with the history of the promises.
///
/// A new estimate is shown once it has lasted two polls, or at once if it moves by two minutes or more: the shown time is the median of
/// the time shown before, the estimate before and the new one. One answer without an estimate is a gap, two are news.
public struct ArrivalForecast: Hashable, Sendable {
    /// A time of arrival that was shown to the rider.
    public struct Promise: Hashable, Sendable {
        /// When it was first shown.
        public let madeAt: Date
        /// The arrival that was shown.
        public let arrival: Date
    }

    /// A change of at least this is shown at once, seconds.
    public static let immediateChangeSeconds = 120.0
    /// A change of at least this is a new promise, seconds.
    public static let newPromiseSeconds = 60.0
    private static let promisesKept = 256

    /// The arrival time to show; nil while unknown.
    public private(set) var shown: Date?
    /// The times announced for the present stop, oldest first; a flat row is good.
    public private(set) var promises: [Promise] = []
    private var stop: JourneyStop?
    private var previous: Date?
    private var isMissing = false

    /// A forecast that has seen no estimate.
    public init() {}

    /// Takes in the estimate of an answer that arrived at `now`.
    /// - Returns: whether the shown time changed.
    @discardableResult
    public mutating func observe(_ estimate: ArrivalEstimate?, now: Date) -> Bool {
        if estimate?.stop != stop {
            self = ArrivalForecast()
            stop = estimate?.stop
        }
        return observe(estimate?.time, now: now)
    }

    /// Takes in the time that an answer, which arrived at `now`, tells for the same stop as before.
    @discardableResult
    mutating func observe(_ time: Date?, now: Date) -> Bool {
        guard let time else {
            let isNews = isMissing && shown != nil
            isMissing = true
            if isNews { (shown, previous) = (nil, nil) }
            return isNews
        }
        isMissing = false
        defer { previous = time }
        guard let current = shown else { return show(time, now: now) }
        if abs(time.timeIntervalSince(current)) >= Self.immediateChangeSeconds { return show(time, now: now) }
        let middle = Self.middle(current, previous ?? current, time)
        return middle == current ? false : show(middle, now: now)
    }

    /// Takes in that the server's clock was set: what was promised is as far away as it was.
    mutating func shift(bySeconds seconds: Double) {
        shown = shown?.addingTimeInterval(seconds)
        previous = previous?.addingTimeInterval(seconds)
        promises = promises.map { Promise(madeAt: $0.madeAt, arrival: $0.arrival.addingTimeInterval(seconds)) }
    }

    private static func middle(_ a: Date, _ b: Date, _ c: Date) -> Date { max(min(a, b), min(max(a, b), c)) }

    /// Latest promise minus the first, seconds; positive is late.
    public var driftSeconds: Double {
        guard let first = promises.first, let last = promises.last else { return 0 }
        return last.arrival.timeIntervalSince(first.arrival)
    }

    /// How often the promise was moved.
    public var moves: Int { max(0, promises.count - 1) }

    private mutating func show(_ time: Date, now: Date) -> Bool {
        shown = time
        if let last = promises.last, abs(time.timeIntervalSince(last.arrival)) < Self.newPromiseSeconds { return true }
        if promises.count == Self.promisesKept { promises.remove(at: 1) }
        promises.append(Promise(madeAt: now, arrival: time))
        return true
    }
}
