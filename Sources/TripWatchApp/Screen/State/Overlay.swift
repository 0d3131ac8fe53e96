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
    }

    public enum Button: Hashable, Sendable {
        case keep
        case cancel
    }

    public var step = Step.asking
    /// Enter presses this one; the safe one at first.
    public var focus = Button.keep
}
