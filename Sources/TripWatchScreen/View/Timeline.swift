import ConsumerMap
import FleetEngine
package import FoundationEssentials
import JourneySharing
import TerminalCanvas
import TripWatchSettings
package import TripWatchWords

/// A trip as steps: finished, current and upcoming ones.
package struct Timeline {
    package enum Kind: Hashable {
        case done, now, next, goal
    }

    package struct Step: Hashable {
        package var kind: Kind
        package var text: String
        /// The text for a row in which ``text`` does not fit, such as only the place's name; nil if there is no shorter text.
        var short: String?
        /// Text on the right, such as a clock time, `now` or a distance.
        package var right: String
        /// Whether ``right`` may be left out to make room for a name, because another part of the screen also shows its text.
        var isRightOptional = false
        /// The time that is shown at the right as a clock time.
        package var time: Date?
        /// A time by which the step had happened, shown at the right if the exact time is unknown.
        package var latest: Date?
    }

    package private(set) var steps: [Step] = []

    /// - Parameter isWide: whether there is room for place names and distances.
    package init(_ page: TripPage, _ state: AppState, isWide: Bool) {
        guard let trip = page.trip else { return }
        let history = page.history
        func add(_ kind: Kind, _ text: String, _ time: Date?) {
            steps.append(Step(kind: kind, text: text, right: time.map { state.clock($0) } ?? "", time: time))
        }
        /// Adds a finished step with its time. If the time is unknown, `latest` is a time by which the step had happened.
        func addDone(_ text: String, short: String? = nil, _ time: Date?, by latest: Date?) {
            let right = time.map { state.clock($0) } ?? latest.map { "before \(state.clock($0))" } ?? ""
            steps.append(Step(kind: .done, text: text, short: short, right: right, time: time, latest: time == nil ? latest : nil))
        }
        func addNow(_ text: String, short: String?) {
            let right = Self.nowWords(page, state, isWide: isWide)
            steps.append(Step(kind: .now, text: text, short: short, right: right, isRightOptional: true))
        }

        let others = state.othersPhase(page)
        if trip.status.isBeforePickup || trip.status == .unknown {
            if trip.vehicleID != nil, trip.status != .new || others != nil {
                addDone("\(page.kind.vehicleTitle) assigned", short: "Assigned", history.assignedAt, by: history.assignedBy)
            }
        } else if trip.status != .canceled {
            addDone("Picked up", history.pickedUpAt(trip), by: history.pickedUpBy)
        } else if let time = history.pickedUpAt(trip) {
            addDone("Picked up", time, by: nil)
        }
        if trip.status == .arrivedAtPickup {
            addDone(
                page.kind == .order ? "To the shop" : "On the way", short: page.kind == .order ? "To shop" : nil,
                history.enteredAt[.enrouteToPickup],
                by: history.enteredBy[.enrouteToPickup] ?? history.enteredBy[.arrivedAtPickup])
        }
        let phrases = page.phrases
        if phrases.step != nil || trip.status.isFinal { addVisited(page, trip, state) }
        if let step = phrases.step {
            let pickup = page.isCarHere ? page.names.pickup : ""
            let atPickup = pickup.isEmpty ? nil : "\(isWide ? "Waiting at" : "At") \(pickup)"
            let text = others ?? atPickup ?? (isWide ? step : phrases.narrowStep ?? step)
            addNow(text, short: pickup.isEmpty ? phrases.narrowStep : pickup)
        }
        addComing(page, trip, state)
    }

    private static func nowWords(_ page: TripPage, _ state: AppState, isWide: Bool) -> String {
        if page.failure != nil, let last = page.journey.lastAnswerAt { return state.clock(page.clockTime(last)) }
        // An old position says nothing about the distance, but the phase from the last answer still applies.
        if !page.journey.isLive { return "now" }
        // The longest phases leave no room for the word "now".
        if !isWide, state.othersPhase(page) != nil { return "" }
        if isWide, let meters = page.phaseMeters { return state.distanceLeft(meters) }
        return "now"
    }

    private mutating func addVisited(_ page: TripPage, _ trip: Trip, _ state: AppState) {
        guard !trip.status.isBeforePickup else { return }
        let all = trip.intermediateDestinations.count
        let count =
            switch trip.status {
            // All stops are done, even if `stopIndex` still refers to the last stop.
            case .enrouteToDropoff, .complete: all
            case .canceled: min(page.history.stopsReached, all)
            default: min(trip.stopIndex, all)
            }
        for index in 0..<count {
            let time = page.history.leftStopAt[index]
            steps.append(
                Step(kind: .done, text: Self.stopTitle(page, index), right: time.map { state.clock($0) } ?? "", time: time))
        }
    }

    private mutating func addPickup(_ page: TripPage, _ state: AppState) {
        let name = page.names.pickup
        let word = page.kind == .order ? "Pick up" : "Pickup"
        let time = Self.pickupTime(page)
        // For a ride, the heading shows the pickup time too, so the time is optional here.
        steps.append(
            Step(
                kind: .next, text: name.isEmpty ? word : "\(word)  \(name)", short: name.isEmpty ? nil : name,
                right: time.map { state.clock($0) } ?? "", isRightOptional: page.kind == .ride, time: time))
    }

    private mutating func addComing(_ page: TripPage, _ trip: Trip, _ state: AppState) {
        func add(_ kind: Kind, _ text: String, _ time: Date?) {
            steps.append(Step(kind: kind, text: text, right: time.map { state.clock($0) } ?? "", time: time))
        }
        if trip.status == .new || trip.status == .enrouteToPickup { addPickup(page, state) }
        let isAtStop = trip.status == .arrivedAtIntermediateDestination
        let first = trip.status.isBeforePickup ? 0 : trip.stopIndex + (isAtStop ? 1 : 0)
        for index in trip.intermediateDestinations.indices.prefix(99)
        where index >= first && !trip.status.isFinal && trip.status != .enrouteToDropoff {
            add(.next, Self.stopTitle(page, index), Self.stopTime(page, index: index))
        }
        if trip.dropoffPoint != nil || Self.dropoffTime(page) != nil {
            let place = page.kind == .order && !state.options.isViewer ? "You" : "Drop-off"
            add(.goal, page.names.dropoff.isEmpty ? place : page.names.dropoff, Self.dropoffTime(page))
        }
    }

    /// Returns the stop's name, such as `Mill Lane`, or else `Stop 1`.
    static func stopTitle(_ page: TripPage, _ index: Int) -> String {
        let name = page.names.stop(index)
        return name.isEmpty ? "Stop \(index + 1)" : name
    }

    static func pickupTime(_ page: TripPage) -> Date? { page.journey.arrivals[.pickup].shown }

    /// Returns the time at which the trip ended or is expected to end; nil after a cancellation.
    static func dropoffTime(_ page: TripPage) -> Date? {
        switch page.status {
        case .complete: page.history.droppedOffAt(page.trip)
        case .canceled: nil
        default: page.journey.arrivals[.dropoff].shown
        }
    }

    /// Returns the expected arrival time at a stop on the way; nil if unknown.
    /// - Parameter index: the index of the stop among the trip's intermediate destinations, from 0.
    static func stopTime(_ page: TripPage, index: Int) -> Date? { page.journey.arrivals[.intermediate(index)].shown }

    /// The step after the current one.
    var next: Step? { steps.first { [.next, .goal].contains($0.kind) } }

    /// Returns the steps that fit, in their order. Finished steps are left out first, then upcoming steps, then the destination.
    func fitted(rows: Int) -> [Step] { Self.fitted(steps, rows: rows) }

    /// Returns the most important of these steps that fit.
    static func fitted(_ steps: [Step], rows: Int) -> [Step] {
        guard steps.count > rows else { return steps }
        let current = steps.firstIndex { $0.kind == .now } ?? 0
        let order = steps.indices.sorted { rank(steps, $0, current) < rank(steps, $1, current) }
        return order.prefix(max(0, rows)).sorted().map { steps[$0] }
    }

    private static func rank(_ steps: [Step], _ index: Int, _ current: Int) -> Int {
        switch steps[index].kind {
        case .now: 0
        case .goal: 1
        case .next: 2 + index - current
        case .done: 1_000 + current - index
        }
    }
}

extension Sheet {
    /// Draws a step with its symbol. The step takes the whole row.
    mutating func draw(_ step: Timeline.Step, in area: Rectangle) {
        let (sign, scope): (String, ThemeScope) =
            switch step.kind {
            case .done: (tier.done, .timelineDone)
            case .now: (tier.now, .timelineNow)
            case .next: (tier.next, .timelineNext)
            case .goal: (tier.goal, .timelineNext)
            }
        put(sign, column: area.column, row: area.row, scope, columns: area.columns)
        let shown = words(step, columns: area.columns)
        let rightWidth = putRight(shown.right, endColumn: area.endColumn, row: area.row, scope, columns: area.columns - 2)
        put(
            shown.text, column: area.column + 2, row: area.row, scope,
            columns: area.columns - 2 - (rightWidth > 0 ? rightWidth + 1 : 0))
    }

    /// Returns a step's text, and the text on its right, for a row with this many columns: the longest that fit. If none fit, the short
    /// text is returned, and is cut when it is drawn. For the current step, the text takes precedence over the text on the right, because
    /// the step's symbol already says "now". For other steps, the text on the right takes precedence.
    func words(_ step: Timeline.Step, columns: Int) -> (text: String, right: String) {
        let texts = [step.text, step.short ?? step.text]
        let rights = step.isRightOptional ? [step.right, ""] : [step.right]
        let forms: [(text: String, right: String)] =
            step.kind == .now
            ? texts.flatMap { text in rights.map { (text: text, right: $0) } }
            : rights.flatMap { right in texts.map { (text: $0, right: right) } }
        let fitting = forms.first { width($0.text) + ($0.right.isEmpty ? 0 : width($0.right) + 1) <= columns - 2 }
        // If no form fits, the text is cut, so that the time beside it stays.
        let cut: (text: String, right: String)? =
            step.kind == .now ? forms.last : (text: step.short ?? step.text, right: step.right)
        return fitting ?? cut ?? (step.text, step.right)
    }
}
