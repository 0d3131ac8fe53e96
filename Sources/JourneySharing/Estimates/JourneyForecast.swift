public import FleetEngine
import FoundationEssentials

/// One of a trip's own stops.
public struct JourneyStop: Hashable, Sendable {
    /// Type of the stop.
    public let waypoint: WaypointType
    /// Index of an intermediate stop in the trip's list, from 0; nil for other types.
    public let intermediateIndex: Int?

    package init(_ waypoint: WaypointType, intermediateIndex: Int? = nil) {
        self.waypoint = waypoint
        self.intermediateIndex = waypoint == .intermediate ? intermediateIndex : nil
    }

    /// Stop where the rider gets in.
    public static let pickup = JourneyStop(.pickup)
    /// Stop where the trip ends.
    public static let dropoff = JourneyStop(.dropoff)

    /// Returns the intermediate stop with this index.
    /// - Parameter index: index in the trip's list, from 0.
    public static func intermediate(_ index: Int) -> JourneyStop { JourneyStop(.intermediate, intermediateIndex: index) }
}

/// Arrival times at each of a trip's own stops, for all views, printed lines and alerts.
///
/// The forecast for a stop starts with the first arrival time that the server sends for it. The promises for a stop are kept
/// after the vehicle has left it.
public struct JourneyForecast: Hashable, Sendable {
    /// Maximum number of intermediate stops with a forecast.
    package static let mostIntermediates = 99

    private var stops: [JourneyStop: ArrivalForecast] = [:]

    /// Creates a forecast without any times.
    public init() {}

    /// Returns the forecast for a stop; an empty forecast if the server has sent no time for the stop.
    public subscript(stop: JourneyStop) -> ArrivalForecast { stops[stop] ?? ArrivalForecast() }

    /// Adds an answer that arrived at `now`.
    /// - Parameter next: estimate for the trip's own next stop, from the same answer; nil if the trip is over.
    mutating func observe(_ trip: Trip, next: ArrivalEstimate?, now: Date) {
        guard let next else { return }
        let count = trip.intermediateDestinations.count
        stops = stops.filter { stop, _ in stop == next.stop || stop.intermediateIndex.map { $0 < count } ?? true }
        // At a stop, the shown time is kept: the server may name the present time, or route the vehicle back to the stop that it is leaving.
        if !trip.status.isAtStop { observe(next.time, at: next.stop, now: now) }
        for stop in Self.later(than: next.stop, in: trip) { observe(trip.time(ofLater: stop), at: stop, now: now) }
    }

    private mutating func observe(_ time: Date?, at stop: JourneyStop, now: Date) {
        stops[stop, default: ArrivalForecast()].observe(time, now: now)
    }

    /// Returns the trip's own stops after its next stop.
    private static func later(than next: JourneyStop, in trip: Trip) -> [JourneyStop] {
        let first: Int? =
            switch next.waypoint {
            case .pickup: 0
            case .intermediate: next.intermediateIndex.flatMap { $0 < mostIntermediates ? $0 + 1 : nil }
            case .dropoff, .unknown: nil
            }
        let between = trip.intermediateDestinations.indices.prefix(mostIntermediates)
        return between.filter { index in first.map { index >= $0 } ?? false }.map(JourneyStop.intermediate)
            + (next == .dropoff ? [] : [.dropoff])
    }

    /// Continues the forecast that another program shows for a stop.
    mutating func continueForecast(shownElsewhere arrival: Date, at stop: JourneyStop) {
        if stops[stop] == nil { stops[stop] = ArrivalForecast(shownElsewhere: arrival) }
    }

    /// Forgets all shown times, because the trip has no vehicle any more.
    mutating func withdraw() {
        for stop in stops.keys { stops[stop]?.withdraw() }
    }

    /// Adapts to a change of the server's clock.
    mutating func shift(bySeconds seconds: Double) {
        for stop in stops.keys { stops[stop]?.shift(bySeconds: seconds) }
    }
}

extension Trip {
    /// The trip's own stops that are still ahead, with their waypoints.
    package var stopsAhead: [(stop: JourneyStop, waypoint: TripWaypoint)] {
        let own = ownRemainingWaypoints
        // The intermediate stops ahead are the last ones in the trip's list.
        var index = max(0, intermediateDestinations.count - own.count { $0.type == .intermediate })
        return own.map { waypoint in
            defer { if waypoint.type == .intermediate { index += 1 } }
            return (JourneyStop(waypoint.type, intermediateIndex: index), waypoint)
        }
    }

    /// Returns the server's arrival time for a stop after the next one.
    fileprivate func time(ofLater stop: JourneyStop) -> Date? {
        let listed = stopsAhead.last { $0.stop == stop }?.waypoint.eta
        return stop == .dropoff ? dropoffTime ?? listed : listed
    }
}
