package import FleetEngine
package import JourneySharing

/// The news in a change of the position's freshness, for every voice.
package enum PositionNews: Hashable, Sendable {
    /// There is a car, and its position is not known any more.
    case lost
    case back
    case old(Freshness, ageSeconds: Double)

    /// - Parameters:
    ///   - previous: the state before; nil without a position then.
    ///   - hasVehicle: false for a car that is gone, whose own news says so.
    /// - Returns: nil without news.
    package init?(_ state: Freshness?, ageSeconds: Double?, previous: Freshness?, hasVehicle: Bool) {
        switch state {
        case nil where [.live, .quiet, .notLive].contains(previous) && hasVehicle: self = .lost
        case .live where previous == .quiet || previous == .notLive: self = .back
        case .quiet, .notLive: self = .old(state ?? .quiet, ageSeconds: ageSeconds ?? 0)
        case nil, .live, .offline, .stopped, .ended: return nil
        }
    }

    /// Plain output.
    func line(_ kind: TripKind = .ride) -> StatusPhrases.Line {
        switch self {
        case .lost: .init(word: "no position", text: "the \(kind.vehicle)'s position is not known")
        case .back: .init(word: "live", text: "position is back")
        case .old(.notLive, let age): .init(word: "not live", text: "last position \(TripWords.age(age)) ago")
        case .old(_, let age): .init(word: "quiet", text: "no position for \(TripWords.age(age))")
        }
    }

    /// The list of events.
    package func event(_ kind: TripKind = .ride) -> String {
        switch self {
        case .lost: "The \(kind.vehicle)'s position is not known"
        case .back: "The position is back"
        case .old(.notLive, let age): "The position is old: \(TripWords.age(age))"
        case .old(_, let age): "No position for \(TripWords.age(age))"
        }
    }

    /// A screen reader's sentence.
    ///
    /// - Parameter age: an age in words that can be read aloud.
    func spoken(_ kind: TripKind = .ride, _ age: (Double) -> String) -> String {
        switch self {
        case .lost: "The \(kind.vehicle)'s position is not known."
        case .back: "The \(kind.vehicle)'s position is back."
        case .old(_, let seconds): "No news from the \(kind.vehicle) for \(age(seconds))."
        }
    }
}
