import FleetEngine
import FoundationEssentials
import JourneySharing
import TripWatchWords

/// Events of shipments.
extension AppState {
    /// Adds facts to the events of a shipment.
    /// - Parameter time: time of the facts, by the local clock.
    mutating func note(_ facts: [ShipmentFact], of index: Int, at time: Date) {
        guard !facts.isEmpty else { return }
        let eventWords = ShipmentEventWords(secondsFromGMT: options.secondsFromGMT)
        for fact in facts {
            let page = shipments[index]
            if let shared = sharedFact(fact) {
                shipments[index].log.add(shared, of: nil, at: time)
            } else if let words = eventWords.words(fact, page.tracker, after: page.toldShared, now: time) {
                shipments[index].log.add(note: words, at: time)
            }
            if case .shared(let parts, _) = fact { shipments[index].toldShared = parts }
        }
        if isShown(pages.count + index) { revision &+= 1 }
    }

    /// Converts a shipment's freshness, failure or recovery to the same fact about a trip, for the list of events; nil for other facts.
    private func sharedFact(_ fact: ShipmentFact) -> TripFact? {
        switch fact {
        case .freshness(let state, let age, let previous): .freshness(state, ageSeconds: age, previous: previous)
        case .failure(let failure): .failure(failure)
        case .recovered(let seconds): .recovered(afterSeconds: seconds)
        case .replaced, .state, .window, .shared, .location, .eta, .stops, .route, .outcome, .end: nil
        }
    }

    /// Returns the text of an event that occurs for shipments and for trips; empty for other events.
    func words(_ fact: TripFact, _ page: ShipmentPage) -> String {
        switch fact {
        case .freshness(let state, let age, let previous):
            return PositionNews(state, ageSeconds: age, previous: previous, hasVehicle: false)?.event() ?? ""
        case .failure(let failure):
            return ShipmentFailureWords(failure, of: page.name).meaning + (failure.attempt > 1 ? " (try \(failure.attempt))" : "")
        case .recovered(let seconds): return "Updates resumed after \(TripWords.age(seconds))"
        default: return ""
        }
    }
}
