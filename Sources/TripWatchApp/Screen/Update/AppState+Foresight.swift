package import FoundationEssentials
import JourneySharing

extension AppState {
    /// Whether what time changes can be drawn before it is there: one trip is seen, and nothing lies over it.
    private var isForeseeable: Bool {
        pages.count == 1 && page?.trip != nil && list == nil && overlay == nil && notice == nil && drive == nil && !asksForMap
    }

    /// When the next answer is expected, where it is still to come.
    private var nextAnswerAt: Date? {
        page.flatMap { page in page.journey.lastAnswerAt.map { $0.addingTimeInterval(page.journey.pollIntervalSeconds) } }
            .flatMap { $0 > now ? $0 : nil }
    }

    /// How it is at a moment if nothing happens before.
    ///
    /// - Returns: nil where time does more by then than change what is seen: that has to be lived through; and where the next answer is
    ///   expected before, which changes it anyhow.
    package func foreseen(at moment: Date) -> AppState? {
        guard isForeseeable, moment > now, var journey = page?.journey else { return nil }
        if let news = newsDueAt, news <= moment { return nil }
        if let answer = nextAnswerAt, answer < moment { return nil }
        journey.advance(to: moment)
        var state = self
        guard state.update(.tick(moment, journey)).isEmpty, state.revision == revision else { return nil }
        return state
    }
}
