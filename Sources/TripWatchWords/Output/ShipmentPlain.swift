import FleetEngine
package import FoundationEssentials
package import JourneySharing
import TerminalCanvas

/// Prints facts about one shipment as lines for users and logs: `14:07:12 arrives     15:19 (12 min, 3.4 km), 2 stops before yours`.
package struct ShipmentPlain: Sendable {
    private let options: PlainOutput.Options
    /// The word and the sentences of the last printed failure.
    private var toldFailure: String?
    private var told: Told?
    /// Whether the command exits after these facts. If so, the lines do not announce a retry.
    package var isEnding = false

    /// The contents of the last printed line about the shipment, except its countdown. A new line is printed only if these contents change.
    private struct Told: Equatable {
        let figure: ShipmentState.Figure
        let line: String
        let window: TimeWindow?
        /// The announced arrival.
        let promise: Date?
    }

    package init(options: PlainOutput.Options = PlainOutput.Options()) { self.options = options }

    /// Returns the lines for the facts of one update, without line breaks. A state that changes only because time has passed also gets a
    /// line.
    package mutating func lines(_ facts: [ShipmentFact], _ tracker: ShipmentTracker, time: Date) -> [String] {
        var lines = facts.compactMap { words($0, tracker) }
        if facts.contains(.replaced) { told = nil }
        // At `recovered`, the tracker still has the state from before the failure. The new answer follows at once.
        let isOld = facts.contains { if case .recovered = $0 { true } else { false } }
        if tracker.failure == nil, !isOld, let line = stateLine(tracker, time) { lines.append(line) }
        let shown = options.showsTrip ? TripWords.column(sanitised(tracker.name.trackingID, maximumLength: 64), 16) + " " : ""
        let clock = Timestamps.clock(time, secondsFromGMT: options.secondsFromGMT(time), withSeconds: true)
        return lines.map { "\(clock) \(shown)\(TripWords.column($0.word, 11)) \($0.text)" }
    }

    private typealias Line = (word: String, text: String)

    private mutating func words(_ fact: ShipmentFact, _ tracker: ShipmentTracker) -> Line? {
        switch fact {
        case .replaced: return ("replaced", "this tracking id now belongs to another shipment")
        case .freshness(let state, let age, let previous):
            // A position that the server no longer shares is not reported as lost.
            return PositionNews(state, ageSeconds: age, previous: previous, hasVehicle: false).map { news in
                let line = news.line(.ride)
                return (line.word, line.text)
            }
        case .failure(let failure):
            let words = ShipmentFailureWords(failure, of: tracker.name)
            let word = PlainOutput.word(failure, isEnding: isEnding)
            let news = "\(word): \(words.spoken)"
            guard toldFailure != news || isEnding else { return nil }
            toldFailure = news
            let retry = failure.retryInSeconds >= 1 && !isEnding ? " Trying again in \(TripWords.age(failure.retryInSeconds))." : ""
            return (word, words.line + retry)
        case .recovered(let seconds):
            toldFailure = nil
            return ("back", "updates resumed after \(TripWords.age(seconds))")
        case .state, .window, .shared, .location, .eta, .stops, .route, .outcome, .end: return nil
        }
    }

    private mutating func stateLine(_ tracker: ShipmentTracker, _ time: Date) -> Line? {
        guard let state = ShipmentState(tracker, now: time, secondsFromGMT: options.secondsFromGMT) else { return nil }
        let now = Told(
            figure: state.figure, line: state.line, window: tracker.shipment?.targetTimeWindow,
            promise: state.figure == .arrivesIn ? tracker.arrival.promises.last?.arrival : nil)
        guard now != told else { return nil }
        told = now
        return words(state, tracker)
    }

    private func words(_ state: ShipmentState, _ tracker: ShipmentTracker) -> Line {
        let below = state.line.isEmpty ? "" : ", \(state.line)"
        switch state.figure {
        case .done:
            let completed = state.value.isEmpty ? "is complete" : "was completed \(state.spoken.moment)"
            return ("done", "the shipment \(completed)")
        case .notDone: return ("not done", state.spoken.moment.isEmpty ? state.line : "the attempt \(state.spoken.moment) failed")
        case .noLongerPlanned: return ("closed", "no longer planned\(below)")
        case .planned: return ("planned", state.value.isEmpty ? state.line : state.value + below)
        case .onItsWay: return ("on its way", state.line + (state.window.isEmpty ? "" : "; planned \(state.window)"))
        case .arrivesSoon: return ("arrives", "any moment\(below)\(window(state))")
        case .arrivesIn:
            let meters = tracker.shipment?.remainingDistanceMeters
            let left = meters.map { ", " + DistanceText.left(meters: $0, system: options.measurementSystem) } ?? ""
            return ("arrives", "\(state.clock) (\(state.text)\(left))\(below)\(window(state))")
        }
    }

    private func window(_ state: ShipmentState) -> String { state.windowLine.isEmpty ? "" : "; \(state.windowLine)" }
}
