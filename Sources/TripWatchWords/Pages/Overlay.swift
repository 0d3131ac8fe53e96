/// A panel over the map.
package enum Overlay: Hashable, Sendable {
    case help
    case stops
    case events
    case details
    case cancel(CancelDialog)
    /// The link to the displayed trip.
    case link
    case search(PlaceSearch)
}

/// The confirmation before a trip is cancelled, and its result.
package struct CancelDialog: Hashable, Sendable {
    package enum Step: Hashable, Sendable {
        case asking
        case sending
        case failed(String)
        /// The answer was lost; the trip's later statuses will show whether the trip was cancelled.
        case unknown(String)
    }

    /// Whether the buttons are disabled, because the answer has not arrived yet.
    package var isWaiting: Bool {
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
    /// The button that Enter presses. At first, it is the button that keeps the trip.
    package var focus = Button.keep

    package init(step: Step = .asking, focus: Button = .keep) {
        self.step = step
        self.focus = focus
    }
}
