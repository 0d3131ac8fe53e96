import FleetEngine
import FoundationEssentials
import JourneySharing
import TripWatchWords

/// Texts for failures of a shipment's polls.
extension AppState {
    /// Returns a short text that says why a poll failed, in at most 16 columns.
    func shortFailure(_ failure: PollFailure) -> String {
        if LinkEnd.isEnd(failure.error) { return LinesView.shortWords(failure) }
        return switch (failure.errorClass, failure.error.code) {
        case (.actionRequired(.checkTripName), .notFound): "no such shipment"
        case (.actionRequired(.checkTripExists), _): "no longer known"
        case (.actionRequired(.checkAddress), .unimplemented): "not supported"
        default: LinesView.shortWords(failure)
        }
    }

    /// The label beside a shipment's vehicle whose position is not live. It is shown if the position is old, if the last request failed, or
    /// if the shipment has an outcome. Nil for a live position, without a position, and on the pages of trips.
    var shipmentLastSeen: String? {
        guard let tracker = shipment?.tracker, !tracker.isLive, let age = tracker.ageSeconds(now: now) else { return nil }
        return "last seen \(TripWords.age(age)) ago"
    }
}

extension BannerWords {
    /// Creates the banner of a shipment's page; nil without a failure, and after the shipment has ended.
    init?(_ page: ShipmentPage, _ state: AppState) {
        guard let failure = page.failure, !page.tracker.isOver(now: state.now) else { return nil }
        let words = ShipmentFailureWords(failure, of: page.name)
        let answer = page.tracker.lastAnswerAt.map { state.clock(page.clockTime($0), withSeconds: true) }
        let trouble = Trouble(
            failure: failure, meaning: words.meaning, advice: words.advice, cause: words.cause, brief: state.shortFailure(failure),
            consequences: answer == nil ? nil : "", oldness: answer.map { "The data is from \($0)." })
        self.init(trouble, page, state)
    }
}
