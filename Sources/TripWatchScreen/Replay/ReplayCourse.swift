package import FleetEngine
package import FoundationEssentials
package import JourneySharing
package import TerminalCanvas
package import TripWatchWords

/// Computes the screen of a recorded trip for any moment of the recording.
///
/// Every screen is computed from the start of the recording in fixed steps, so earlier seeks do not change the result. Some states on the
/// way are kept as starting points, so that a seek needs only a few steps.
package struct ReplayCourse: Sendable {
    package let start: Date
    package let end: Date

    /// Recorded updates, in order.
    private let updates: [TripUpdate]
    private let vehicle: @Sendable (VehicleName, Date) -> Vehicle?
    private let street: @Sendable (CarPlace) -> String?
    /// Length of a step, in seconds.
    private let stepSeconds: Double
    /// Number of steps between two kept states.
    private let stepsBetweenMarks: Int
    private let stepCount: Int
    private let first: Point
    /// The latest computed state, from which the computation continues.
    private var scout: Point
    private var marks: [Point]
    /// State at the step that was requested last.
    private var cursor: Point
    /// Times of the events in the computed part of the recording, without duplicates.
    package private(set) var events: [Date] = []

    private static let shortestStepSeconds = 1.0
    private static let mostSteps = 20_000.0
    private static let mostMarks = 128
    private static let fewestStepsBetweenMarks = 60

    /// The state at a step.
    private struct Point: Sendable {
        var state: AppState
        var journey: JourneyTracker
        /// Index of the next update.
        var next = 0
        var step = 0
    }

    /// Returns nil for a recording without updates.
    /// - Parameters:
    ///   - pollIntervalSeconds: poll interval during the recording.
    ///   - vehicle: returns the recorded attributes of a vehicle at a moment.
    ///   - street: returns the name that the base map has for the street at a car's position.
    package init?(
        _ name: TripName, updates: [TripUpdate], pollIntervalSeconds: Double, options: AppOptions, size: Size,
        vehicle: @escaping @Sendable (VehicleName, Date) -> Vehicle?, street: @escaping @Sendable (CarPlace) -> String? = { _ in nil }
    ) {
        guard let first = updates.first, let last = updates.last else { return nil }
        (start, end) = (first.time, last.time)
        self.updates = updates
        self.vehicle = vehicle
        self.street = street
        let length = end.timeIntervalSince(start)
        stepSeconds = max(Self.shortestStepSeconds, length / Self.mostSteps)
        stepCount = Int((length / stepSeconds).rounded(.up))
        stepsBetweenMarks = max(Self.fewestStepsBetweenMarks, stepCount / Self.mostMarks)
        let state = AppState(trips: [name], options: options, size: size, now: start)
        let journey = JourneyTracker(tripName: name, pollIntervalSeconds: pollIntervalSeconds, fallbackKind: options.tripKind)
        let point = Point(state: state, journey: journey)
        self.first = point
        scout = point
        cursor = point
        marks = [point]
    }

    /// Restarts the computation if the screen has another size than before.
    package mutating func resize(to size: Size) {
        guard size != scout.state.size else { return }
        var point = first
        _ = point.state.update(.resize(size))
        scout = point
        cursor = point
        marks = [point]
        events = []
    }

    // MARK: - Computing ahead

    package var isComplete: Bool { scout.step >= stepCount }

    /// Time up to which the recording has been computed. A seek to an earlier moment needs few steps.
    package var computedUntil: Date { isComplete ? end : time(of: scout.step) }

    /// Returns how much of the recording up to a moment has already been computed, 0 ... 1.
    package func share(of date: Date) -> Double {
        let whole = date.timeIntervalSince(start)
        return whole <= 0 || isComplete ? 1 : min(1, computedUntil.timeIntervalSince(start) / whole)
    }

    /// Computes the next steps of the recording.
    package mutating func compute(steps: Int) {
        for _ in 0..<max(0, steps) where !isComplete {
            advance(&scout)
            if scout.step % stepsBetweenMarks == 0 { marks.append(scout) }
            if let page = scout.state.page { note(page) }
        }
    }

    /// Records the times of new events, by the recording's own clock.
    private mutating func note(_ page: TripPage) {
        let known = events.last ?? .distantPast
        let times = page.log.events.reversed().lazy.map { page.ownTime($0.time) }.prefix { $0 > known }
        for time in times.reversed() where time != events.last { events.append(time) }
    }

    // MARK: - A moment

    /// Returns the screen at a moment of the recording, without the changes that the user has made on the screen, such as opened overlays.
    package mutating func state(at date: Date) -> AppState {
        let date = min(max(date, start), end)
        let step = max(0, min(stepCount, Int((date.timeIntervalSince(start) / stepSeconds).rounded(.down))))
        if let mark = marks.last(where: { $0.step <= step }), cursor.step > step || cursor.step < mark.step { cursor = mark }
        while cursor.step < step { advance(&cursor) }
        var point = cursor
        play(until: date, &point)
        return point.state
    }

    /// Returns the time of the next update after a moment; nil after the last update.
    package func nextUpdate(after date: Date) -> Date? {
        var (low, high) = (0, updates.count)
        while low < high {
            let middle = low + (high - low) / 2
            if updates[middle].time <= date { low = middle + 1 } else { high = middle }
        }
        return low < updates.count ? updates[low].time : nil
    }

    private func time(of step: Int) -> Date { min(end, start.addingTimeInterval(Double(step) * stepSeconds)) }

    private func advance(_ point: inout Point) {
        point.step += 1
        play(until: time(of: point.step), &point)
    }

    /// Applies the updates up to a moment, then sets the clock to the moment.
    private func play(until date: Date, _ point: inout Point) {
        while point.next < updates.count, updates[point.next].time <= date {
            let update = updates[point.next]
            point.next += 1
            point.journey.observe(update)
            point.journey.advance(to: update.time)
            apply(.trip(update, point.journey), at: update.time, &point)
        }
        point.journey.advance(to: date)
        apply(.tick(date, point.journey), at: date, &point)
    }

    private func apply(_ event: AppEvent, at date: Date, _ point: inout Point) {
        for effect in point.state.update(event) {
            switch effect {
            case .fetchVehicle(let name, let trip):
                if let found = vehicle(name, date) { _ = point.state.update(.vehicle(found, for: trip)) }
            case .findStreet(let car, let trip): if let found = street(car) { _ = point.state.update(.street(found, of: car, for: trip)) }
            default: break
            }
        }
    }
}
