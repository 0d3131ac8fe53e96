package import FoundationEssentials
import JourneySharing

extension AppState {
    /// Whether what time changes can be drawn before it is there: one trip is seen, and nothing lies over it.
    private var isForeseeable: Bool {
        pages.count == 1 && page?.trip != nil && list == nil && overlay == nil && notice == nil && drive == nil && !asksForMap
    }

    /// How it is at a moment if nothing happens before.
    ///
    /// - Returns: nil where time does more by then than change what is seen: that has to be lived through.
    package func foreseen(at moment: Date) -> AppState? {
        guard isForeseeable, moment > now, newsDueAt.map({ $0 > moment }) ?? true, var journey = page?.journey else { return nil }
        journey.advance(to: moment)
        var state = self
        guard state.update(.tick(moment, journey)).isEmpty, state.revision == revision else { return nil }
        return state
    }
}
