public import FoundationEssentials

/// What goes into a navigator. The same inputs in the same order make the same events.
public enum NavigatorInput: Hashable, Sendable {
    /// A fix, and when it came by the navigator's clock.
    case fix(LocationFix, at: Date)
    /// A command of the app.
    case command(NavigatorCommand)
}

extension NavigatorState {
    /// Takes in what went into another navigator.
    /// - Returns: the events for listeners, in order.
    public mutating func apply(_ input: NavigatorInput) -> [NavigatorEvent] {
        switch input {
        case .fix(let fix, let now): apply(fix, at: now)
        case .command(let command): apply(command)
        }
    }
}
