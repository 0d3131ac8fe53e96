package import FleetEngine
package import JourneySharing

/// News about the freshness of the position, for every kind of output.
package enum PositionNews: Hashable, Sendable {
    /// The car is assigned, but its position is no longer known.
    case lost
    case back
    case old(Freshness, ageSeconds: Double)

    /// - Parameters:
    ///   - previous: the previous freshness; nil if there was no position.
    ///   - hasVehicle: false if the car was removed, which is reported as separate news.
    /// - Returns: nil if there is no news.
    package init?(_ state: Freshness?, ageSeconds: Double?, previous: Freshness?, hasVehicle: Bool) {
        switch state {
        case nil where [.live, .quiet, .notLive].contains(previous) && hasVehicle: self = .lost
        case .live where previous == .quiet || previous == .notLive: self = .back
        case .quiet, .notLive: self = .old(state ?? .quiet, ageSeconds: ageSeconds ?? 0)
        case nil, .live, .offline, .stopped, .ended: return nil
        }
    }

    /// Returns a line of plain output.
    func line(_ kind: TripKind = .ride) -> StatusPhrases.Line {
        switch self {
        case .lost: .init(word: "no position", text: "the \(kind.vehicle)'s position is not known")
        case .back: .init(word: "live", text: "position is back")
        case .old(.notLive, let age): .init(word: "not live", text: "last position \(TripWords.age(age)) ago")
        case .old(_, let age): .init(word: "quiet", text: "no position for \(TripWords.age(age))")
        }
    }

    /// Returns the text for the list of events.
    package func event(_ kind: TripKind = .ride) -> String {
        switch self {
        case .lost: "The \(kind.vehicle)'s position is not known"
        case .back: "The position is back"
        case .old(.notLive, let age): "The position is \(TripWords.age(age)) old"
        case .old(_, let age): "No position for \(TripWords.age(age))"
        }
    }

    /// Returns a sentence for a screen reader.
    ///
    /// - Parameters:
    ///   - vehicle: word for the vehicle, for use inside a sentence.
    ///   - age: converts an age to words that suit reading aloud.
    func spoken(_ vehicle: String = TripKind.ride.vehicle, _ age: (Double) -> String) -> String {
        switch self {
        case .lost: "The \(vehicle)'s position is not known."
        case .back: "The \(vehicle)'s position is back."
        case .old(_, let seconds): "No position from the \(vehicle) for \(age(seconds))."
        }
    }
}
