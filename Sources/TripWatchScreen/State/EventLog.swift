import FleetEngine
package import FoundationEssentials
import JourneySharing
package import TripWatchWords

/// Something that happened to a trip, kept as a fact: what is known later (the car's name) and how it is told (units) may change.
package struct LoggedEvent: Hashable, Sendable {
    package enum Content: Hashable, Sendable {
        /// What was told of the trip, and the place of its next stop then, from 0.
        case fact(TripFact, stopIndex: Int)
        case note(String)
    }

    package var time: Date
    package var content: Content
    /// There was a position of the car then, and by it the car did not stand.
    var wasMoving = false
}

/// What happened, newest last, as much of it as somebody reads.
package struct EventLog: Hashable, Sendable {
    private static let maximumCount = 500

    package private(set) var events: [LoggedEvent] = []

    package init() {}

    package mutating func add(note: String, at time: Date) { append(.note(note), at: time) }

    /// Adds a fact if the list tells such. A failure like the one before takes its place, so that an outage is one line that counts.
    mutating func add(_ fact: TripFact, of trip: Trip?, at time: Date) {
        var fact = fact
        switch fact {
        case .status, .vehicle, .promise, .near, .recovered: break
        case .freshness(let state, let age, let previous):
            let hasVehicle = trip?.vehicleID != nil
            guard PositionNews(state, ageSeconds: age, previous: previous, hasVehicle: hasVehicle) != nil else { return }
        case .waypoints(let before, _):
            guard isNews(stopsBefore: before) else { return }
            fact = .waypoints(stopsBefore: before, own: [])
        case .failure(let new):
            if case .fact(.failure(let old), _)? = events.last?.content, new.error.code == old.error.code { events.removeLast() }
        case .location, .eta, .route, .traffic, .drawn, .end: return
        }
        let isMoving = (trip?.lastLocation).map { $0.speedMetersPerSecond ?? 1 > 0 } ?? false
        append(.fact(fact, stopIndex: trip?.stopIndex ?? 0), at: time, isMoving: isMoving)
    }

    private mutating func append(_ content: LoggedEvent.Content, at time: Date, isMoving: Bool = false) {
        events.append(LoggedEvent(time: time, content: content, wasMoving: isMoving))
        if events.count > Self.maximumCount { events.removeFirst(events.count - Self.maximumCount) }
    }

    /// Takes in that the clock of these times was set, or has come to be known.
    mutating func shift(bySeconds seconds: Double) {
        for index in events.indices { events[index].time.addTimeInterval(seconds) }
    }

    private func isNews(stopsBefore count: Int) -> Bool {
        for event in events.reversed() {
            if case .fact(.waypoints(let known, _), _) = event.content { return known != count }
        }
        return count > 0
    }
}
