public import FoundationEssentials

/// The time span for which a task is planned, including both ends.
public struct TimeWindow: Hashable, Sendable {
    /// The first moment.
    public var start: Date
    /// The last moment, not before `start`.
    public var end: Date

    /// The window from `start` to `end`.
    public init(start: Date, end: Date) {
        self.start = start
        self.end = end
    }
}
