public import FleetEngine
public import Geo

/// The stop that a car makes next, and how its trip stands.
public struct PhoneStop: Hashable, Sendable {
    /// Of whom the stop is, bare.
    public var tripID: String
    /// Where it is.
    public var coordinate: Coordinate
    /// How the trip stands now.
    public var status: TripStatus
    /// Which of the trip's intermediate destinations comes next or is reached; 0 without any.
    public var intermediateIndex: Int
    /// How many intermediate destinations the trip has.
    public var intermediateCount: Int
    /// Whether the trip ends somewhere, and not where its last stop but that is.
    public var hasDropoff: Bool

    /// The first stop ahead of a car.
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

/// What a trip becomes.
public struct PhoneMove: Hashable, Sendable {
    /// The trip's status from now on.
    public let status: TripStatus
    /// Named with the status where it says which intermediate destination it is about.
    public let intermediateIndex: Int?

    init(_ status: TripStatus, intermediateIndex: Int? = nil) {
        self.status = status
        self.intermediateIndex = intermediateIndex
    }
}

/// Moves the trips of a phone's car by where the car is, one step at a time.
///
/// Assigned → on the way; within the radius of the stop and slow → arrived, at the drop-off complete; away again by more than twice the
/// radius → on the way to the next stop. A fix that is less accurate than the radius moves nothing. A status that is set elsewhere wins: after
/// it nothing moves until the car has been within the radius of the next stop.
public struct PhoneTrips: Hashable, Sendable {
    /// A car that is slower stands, metres per second.
    public static let slowMetersPerSecond = 2.0

    /// A trip as it was left.
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

    /// The next stop's trip as it was left here.
    package private(set) var known: Known?
    /// Whether somebody else has moved the trip since.
    package private(set) var isHeld = false
    /// Whether the car was within the radius of the stop while the trip stood as it stands.
    package private(set) var wasWithin = false

    /// For a car without a trip.
    public init() {}

    /// Goes on where others were left.
    package init(known: Known?, isHeld: Bool, wasWithin: Bool) {
        self.known = known
        self.isHeld = isHeld
        self.wasWithin = wasWithin
    }

    /// The next step of the trip whose stop comes next; nil for none. To be asked again after the trip has become what it says.
    ///
    /// - Parameters:
    ///   - stop: nil when there is none ahead.
    ///   - fix: the car's newest one when it has just come; nil when only time has passed.
    ///   - speedMetersPerSecond: nil when it is not known: a car that may be fast has not arrived.
    ///   - radiusMeters: how far from a stop the car is at it.
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
        // What makes a car arrive is a fix at the stop.
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
            return isAtStop ? PhoneMove(.arrivedAtIntermediateDestination, intermediateIndex: stop.intermediateIndex) : nil
        case .enrouteToDropoff: return isAtStop ? PhoneMove(.complete) : nil
        case .arrivedAtPickup: return hasLeft ? stop.departure(to: 0) : nil
        case .arrivedAtIntermediateDestination: return hasLeft ? stop.departure(to: stop.intermediateIndex + 1) : nil
        case .unknown, .new, .complete, .canceled: return nil
        }
    }
}

extension PhoneStop {
    /// A degree of latitude is nowhere shorter.
    private static let leastMetersPerDegree = 110_500.0

    /// The exact distance where it counts; infinite where the latitudes alone say that it is farther.
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
