public import FoundationEssentials

/// The planned time span of a task, including both ends.
public struct TimeWindow: Hashable, Sendable {
    /// The time at which the window begins.
    public var start: Date
    /// The time at which the window ends, not before `start`.
    public var end: Date

    /// Creates the window from `start` to `end`.
    public init(start: Date, end: Date) {
        self.start = start
        self.end = end
    }
}
