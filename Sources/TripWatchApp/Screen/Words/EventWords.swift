import FleetEngine
import FoundationEssentials
import JourneySharing

/// Events in the words of the screen.
extension AppState {
    func words(_ event: LoggedEvent, of page: TripPage) -> String {
        switch event.kind {
        case .status(let status, let index, let isFirst): return words(status, stopIndex: index, isFirst: isFirst, page)
        case .vehicle(let id): return id.map { "Car assigned: \(carName(page, id: $0))" } ?? "The car was taken off the trip"
        case .promise(_, let arrival, let previous):
            let minutes = (abs(arrival.timeIntervalSince(previous)) / 60).rounded().clamped(to: 0...100_000)
            return "ETA \(clock(upTo: previous)) ▸ \(clock(upTo: arrival)) (\(arrival < previous ? "-" : "+")\(minutes) min)"
        case .freshness(let freshness, _, let age): return words(freshness, age: age)
        case .near: return "2 min away" + noticeWords(rings: false)
        case .othersFirst(let count): return count == 0 ? "Yours is the next stop" : "\(count) stop\(count == 1 ? "" : "s") before yours"
        case .failure(let failure):
            return FailureWords(failure).reason + (failure.attempt > 1 ? " (attempt \(failure.attempt))" : "")
        case .recovered(let seconds): return "Connection is back after \(TripWords.age(seconds))"
        case .note(let text): return text
        }
    }

    private func words(_ status: TripStatus, stopIndex: Int, isFirst: Bool, _ page: TripPage) -> String {
        switch status {
        case .new: return isFirst ? "Trip created" : "Trip is new again"
        case .enrouteToPickup: return isFirst ? "The car is on the way to you" : "Car started moving"
        case .arrivedAtPickup: return isFirst ? "The car is at the pickup" : "Arrived at pickup" + noticeWords(rings: true)
        case .enrouteToIntermediateDestination: return "On the way to stop \(stopIndex + 1)"
        case .arrivedAtIntermediateDestination: return "Arrived at stop \(stopIndex + 1)"
        case .enrouteToDropoff: return "On the way to \(page.names.dropoff.isEmpty ? "the drop-off" : page.names.dropoff)"
        case .complete: return "Trip complete"
        case .canceled:
            if case .done(let time) = page.canceling { return canceledWords(page, at: time) }
            return "Trip cancelled"
        case .unknown: return "The server does not say how the trip stands"
        }
    }

    /// What came of our own cancelling. Only a car that there was can have been released.
    func canceledWords(_ page: TripPage, at time: Date) -> String {
        "Cancelled \(clock(time))." + (page.card == nil ? "" : " Car released.")
    }

    private func words(_ freshness: Freshness, age: Double?) -> String {
        switch freshness {
        case .quiet: "No position for \(TripWords.age(age ?? 0))"
        case .notLive: "The position is old: \(TripWords.age(age ?? 0))"
        default: "The position is back"
        }
    }

    /// How the user was told, in brackets.
    private func noticeWords(rings: Bool) -> String {
        let parts = (rings && options.ringsBell ? ["bell rung"] : []) + (options.sendsNotices ? ["desktop notice sent"] : [])
        return parts.isEmpty ? "" : " (\(parts.joined(separator: ", ")))"
    }

    /// The car in a few words; its id where nothing better is known.
    func carName(_ page: TripPage, id: String? = nil) -> String {
        guard let card = page.card, card.isKnown, id == nil || card.id == id else { return id ?? page.card?.id ?? "" }
        return [card.looks, card.plate].filter { !$0.isEmpty }.joined(separator: ", ")
    }
}
