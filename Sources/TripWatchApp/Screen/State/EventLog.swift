public import FleetEngine
public import FoundationEssentials
public import JourneySharing

/// Something that happened to a trip, kept as facts: what is known later (the car's name) and how it is told (units) may change.
public struct LoggedEvent: Hashable, Sendable {
    public enum Kind: Hashable, Sendable {
        case status(TripStatus, stopIndex: Int, isFirst: Bool)
        /// A car came, or (nil) was taken away.
        case vehicle(String?)
        case promise(WaypointType, arrival: Date, previous: Date)
        case freshness(Freshness, previous: Freshness?, ageSeconds: Double?)
        case near
        case othersFirst(Int)
        case failure(PollFailure)
        case recovered(afterSeconds: Double)
        case note(String)
    }

    public var time: Date
    public var kind: Kind
}

/// What happened, newest last, as much of it as somebody reads.
public struct EventLog: Hashable, Sendable {
    private static let maximumCount = 500

    public private(set) var events: [LoggedEvent] = []

    public init() {}

    /// Adds an event. A failure like the one before takes its place, so that an outage is one line that counts.
    public mutating func add(_ kind: LoggedEvent.Kind, at time: Date) {
        if case .failure(let new) = kind, case .failure(let old)? = events.last?.kind, new.error.code == old.error.code {
            events.removeLast()
        }
        events.append(LoggedEvent(time: time, kind: kind))
        if events.count > Self.maximumCount { events.removeFirst(events.count - Self.maximumCount) }
    }

    mutating func add(_ fact: TripFact, of trip: Trip?, at time: Date) {
        switch fact {
        case .status(let status, let previous):
            add(.status(status, stopIndex: trip?.stopIndex ?? 0, isFirst: previous == nil), at: time)
        case .vehicle(let id): add(.vehicle(id), at: time)
        case .promise(let waypoint, let arrival, let previous):
            add(.promise(waypoint, arrival: arrival, previous: previous), at: time)
        case .freshness(let state, let age, let previous): addFreshness(state, age, previous, hasVehicle: trip?.vehicleID != nil, at: time)
        case .near: add(.near, at: time)
        case .waypoints(let before, _): addStopsBefore(before, at: time)
        case .failure(let failure): add(.failure(failure), at: time)
        case .recovered(let seconds): add(.recovered(afterSeconds: seconds), at: time)
        case .location, .eta, .route, .traffic, .drawn, .end: break
        }
    }

    private mutating func addFreshness(
        _ state: Freshness?, _ age: Double?, _ previous: Freshness?, hasVehicle: Bool, at time: Date
    ) {
        guard let state else {
            // Of a car that is gone, the event about the car says it.
            if hasVehicle, [.live, .quiet, .notLive].contains(previous) { add(.note("The car's position is not known"), at: time) }
            return
        }
        switch state {
        case .quiet, .notLive: add(.freshness(state, previous: previous, ageSeconds: age), at: time)
        case .live where previous == .quiet || previous == .notLive:
            add(.freshness(state, previous: previous, ageSeconds: age), at: time)
        case .live, .offline, .stopped, .ended: break
        }
    }

    private mutating func addStopsBefore(_ count: Int, at time: Date) {
        let known = events.last { if case .othersFirst = $0.kind { true } else { false } }
        if let known, case .othersFirst(count) = known.kind { return }
        if known != nil || count > 0 { add(.othersFirst(count), at: time) }
    }
}
