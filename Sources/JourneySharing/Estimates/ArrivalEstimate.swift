public import FleetEngine
public import FoundationEssentials

/// The vehicle's arrival time at this trip's own next stop, and the vehicle's distance to this stop, from one answer of the server. For an
/// order, the stop is the drop-off.
public struct ArrivalEstimate: Hashable, Sendable {
    /// Type of the stop: this trip's next stop, or the drop-off for an order.
    public let waypoint: WaypointType
    /// Index of an intermediate stop in the trip's list, from 0; nil for other types.
    public let intermediateIndex: Int?
    /// Arrival time of the vehicle; nil if it is unknown. The sources, in this order: the trip's own forecast (only for a pickup or a
    /// drop-off), the vehicle's ETA if it drives to this stop next, and the ETA in the list of stops.
    public let time: Date?
    /// Distance from the vehicle to the stop along the route, through all earlier stops, in metres.
    public let remainingMeters: Double?
    /// Number of other trips' stops before this stop. For an order, the number of deliveries to others before the drop-off, counted from
    /// the shop or, after the pickup, from the vehicle.
    public let stopsBefore: Int

    /// The stop of this estimate: this trip's own next stop, or the drop-off for an order.
    public var stop: JourneyStop { JourneyStop(waypoint, intermediateIndex: intermediateIndex) }

    /// Creates the estimate for a trip's own next stop; nil if the trip is over.
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

    /// Creates the estimate for the stop of the countdown: the next stop of a ride, or the drop-off of an order. Nil if the trip is over.
    init?(_ trip: Trip, kind: TripKind) {
        switch kind {
        case .ride: self.init(trip)
        case .order: self.init(dropoffOf: trip)
        }
    }

    /// Creates the estimate for the drop-off; nil if the trip is over. The time comes only from the trip's own forecast or from an ETA for
    /// the drop-off itself.
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
    /// Returns the number of deliveries to others before the drop-off. The count starts at the shop; after the pickup, it starts at the
    /// vehicle. The result is 0 if the list lacks the drop-off. Before the pickup, it is also 0 if the list lacks the shop.
    /// - Parameter dropoff: index of the drop-off in the list of stops; nil if it is not listed.
    fileprivate func deliveriesBefore(_ dropoff: Int?) -> Int {
        let shop = remainingWaypoints.lastIndex { owns($0) && $0.type == .pickup }
        guard let dropoff, shop != nil || !status.isBeforePickup else { return 0 }
        return remainingWaypoints.prefix(dropoff).dropFirst(shop.map { $0 + 1 } ?? 0).count { !owns($0) && $0.type == .dropoff }
    }
}

/// Arrival time for display, and the arrival times that were shown before. The shown time stays steady while the server's estimates
/// flicker, and follows real changes.
///
/// The shown time is the median of the previous shown time, the previous estimate and the new one. A change of two minutes or more is shown
/// at once. After one answer without an estimate, the shown time stays; after two such answers in a row, it is unknown.
///
/// Each change of the shown minute is a new promise. While the estimate differs from the last promise by less than
/// ``promiseToleranceSeconds``, the shown minute stays. An estimate that moves around a full minute therefore causes no new
/// promises.
public struct ArrivalForecast: Hashable, Sendable {
    /// An arrival time that was shown to the rider.
    public struct Promise: Hashable, Sendable {
        /// Time at which the arrival time was first shown.
        public let madeAt: Date
        /// Shown arrival time.
        public let arrival: Date
    }

    /// Smallest change that is shown at once, in seconds.
    public static let immediateChangeSeconds = 120.0
    /// Smallest difference from the last promise that can change the shown minute, in seconds.
    public static let promiseToleranceSeconds = 30.0
    private static let promisesKept = 256

    /// Arrival time to show; nil while it is unknown.
    public private(set) var shown: Date?
    /// Arrival times promised for the current stop, oldest first.
    public private(set) var promises: [Promise] = []
    private var stop: JourneyStop?
    private var previous: Date?
    private var isMissing = false
    /// Promise that another program shows for the stop. It is continued if the first estimate is close to it.
    private var shownElsewhere: Date?

    /// Creates a forecast that has no estimate yet.
    public init() {}

    /// Creates a forecast that continues the forecast of another program.
    /// - Parameter shownElsewhere: latest promise of the other program.
    init(shownElsewhere: Date) { self.shownElsewhere = shownElsewhere }

    /// Adds the estimate from an answer that arrived at `now`. If the stop is not the same as before, first forgets all earlier times.
    /// - Returns: whether the shown time changed.
    @discardableResult
    public mutating func observe(_ estimate: ArrivalEstimate?, now: Date) -> Bool {
        let before = shown
        if estimate?.stop != stop {
            self = ArrivalForecast()
            stop = estimate?.stop
        }
        observe(estimate?.time, now: now)
        return shown != before
    }

    /// Adds the arrival time from an answer that arrived at `now`. The stop is the same as before.
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

    /// Shifts all arrival times after the server's clock has been adjusted, so that the remaining times stay the same.
    mutating func shift(bySeconds seconds: Double) {
        shown = shown?.addingTimeInterval(seconds)
        previous = previous?.addingTimeInterval(seconds)
        shownElsewhere = nil
        promises = promises.map { Promise(madeAt: $0.madeAt, arrival: $0.arrival.addingTimeInterval(seconds)) }
        // The shift alone could move the shown time out of the minute that was last promised.
        if let last = promises.last { shown = shown.map { ClockMinutes.nearest(to: $0, inMinuteOf: last.arrival) } }
    }

    /// Forgets the shown time after the vehicle has stopped driving to the stop. The promises are kept.
    mutating func withdraw() {
        (shown, previous) = (nil, nil)
        isMissing = true
    }

    private static func isKept(_ promise: Date, _ estimate: Date) -> Bool {
        abs(estimate.timeIntervalSince(promise)) < promiseToleranceSeconds
    }

    private static func middle(_ a: Date, _ b: Date, _ c: Date) -> Date { max(min(a, b), min(max(a, b), c)) }

    /// Latest promise minus the first, in seconds; positive means late.
    public var driftSeconds: Double {
        guard let first = promises.first, let last = promises.last else { return 0 }
        return last.arrival.timeIntervalSince(first.arrival)
    }

    /// Number of times that the promise changed.
    public var moves: Int { max(0, promises.count - 1) }

    /// Shows an estimate.
    /// - Returns: whether the shown time changed.
    private mutating func show(_ estimate: Date, now: Date) -> Bool {
        if promises.isEmpty, let shownElsewhere,
            Self.isKept(shownElsewhere, estimate) || ClockMinutes.count(from: shownElsewhere, to: estimate) == 0
        {
            promises = [Promise(madeAt: now, arrival: shownElsewhere)]
        }
        let promise = promises.last?.arrival
        let isKept = promise.map { Self.isKept($0, estimate) } ?? false
        let time = promise.map { isKept ? ClockMinutes.nearest(to: estimate, inMinuteOf: $0) : estimate } ?? estimate
        guard time != shown else { return false }
        shown = time
        if let last = promises.last, ClockMinutes.count(from: last.arrival, to: time) == 0 { return true }
        if promises.count == Self.promisesKept { promises.remove(at: 1) }
        promises.append(Promise(madeAt: now, arrival: time))
        return true
    }
}
