package import FleetEngine
package import FoundationEssentials
import JourneySharing

/// An event of a trip: a fact, or a note in words. A fact is stored without words, because the words depend on data that may change later,
/// such as the car's name and the units.
package struct LoggedEvent: Hashable, Sendable {
    package enum Content: Hashable, Sendable {
        /// A fact about the trip, and the index of the trip's next stop at the time of the event, counted from 0.
        case fact(TripFact, stopIndex: Int)
        case note(String)
    }

    package var time: Date
    package var content: Content
    /// Whether the user was alerted to the event, such as by the bell.
    package var isAlert = false
}

/// The latest events, with the newest at the end.
package struct EventLog: Hashable, Sendable {
    private static let maximumCount = 500

    package private(set) var events: [LoggedEvent] = []

    package init() {}

    /// Adds a text. A failed attempt is not added if the last event has the same text.
    package mutating func add(note: String, at time: Date, isFailedAttempt: Bool = false) {
        if isFailedAttempt, events.last?.content == .note(note) { return }
        append(.note(note), at: time)
    }

    /// Adds a fact if it belongs in the list. A new failure replaces the last event if that event is a failure with the same code. An
    /// outage therefore takes up only one line, with the number of attempts.
    /// - Parameter isAlert: whether the user was alerted to the fact.
    package mutating func add(_ fact: TripFact, of trip: Trip?, at time: Date, isAlert: Bool = false) {
        var fact = fact
        switch fact {
        case .status, .vehicle, .promise, .near, .recovered, .pickupChanged, .stopsChanged, .dropoffChanged: break
        case .freshness(let state, let age, let previous):
            let hasVehicle = trip?.vehicleID != nil
            guard PositionNews(state, ageSeconds: age, previous: previous, hasVehicle: hasVehicle) != nil else { return }
        case .waypoints(let before, _):
            // The list must not say that a trip is next if the trip has ended or has no vehicle.
            guard let trip, trip.vehicleID != nil, !trip.status.isFinal, isNews(stopsBefore: before) else { return }
            fact = .waypoints(stopsBefore: before, own: [])
        case .failure(let new):
            if case .fact(.failure(let old), _)? = events.last?.content, new.error.code == old.error.code { events.removeLast() }
        case .location, .eta, .route, .traffic, .drawn, .end: return
        }
        append(.fact(fact, stopIndex: trip?.stopIndex ?? 0), at: time, isAlert: isAlert)
    }

    private mutating func append(_ content: LoggedEvent.Content, at time: Date, isAlert: Bool = false) {
        events.append(LoggedEvent(time: time, content: content, isAlert: isAlert))
        if events.count > Self.maximumCount { events.removeFirst(events.count - Self.maximumCount) }
    }

    /// Shifts all times, because the server's clock was adjusted or its offset became known.
    package mutating func shift(bySeconds seconds: Double) {
        for index in events.indices { events[index].time.addTimeInterval(seconds) }
    }

    private func isNews(stopsBefore count: Int) -> Bool {
        for event in events.reversed() {
            if case .fact(.waypoints(let known, _), _) = event.content { return known != count }
        }
        return count > 0
    }
}
