public import FleetEngine
public import Geo

/// The next stop of a car, and the state of the trip that the stop belongs to.
public struct PhoneStop: Hashable, Sendable {
    /// Bare id of the stop's trip.
    public var tripID: String
    /// Coordinate of the stop.
    public var coordinate: Coordinate
    /// The trip's current status.
    public var status: TripStatus
    /// Index of the next or current intermediate destination; 0 if the trip has none.
    public var intermediateIndex: Int
    /// Number of the trip's intermediate destinations.
    public var intermediateCount: Int
    /// Whether the trip has a drop-off. A trip without a drop-off ends at its last stop.
    public var hasDropoff: Bool

    /// Creates the next stop of a car.
    public init(
        tripID: String, coordinate: Coordinate, status: TripStatus, intermediateIndex: Int = 0, intermediateCount: Int = 0,
        hasDropoff: Bool = true
    ) {
        self.tripID = tripID
        self.coordinate = coordinate
        self.status = status
        self.intermediateIndex = intermediateIndex
        self.intermediateCount = intermediateCount
        self.hasDropoff = hasDropoff
    }
}

/// A change of a trip's status.
public struct PhoneMove: Hashable, Sendable {
    /// New status of the trip.
    public let status: TripStatus
    /// Index of the intermediate destination, for a status that refers to one; otherwise nil.
    public let intermediateIndex: Int?

    init(_ status: TripStatus, intermediateIndex: Int? = nil) {
        self.status = status
        self.intermediateIndex = intermediateIndex
    }
}

/// Changes the status of a car's trips according to the car's position, one step at a time.
///
/// An assigned trip becomes enroute to its pickup. A car that is slow and within the radius of a stop has arrived at the stop. At the
/// drop-off, this completes the trip. Once the car is farther away than twice the radius, the trip is enroute to the next stop, or complete
/// if it has no further stop.
///
/// A fix that is less accurate than the radius shows neither an arrival nor a departure. A status that another caller has set takes
/// precedence: from then on, nothing changes until the car has been within the radius of the next stop.
public struct PhoneTrips: Hashable, Sendable {
    /// Speed below which a car counts as stationary, in metres per second.
    public static let slowMetersPerSecond = 2.0

    /// The state that a trip had after the last step.
    package struct Known: Hashable, Sendable {
        package let tripID: String
        package let status: TripStatus
        package let intermediateIndex: Int

        package init(tripID: String, status: TripStatus, intermediateIndex: Int) {
            self.tripID = tripID
            self.status = status
            self.intermediateIndex = intermediateIndex
        }
    }

    /// State of the next stop's trip after the last step; nil for a car without a trip.
    package private(set) var known: Known?
    /// Whether another caller has set the trip's status. If so, nothing changes until the car has been within the radius of the next
    /// stop.
    package private(set) var isHeld = false
    /// Whether the car has been within the radius of the stop since the trip got its current status.
    package private(set) var wasWithin = false

    /// Creates the state of a car without a trip.
    public init() {}

    /// Restores a saved state.
    package init(known: Known?, isHeld: Bool, wasWithin: Bool) {
        self.known = known
        self.isHeld = isHeld
        self.wasWithin = wasWithin
    }

    /// Returns the next change to the trip that owns the car's next stop; nil if nothing changes. After a change, call this method again.
    ///
    /// - Parameters:
    ///   - stop: the next stop; nil if the car has no stop.
    ///   - fix: the car's newest fix if it has just come in; nil if only time has passed.
    ///   - speedMetersPerSecond: the car's speed; nil if unknown. A car of unknown speed does not count as arrived.
    ///   - radiusMeters: the distance from a stop up to which the car counts as being there.
    public mutating func step(
        _ stop: PhoneStop?, fix: PhoneFix?, speedMetersPerSecond: Double?, radiusMeters: Double
    ) -> PhoneMove? {
        guard let stop else {
            self = PhoneTrips()
            return nil
        }
        look(at: stop)
        let meters = fix.flatMap { $0.fits(radiusMeters) ? stop.metersAway($0.coordinate, ifWithin: 2 * radiusMeters) : nil }
        if let meters, meters <= radiusMeters { (wasWithin, isHeld) = (true, false) }
        guard !isHeld, let move = move(stop, meters, speedMetersPerSecond, radiusMeters) else { return nil }
        known = Known(tripID: stop.tripID, status: move.status, intermediateIndex: move.intermediateIndex ?? stop.intermediateIndex)
        // On arrival, the car is within the radius, so `wasWithin` stays true.
        if !move.status.isArrival { wasWithin = false }
        return move
    }

    private mutating func look(at stop: PhoneStop) {
        let seen = Known(tripID: stop.tripID, status: stop.status, intermediateIndex: stop.intermediateIndex)
        guard seen != known else { return }
        isHeld = known?.tripID == stop.tripID
        wasWithin = false
        known = seen
    }

    private func move(_ stop: PhoneStop, _ meters: Double?, _ speed: Double?, _ radius: Double) -> PhoneMove? {
        if stop.status == .new { return PhoneMove(.enrouteToPickup) }
        guard let meters else { return nil }
        let isAtStop = meters <= radius && speed.map { $0 < Self.slowMetersPerSecond } ?? false
        let hasLeft = wasWithin && meters > 2 * radius
        switch stop.status {
        case .enrouteToPickup: return isAtStop ? PhoneMove(.arrivedAtPickup) : nil
        case .enrouteToIntermediateDestination:
            // The trip's provider may have removed the destination.
            guard stop.intermediateIndex < stop.intermediateCount else { return stop.departure(to: stop.intermediateIndex) }
            return isAtStop ? PhoneMove(.arrivedAtIntermediateDestination, intermediateIndex: stop.intermediateIndex) : nil
        case .enrouteToDropoff: return isAtStop ? PhoneMove(.complete) : nil
        case .arrivedAtPickup: return hasLeft ? stop.departure(to: 0) : nil
        case .arrivedAtIntermediateDestination: return hasLeft ? stop.departure(to: stop.intermediateIndex + 1) : nil
        case .unknown, .new, .complete, .canceled: return nil
        }
    }
}

extension PhoneStop {
    /// The minimum length of one degree of latitude, in metres.
    private static let leastMetersPerDegree = 110_500.0

    /// Returns the distance from the stop, in metres; infinity if the difference in latitude alone exceeds the limit.
    fileprivate func metersAway(_ place: Coordinate, ifWithin limit: Double) -> Double {
        let north = abs(place.latitude - coordinate.latitude) * Self.leastMetersPerDegree
        return north > limit ? .infinity : place.distanceMeters(to: coordinate)
    }

    fileprivate func departure(to index: Int) -> PhoneMove {
        if index < intermediateCount { return PhoneMove(.enrouteToIntermediateDestination, intermediateIndex: index) }
        return PhoneMove(hasDropoff ? .enrouteToDropoff : .complete)
    }
}

extension TripStatus {
    fileprivate var isArrival: Bool { self == .arrivedAtPickup || self == .arrivedAtIntermediateDestination }
}
