public import FoundationEssentials

/// Input of a navigator. The same inputs in the same order produce the same events.
public enum NavigatorInput: Hashable, Sendable {
    /// A fix, with the time at which the navigator received it, by the caller's clock.
    case fix(LocationFix, at: Date)
    /// A command of the app.
    case command(NavigatorCommand)
}

extension NavigatorState {
    /// Processes an input, such as one that another navigator received.
    /// - Returns: the events for listeners, in order.
    public mutating func apply(_ input: NavigatorInput) -> [NavigatorEvent] {
        switch input {
        case .fix(let fix, let now): apply(fix, at: now)
        case .command(let command): apply(command)
        }
    }
}
