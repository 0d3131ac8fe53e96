import FleetEngine
package import FoundationEssentials
package import JourneySharing
import TerminalCanvas

/// Prints facts about one shipment as sentences for a screen reader, as ``SpokenOutput`` does for a trip.
package struct ShipmentSpoken: Sendable {
    private let options: PlainOutput.Options
    private var toldFailure: String?
    private var told: Told?
    /// Whether the command exits after these facts. If so, the sentences do not announce a retry.
    package var isEnding = false

    /// The state that was last spoken. Later, only the sentences that have changed since then are spoken.
    private struct Told {
        let state: ShipmentState
        /// The announced arrival.
        let promise: Date?
    }

    package init(options: PlainOutput.Options = PlainOutput.Options()) { self.options = options }

    /// Returns the lines for the facts of one update, each with one or more sentences. A state that changes only because time has passed
    /// also gets a line.
    package mutating func lines(_ facts: [ShipmentFact], _ tracker: ShipmentTracker, time: Date) -> [String] {
        var lines = facts.compactMap { sentence($0, tracker) }
        if facts.contains(.replaced) { told = nil }
        // At `recovered`, the tracker still has the state from before the failure. The new answer follows at once.
        let isOld = facts.contains { if case .recovered = $0 { true } else { false } }
        if tracker.failure == nil, !isOld, let news = stateNews(tracker, time) { lines.append(news) }
        return lines.map { named($0, tracker) }
    }

    /// Returns a summary of the shipment's state.
    package func summary(_ tracker: ShipmentTracker, time: Date) -> String {
        guard let state = page(tracker, time) else { return "Nothing is known about the shipment yet." }
        return joined([figure(state), distance(state, tracker), state.spoken.line, window(state), age(tracker, time)])
    }

    /// Returns the current state in sentences, failures first. Users request it while a command runs.
    package func presentState(_ tracker: ShipmentTracker, time: Date) -> String {
        let failure = tracker.failure.map { ShipmentFailureWords($0, of: tracker.name).spoken } ?? ""
        if tracker.shipment == nil, !failure.isEmpty { return named(failure, tracker) }
        return named(joined([failure, lastAnswer(tracker, time), summary(tracker, time: time)]), tracker)
    }

    private func named(_ sentences: String, _ tracker: ShipmentTracker) -> String {
        options.showsTrip ? "Shipment \(sanitised(tracker.name.trackingID, maximumLength: 64)): \(sentences)" : sentences
    }

    private func joined(_ sentences: [String]) -> String { sentences.filter { !$0.isEmpty }.joined(separator: " ") }

    private func page(_ tracker: ShipmentTracker, _ time: Date) -> ShipmentState? {
        ShipmentState(tracker, now: time, secondsFromGMT: options.secondsFromGMT)
    }

    private mutating func sentence(_ fact: ShipmentFact, _ tracker: ShipmentTracker) -> String? {
        switch fact {
        case .replaced: return "This tracking id now belongs to another shipment."
        case .freshness(let state, let age, let previous):
            // A position that the server no longer shares is not reported as lost.
            let news = PositionNews(state, ageSeconds: age, previous: previous, hasVehicle: false)
            return news?.spoken("vehicle", SpokenOutput.spoken)
        case .failure(let failure):
            let sentence = ShipmentFailureWords(failure, of: tracker.name).spoken
            guard isEnding || toldFailure != sentence else { return nil }
            toldFailure = sentence
            let retry = failure.retryInSeconds >= 1 && !isEnding
            let next = retry ? "Trying again in \(SpokenOutput.spoken(failure.retryInSeconds))." : ""
            return joined([sentence, next])
        case .recovered(let seconds):
            toldFailure = nil
            return "Updates resumed after \(SpokenOutput.spoken(seconds))."
        case .state, .window, .shared, .location, .eta, .stops, .route, .outcome, .end: return nil
        }
    }

    /// Returns the sentences about the state that differ from the last spoken ones; nil without a difference.
    private mutating func stateNews(_ tracker: ShipmentTracker, _ time: Date) -> String? {
        guard let state = page(tracker, time) else { return nil }
        let before = told
        let isCountdown = state.figure == .arrivesIn && before?.state.figure == .arrivesIn
        let promise = state.figure == .arrivesIn ? tracker.arrival.promises.last?.arrival : nil
        told = Told(state: state, promise: promise ?? (isCountdown ? before?.promise : nil))
        var news: [String] = []
        if isCountdown {
            news.append(moved(promise, from: before?.promise, time))
        } else if before.map({ figure($0.state) }) != figure(state) {
            news += [figure(state), distance(state, tracker)]
        }
        if before?.state.spoken.line != state.spoken.line { news.append(state.spoken.line) }
        if isNews(of: state, after: before?.state) { news.append(window(state)) }
        let sentences = joined(news)
        return sentences.isEmpty ? nil : sentences
    }

    /// Whether the planned time, or the arrival compared with it, is news.
    private func isNews(of state: ShipmentState, after before: ShipmentState?) -> Bool {
        if Self.lacksArrival(state) { return before?.spoken.window != state.spoken.window }
        return before.map(window) != window(state)
    }

    private func figure(_ state: ShipmentState) -> String {
        switch state.figure {
        case .done: state.value.isEmpty ? "The shipment has been completed." : "The shipment was completed \(state.spoken.moment)."
        case .notDone: "The shipment was not completed."
        case .noLongerPlanned: "The shipment is no longer planned."
        case .planned: state.spoken.window.isEmpty ? "The shipment is planned." : "The shipment is planned for \(state.spoken.window)."
        case .onItsWay: "The shipment is on its way."
        case .arrivesSoon: "The shipment should arrive any moment."
        case .arrivesIn: "The shipment arrives in \(state.spoken.remaining), \(state.spoken.moment)."
        }
    }

    private func distance(_ state: ShipmentState, _ tracker: ShipmentTracker) -> String {
        guard let meters = tracker.shipment?.remainingDistanceMeters, state.figure == .arrivesIn || state.figure == .onItsWay else {
            return ""
        }
        let left = DistanceText.left(meters: meters, system: options.measurementSystem)
        return DistanceText.isVeryNear(meters: meters) ? "The vehicle is \(left)." : "Distance \(SpokenOutput.spokenUnits(left))."
    }

    /// Whether the vehicle is on its way without a known arrival. This is also the case once the estimated arrival has passed.
    private static func lacksArrival(_ state: ShipmentState) -> Bool { state.figure == .arrivesSoon || state.figure == .onItsWay }

    private func window(_ state: ShipmentState) -> String {
        guard !state.spoken.window.isEmpty else { return "" }
        if Self.lacksArrival(state) { return "The planned time is \(state.spoken.window)." }
        guard let minutes = state.spoken.windowMinutes else { return "" }
        let size = TripWords.spokenDifference(minutes: minutes)
        let place = minutes == 0 ? "within" : "\(size) \(minutes < 0 ? "before" : "after")"
        return "The arrival is \(place) the planned time, \(state.spoken.window)."
    }

    private func moved(_ arrival: Date?, from previous: Date?, _ time: Date) -> String {
        guard let arrival, let previous else { return "" }
        let minutes = ClockMinutes.count(from: previous, to: arrival)
        guard minutes != 0 else { return "" }
        let expected = Timestamps.phrase(arrival, now: time, secondsFromGMT: options.secondsFromGMT)
        let size = TripWords.spokenDifference(minutes: minutes)
        return "The arrival is now expected \(expected), \(size) \(minutes > 0 ? "later" : "earlier") than last announced."
    }

    /// The age of the last answer, while calls fail; otherwise empty.
    private func lastAnswer(_ tracker: ShipmentTracker, _ time: Date) -> String {
        guard tracker.failure != nil, let last = tracker.lastAnswerAt else { return "" }
        return "The last answer came \(SpokenOutput.spoken(max(0, time.timeIntervalSince(last)))) ago."
    }

    /// The age of an old position. A recent position gets no sentence, because its age would change every second.
    private func age(_ tracker: ShipmentTracker, _ time: Date) -> String {
        guard tracker.freshness == .notLive, let age = tracker.ageSeconds(now: time) else { return "" }
        return "The last position is \(SpokenOutput.spoken(age)) old."
    }
}
