import FleetEngine
package import FoundationEssentials
package import JourneySharing

/// The words for facts about a shipment in a list of events.
package struct ShipmentEventWords: Sendable {
    private let secondsFromGMT: @Sendable (Date) -> Int

    /// - Parameter secondsFromGMT: offset of the displayed time zone from GMT at a time, in seconds.
    package init(secondsFromGMT: @escaping @Sendable (Date) -> Int) { self.secondsFromGMT = secondsFromGMT }

    /// Returns the words for a fact; nil if the fact is not an event, or if its words are the same as for trips.
    /// - Parameters:
    ///   - tracker: the shipment's tracker, after the update that brought the fact.
    ///   - before: the items that were shared before the fact; nil before the first answer.
    package func words(_ fact: ShipmentFact, _ tracker: ShipmentTracker, after before: SharedParts?, now: Date) -> String? {
        switch fact {
        case .replaced: return "This tracking id now belongs to another shipment"
        case .state(let state):
            let isClosed = state == .closed
            return before == nil ? "Shipment \(isClosed ? "already closed" : "open")" : isClosed ? "Closed" : "Open"
        case .window(nil): return before == nil ? nil : "The planned time is no longer shared"
        case .window: return "Planned \(ShipmentState(tracker, now: now, secondsFromGMT: secondsFromGMT)?.window ?? "")"
        case .shared(let parts, _): return Self.sharing(parts, after: before)
        case .stops(let before): return before.map(ShipmentState.stops)
        case .outcome(.succeeded, let time): return "Done" + at(time, now)
        case .outcome(_, let time): return "Not completed: the attempt\(at(time, now)) failed"
        case .end(_, let outcome): return outcome == nil ? "No longer planned" : nil
        case .freshness, .location, .eta, .route, .failure, .recovered: return nil
        }
    }

    private func at(_ time: Date?, _ now: Date) -> String {
        time.map { " at " + Timestamps.clock($0, now: now, secondsFromGMT: secondsFromGMT) } ?? ""
    }

    /// Returns words such as `Now shared: position and arrival; No longer shared: route`; nil if nothing changed.
    private static func sharing(_ parts: SharedParts, after before: SharedParts?) -> String? {
        let lists = [
            list(parts.subtracting(before ?? []), after: before == nil ? "Shared" : "Now shared"),
            list((before ?? []).subtracting(parts), after: "No longer shared"),
        ].compactMap { $0 }
        return lists.isEmpty ? nil : lists.joined(separator: "; ")
    }

    private static let partNames: [(part: SharedParts, name: String)] = [
        (.location, "position"), (.route, "route"), (.eta, "arrival"), (.completion, "completion time"), (.distance, "distance"),
        (.stops, "stop count"),
    ]

    private static func list(_ parts: SharedParts, after words: String) -> String? {
        let names = partNames.filter { parts.contains($0.part) }.map(\.name)
        guard let last = names.last else { return nil }
        return "\(words): " + (names.count == 1 ? last : names.dropLast().joined(separator: ", ") + " and " + last)
    }
}
