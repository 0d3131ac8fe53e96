/// What lies over the map.
package enum Overlay: Hashable, Sendable {
    case help
    case stops
    case events
    case details
    case cancel(CancelDialog)
    /// The link to the trip in front.
    case link
    case search(PlaceSearch)
}

/// The question before a trip is cancelled, and what came of it.
package struct CancelDialog: Hashable, Sendable {
    package enum Step: Hashable, Sendable {
        case asking
        case sending
        case failed(String)
        /// The answer was lost; the trip's next states tell what became of it.
        case unknown(String)
    }

    /// Nothing can be chosen until an answer is there.
    var isWaiting: Bool {
        switch step {
        case .sending, .unknown: true
        case .asking, .failed: false
        }
    }

    package enum Button: Hashable, Sendable {
        case keep
        case cancel
    }

    package var step = Step.asking
    /// Enter presses this one; the safe one at first.
    package var focus = Button.keep
}
