import FleetEngine
import FoundationEssentials
import JourneySharing
import TripWatchWords

/// Events of shipments.
extension AppState {
    /// Adds facts to the events of a shipment.
    /// - Parameter time: by the local clock.
    mutating func note(_ facts: [ShipmentFact], of index: Int, at time: Date) {
        guard !facts.isEmpty else { return }
        for fact in facts {
            if let shared = sharedFact(fact) {
                shipments[index].log.add(shared, of: nil, at: time)
            } else if let words = eventWords(fact, shipments[index]) {
                shipments[index].log.add(note: words, at: time)
            }
            if case .shared(let parts, _) = fact { shipments[index].toldShared = parts }
        }
        if isShown(pages.count + index) { revision &+= 1 }
    }

    /// The same fact of a trip; nil for a fact that trips do not have.
    private func sharedFact(_ fact: ShipmentFact) -> TripFact? {
        switch fact {
        case .freshness(let state, let age, let previous): .freshness(state, ageSeconds: age, previous: previous)
        case .failure(let failure): .failure(failure)
        case .recovered(let seconds): .recovered(afterSeconds: seconds)
        case .replaced, .state, .window, .shared, .location, .eta, .stops, .route, .outcome, .end: nil
        }
    }

    /// The words of a fact; nil for one that is no event.
    private func eventWords(_ fact: ShipmentFact, _ page: ShipmentPage) -> String? {
        let isFirst = page.toldShared == nil
        let state = ShipmentState(page.tracker, now: now, secondsFromGMT: options.secondsFromGMT)
        switch fact {
        case .replaced: return "Another shipment has this number now"
        case .state(let state):
            let word = state == .closed ? "closed" : "open"
            return isFirst ? "First seen: \(word)" : state == .closed ? "Closed" : "Open"
        case .window(let window):
            if window == nil { return isFirst ? nil : "The planned time is not shared any more" }
            return "Planned \(state?.window ?? "")"
        case .shared(let parts, _): return sharingWords(parts, before: page.toldShared)
        case .stops(let before): return before.map(ShipmentState.stops)
        case .outcome(.succeeded, let time): return "Done" + (time.map { " at \(clock($0))" } ?? "")
        case .outcome(_, let time): return "Not done: tried" + (time.map { " at \(clock($0))" } ?? "") + " without success"
        case .end(_, let outcome): return outcome == nil ? "No longer planned" : nil
        case .freshness, .location, .eta, .route, .failure, .recovered: return nil
        }
    }

    /// `Position and arrival are shared now`, and after it what is not shared any more; nil if nothing changed.
    /// - Parameter before: the parts shared until now; nil before the first answer.
    private func sharingWords(_ parts: SharedParts, before: SharedParts?) -> String? {
        let lost = (before ?? []).subtracting(parts)
        let new = parts.subtracting(before ?? [])
        let sentences = [
            Self.sentence(new, end: before == nil ? "shared" : "shared now"), Self.sentence(lost, end: "not shared any more"),
        ]
        let told = sentences.compactMap { $0 }
        return told.isEmpty ? nil : told.joined(separator: "; ")
    }

    private static let partNames: [(part: SharedParts, name: String)] = [
        (.location, "position"), (.route, "route"), (.eta, "arrival"), (.completion, "completion"), (.distance, "distance"),
        (.stops, "stop count"),
    ]

    private static func sentence(_ parts: SharedParts, end: String) -> String? {
        let names = partNames.filter { parts.contains($0.part) }.map(\.name)
        guard let first = names.first, let last = names.last else { return nil }
        let list = names.count == 1 ? first : names.dropLast().joined(separator: ", ") + " and " + last
        let start = list.prefix(1).uppercased() + list.dropFirst()
        return "\(start) \(names.count == 1 ? "is" : "are") \(end)"
    }

    /// The words of an event that shipments have in common with trips.
    func words(_ fact: TripFact, _ page: ShipmentPage) -> String {
        switch fact {
        case .freshness(let state, let age, let previous):
            return PositionNews(state, ageSeconds: age, previous: previous, hasVehicle: false)?.event() ?? ""
        case .failure(let failure):
            return ShipmentFailureWords(failure, of: page.name).meaning + (failure.attempt > 1 ? " (attempt \(failure.attempt))" : "")
        case .recovered(let seconds): return "Connection is back after \(TripWords.age(seconds))"
        default: return ""
        }
    }
}
