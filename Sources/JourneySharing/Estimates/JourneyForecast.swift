public import FleetEngine
import FoundationEssentials

/// One of a trip's own stops.
public struct JourneyStop: Hashable, Sendable {
    /// What happens at the stop.
    public let waypoint: WaypointType
    /// For intermediate stops the place in the trip's list, from 0.
    public let intermediateIndex: Int?

    package init(_ waypoint: WaypointType, intermediateIndex: Int? = nil) {
        self.waypoint = waypoint
        self.intermediateIndex = waypoint == .intermediate ? intermediateIndex : nil
    }

    /// Where the rider gets in.
    public static let pickup = JourneyStop(.pickup)
    /// Where the trip ends.
    public static let dropoff = JourneyStop(.dropoff)

    /// A stop on the way.
    /// - Parameter index: its place in the trip's list, from 0.
    public static func intermediate(_ index: Int) -> JourneyStop { JourneyStop(.intermediate, intermediateIndex: index) }
}

/// The arrival at each of a trip's own stops: the one object that every view, line and alert reads.
///
/// A stop has a forecast from the first time that the server tells for it. What was promised stays known when the stop is behind.
public struct JourneyForecast: Hashable, Sendable {
    /// More stops on the way have no forecast.
    package static let mostIntermediates = 99

    private var stops: [JourneyStop: ArrivalForecast] = [:]

    /// No stop has a time.
    public init() {}

    /// The forecast for a stop; one that has seen no estimate where the server has told no time.
    public subscript(stop: JourneyStop) -> ArrivalForecast { stops[stop] ?? ArrivalForecast() }

    /// Takes in an answer that arrived at `now`.
    /// - Parameter next: arrival at the trip's own next stop, of the same answer; nil when the trip is over.
    mutating func observe(_ trip: Trip, next: ArrivalEstimate?, now: Date) {
        guard let next else { return }
        let count = trip.intermediateDestinations.count
        stops = stops.filter { stop, _ in stop == next.stop || stop.intermediateIndex.map { $0 < count } ?? true }
        // A vehicle that has arrived moves no arrival: it may be led back to the stop that it is leaving.
        if !trip.status.isAtStop || self[next.stop].shown == nil { observe(next.time, at: next.stop, now: now) }
        for stop in Self.later(than: next.stop, in: trip) { observe(trip.time(ofLater: stop), at: stop, now: now) }
    }

    private mutating func observe(_ time: Date?, at stop: JourneyStop, now: Date) {
        stops[stop, default: ArrivalForecast()].observe(time, now: now)
    }

    /// The trip's own stops behind the next one.
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

    /// Takes in that the server's clock was set.
    mutating func shift(bySeconds seconds: Double) {
        for stop in stops.keys { stops[stop]?.shift(bySeconds: seconds) }
    }
}

extension Trip {
    /// The trip's own stops that are still ahead, as its waypoints list them.
    package var stopsAhead: [(stop: JourneyStop, waypoint: TripWaypoint)] {
        let own = ownRemainingWaypoints
        // The last of the trip's stops on the way are those ahead.
        var index = max(0, intermediateDestinations.count - own.count { $0.type == .intermediate })
        return own.map { waypoint in
            defer { if waypoint.type == .intermediate { index += 1 } }
            return (JourneyStop(waypoint.type, intermediateIndex: index), waypoint)
        }
    }

    /// The server's time for a stop behind the next one.
    fileprivate func time(ofLater stop: JourneyStop) -> Date? {
        let listed = stopsAhead.last { $0.stop == stop }?.waypoint.eta
        return stop == .dropoff ? dropoffTime ?? listed : listed
    }
}
