import FleetEngine
package import FoundationEssentials
package import JourneySharing

/// A shipment at one moment, as a page shows it: a large figure, the lines below the figure, and a short word for small panels.
///
/// Servers often leave out values on purpose, so the words do not present a missing value as a failure.
package struct ShipmentState: Hashable, Sendable {
    /// Words for a screen reader, where they differ from those on the screen.
    struct Spoken: Hashable {
        /// The time until an arrival in the future: `12 minutes`; otherwise empty.
        var remaining = ""
        /// The line below the figure, as a sentence; it may be empty.
        var line = ""
        /// The planned time: `14:00 to 16:00`, with the dates that it needs; empty if no time is planned.
        var window = ""
        /// The minutes from the planned time to the arrival: negative if early, 0 within the planned time; nil unless both are known.
        var windowMinutes: Int?
        /// The time of the completion, of the failed attempt, or of an arrival in the future: `at 14:57`, or `on 5 May at 14:57`; otherwise
        /// empty. Plain lines use it too.
        var moment = ""
    }

    /// The kind of the figure, which determines headings, symbols and exit codes.
    package enum Figure: Hashable, Sendable {
        case done, notDone, noLongerPlanned, arrivesIn, arrivesSoon, onItsWay, planned
    }

    package let figure: Figure
    /// Whether the arrival may be out of date, because the position is old or the server does not answer.
    package private(set) var isApproximate = false
    /// The words above the figure: `ARRIVES IN`, `ARRIVES IN ABOUT`.
    package var heading: String { Self.heading(of: figure) + (isApproximate ? " ABOUT" : "") }
    /// The figure: `12 min`, `14:00 – 16:00`, a clock time; empty if the heading needs no figure.
    package private(set) var value = ""
    /// The figure without its heading: `12 min`, `about 12 min`.
    package var text: String { isApproximate ? "about \(value)" : value }
    /// The clock time of an arrival in the future: `15:19`; otherwise empty.
    package private(set) var clock = ""
    /// The line below the figure; it may be empty.
    package private(set) var line = ""
    /// The planned time, and the arrival compared with it: `planned 14:00 – 16:00, on time`; empty unless both are known.
    package private(set) var windowLine = ""
    /// The planned time: `14:00 – 16:00`, or `7 May 08:00 – 9 May 18:00`. The start has its day unless it is today. The end has its day if
    /// it is on another day than the start, and at least 12 h later. Empty if no time is planned.
    package private(set) var window = ""
    /// The arrival compared with the planned time: `on time`, `12 min early`; empty unless both are known.
    package private(set) var windowRelation = ""
    /// The lower-case words for small panels: `12 min`, `8 stops`, `done`.
    package private(set) var short = ""
    /// The words for a screen reader.
    private(set) var spoken = Spoken()

    private init(_ figure: Figure) { self.figure = figure }

    /// - Parameters:
    ///   - now: current time by the local clock.
    ///   - secondsFromGMT: offset of the displayed time zone from GMT at a time, in seconds.
    /// - Returns: nil before the first answer.
    package init?(_ tracker: ShipmentTracker, now: Date, secondsFromGMT: @escaping @Sendable (Date) -> Int = { _ in 0 }) {
        guard let shipment = tracker.shipment else { return nil }
        let words = ShipmentClock(now: tracker.serverNow(now), secondsFromGMT: secondsFromGMT)
        self = Self.state(of: shipment, tracker, now: now, words)
        window = shipment.targetTimeWindow.map { words.span($0) } ?? ""
        spoken.window = shipment.targetTimeWindow.map(words.spoken) ?? ""
    }

    /// Sets the line below the figure.
    /// - Parameter sentence: the line for a screen reader; nil to make it from `line`.
    private mutating func put(_ line: String, spoken sentence: String? = nil) {
        self.line = line
        spoken.line = sentence ?? "\(line.prefix(1).uppercased())\(line.dropFirst())."
    }

    private mutating func putStops(_ before: Int) {
        put(Self.stops(before), spoken: before == 0 ? nil : "The vehicle has \(Self.stops(before)).")
    }

    private static func state(of shipment: TaskTrackingInfo, _ tracker: ShipmentTracker, now: Date, _ words: ShipmentClock) -> Self {
        switch shipment.outcome {
        case .succeeded: return done(at: shipment.outcomeTime, words)
        case .failed: return notDone(at: shipment.outcomeTime, words)
        case nil: break
        }
        guard shipment.state == .closed else { return open(shipment, tracker, words) }
        guard !tracker.isGone(now: now), let before = tracker.lastOpen else { return noLongerPlanned }
        var state = open(before, tracker, words)
        state.short = noLongerPlanned.short
        return state
    }

    private static func done(at time: Date?, _ words: ShipmentClock) -> Self {
        var state = ShipmentState(.done)
        state.value = time.map(words.clock) ?? ""
        state.spoken.moment = time.map(words.phrase) ?? ""
        state.short = "done"
        return state
    }

    private static func notDone(at time: Date?, _ words: ShipmentClock) -> Self {
        var state = ShipmentState(.notDone)
        let attempt = time.map { "The attempt \(words.phrase($0)) failed." }
        state.put(time.map { "the attempt at \(words.clock($0)) failed" } ?? "the attempt failed", spoken: attempt)
        state.spoken.moment = time.map(words.phrase) ?? ""
        state.short = "failed"
        return state
    }

    private static var noLongerPlanned: Self {
        var state = ShipmentState(.noLongerPlanned)
        state.put("a new attempt may follow")
        state.short = "closed"
        return state
    }

    private static func open(_ shipment: TaskTrackingInfo, _ tracker: ShipmentTracker, _ words: ShipmentClock) -> Self {
        if let told = shipment.estimatedArrivalTime {
            let arrival = tracker.arrival.shown ?? told
            // If the vehicle has other stops first, or no recent position, it may still be far away when the time of its arrival has
            // passed.
            let isNear = tracker.isCurrent && (shipment.stopsBefore ?? 0) == 0
            if isNear || arrival > words.now { return arriving(at: arrival, shipment, isCurrent: tracker.isCurrent, words) }
        }
        var state = ShipmentState(.onItsWay)
        state.short = onItsWay
        if let before = shipment.stopsBefore {
            state.putStops(before)
            state.short = before == 0 ? "next" : "\(before) stop\(before == 1 ? "" : "s")"
        } else if shipment.estimatedArrivalTime != nil {
            state.put("the arrival time has passed")
        } else if !SharedParts(shipment).isEmpty {
            state.put("arrival time is not shared", spoken: "The arrival time is not shared.")
        } else if let since = tracker.lastSharedAt {
            state.put(
                "no details since \(words.clock(since))", spoken: "No details of the drive have been shared since \(words.clock(since)).")
        } else {
            return planned(shipment.targetTimeWindow, words)
        }
        return state
    }

    private static func arriving(at arrival: Date, _ shipment: TaskTrackingInfo, isCurrent: Bool, _ words: ShipmentClock) -> Self {
        let isPast = arrival <= words.now
        var state = ShipmentState(isPast ? .arrivesSoon : .arrivesIn)
        let eta = ETAText(arrival: arrival, now: words.now, isLive: isCurrent)
        state.isApproximate = !isPast && !isCurrent
        state.value = isPast ? "any moment" : eta.short
        state.spoken.remaining = isPast ? "" : eta.spoken
        state.clock = isPast ? "" : words.clock(arrival)
        state.spoken.moment = isPast ? "" : words.phrase(arrival)
        state.short = state.text
        if let before = shipment.stopsBefore { state.putStops(before) }
        if let window = shipment.targetTimeWindow {
            let minutes = words.minutes(from: window, to: arrival)
            state.spoken.windowMinutes = minutes
            state.windowRelation = TripWords.punctuality(minutesLate: minutes)
            state.windowLine = "planned \(words.span(window)), \(state.windowRelation)"
        }
        return state
    }

    private static func planned(_ window: TimeWindow?, _ words: ShipmentClock) -> Self {
        var state = ShipmentState(.planned)
        state.put("position and arrival are not shared yet")
        state.short = "planned"
        guard let window else { return state }
        state.value = words.span(window)
        state.short = words.span(window, dash: "–")
        if window.end < words.now {
            state.put("past planned time", spoken: "The planned time has passed.")
            state.short = overdue
        }
        return state
    }

    /// The short word for a shipment on its way whose arrival and number of stops are unknown.
    static let onItsWay = "on its way"

    /// The short word for a shipment whose planned time has passed, and about which nothing is shared yet.
    package static let overdue = "overdue"

    /// Returns words for the number of stops before the shipment's stop: `8 stops before yours`, `You are next`.
    package static func stops(_ before: Int) -> String { before == 0 ? "You are next" : TripWords.stopsBefore(before) }

    private static func heading(of figure: Figure) -> String {
        switch figure {
        case .done: "DONE"
        case .notDone: "NOT COMPLETED"
        case .noLongerPlanned: "NO LONGER PLANNED"
        case .arrivesIn: "ARRIVES IN"
        case .arrivesSoon: "ARRIVES"
        case .onItsWay: "ON ITS WAY"
        case .planned: "PLANNED"
        }
    }
}

/// The words for the times of a shipment, in one time zone.
private struct ShipmentClock {
    /// The current time by the server's clock.
    let now: Date
    let secondsFromGMT: @Sendable (Date) -> Int

    func clock(_ date: Date) -> String { Timestamps.clock(date, now: now, secondsFromGMT: secondsFromGMT) }

    /// Returns `at 14:57`, or `on 5 May at 14:57` if the time is on another day and at least 12 h away.
    func phrase(_ date: Date) -> String { Timestamps.phrase(date, now: now, secondsFromGMT: secondsFromGMT) }

    /// Returns a planned time such as `14:00 – 16:00`. The start has its day unless it is today. The end has its day if a
    /// reader would otherwise take it for an earlier time: `7 May 08:00 – 9 May 18:00`.
    func span(_ window: TimeWindow, dash: String = " – ") -> String {
        let start = isToday(window.start) ? hour(window.start) : "\(day(window.start)) \(hour(window.start))"
        return start + dash + (isLong(window) ? "\(day(window.end)) " : "") + hour(window.end)
    }

    /// Returns a planned time for a screen reader: `14:00 to 16:00`, with dates such as `7 May 2031` in front of the times that need one.
    func spoken(_ window: TimeWindow) -> String {
        let start = isToday(window.start) ? hour(window.start) : "\(spokenDate(window.start)), \(hour(window.start))"
        guard isLong(window) else { return "\(start) to \(hour(window.end))" }
        return "\(start)\(isToday(window.start) ? "" : ",") to \(spokenDate(window.end)), \(hour(window.end))"
    }

    /// Whether the end of a planned time needs its day: it is on another day than the start, and at least half a day later.
    private func isLong(_ window: TimeWindow) -> Bool {
        Timestamps.clock(window.end, now: window.start, secondsFromGMT: secondsFromGMT) != hour(window.end)
    }

    private func isToday(_ date: Date) -> Bool {
        Timestamps.day(date, secondsFromGMT: secondsFromGMT(date)) == Timestamps.day(now, secondsFromGMT: secondsFromGMT(now))
    }

    private func hour(_ date: Date) -> String { Timestamps.clock(date, secondsFromGMT: secondsFromGMT(date), withSeconds: false) }

    private func day(_ date: Date) -> String { Timestamps.shortDay(date, now: now, secondsFromGMT: secondsFromGMT(date)) }

    private func date(_ date: Date) -> String { Timestamps.date(date, secondsFromGMT: secondsFromGMT(date)) }

    private func spokenDate(_ date: Date) -> String {
        let numbers = self.date(date).split(separator: "-").compactMap { Int($0) }
        guard numbers.count == 3, Timestamps.months.indices.contains(numbers[1] - 1) else { return self.date(date) }
        return "\(numbers[2]) \(Timestamps.months[numbers[1] - 1]) \(numbers[0])"
    }

    /// Returns the minutes from the planned time to the arrival: negative if early, 0 within the planned time.
    func minutes(from window: TimeWindow, to arrival: Date) -> Int {
        let early = ClockMinutes.count(from: arrival, to: window.start)
        return early > 0 ? -early : max(0, ClockMinutes.count(from: window.end, to: arrival))
    }
}
