/// What lies over the map.
public enum Overlay: Hashable, Sendable {
    case help
    case stops
    case events
    case details
    case cancel(CancelDialog)
}

/// The question before a trip is cancelled, and what came of it.
public struct CancelDialog: Hashable, Sendable {
    public enum Step: Hashable, Sendable {
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

    public enum Button: Hashable, Sendable {
        case keep
        case cancel
    }

    public var step = Step.asking
    /// Enter presses this one; the safe one at first.
    public var focus = Button.keep
}
