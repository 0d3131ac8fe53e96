import FoundationEssentials

/// Category of the traffic delay on the route to the next destination (`GMSNavigationDelayCategory`).
///
/// The raw values are the SDK's and are not in the order of the delays. Compare by `severity`.
public enum DelayCategory: Int, Hashable, Sendable, CaseIterable {
    /// There is no route, or traffic is unknown on more than half of it.
    case noData = 0
    /// Traffic makes the drive at least 50 % and 2 minutes longer, or at least 10 minutes longer.
    case heavy = 1
    /// Traffic makes the drive at least 20 % and 1 minute longer, or at least 4 minutes longer.
    case medium = 2
    /// The delay is below the limits of `medium`.
    case light = 3

    /// Rank of the category, from 0 (no data) to 3 (heavy).
    public var severity: Int {
        switch self {
        case .noData: 0
        case .light: 1
        case .medium: 2
        case .heavy: 3
        }
    }

    /// - Parameter scale: factor by which the limits of all categories are multiplied.
    fileprivate init(_ delay: RouteDelay, scale: Double) {
        let share = delay.freeFlowSeconds > 0 ? delay.delaySeconds / delay.freeFlowSeconds : 0
        func exceeds(_ least: Double, share leastShare: Double, alone: Double) -> Bool {
            share >= leastShare * scale && delay.delaySeconds >= least * scale || delay.delaySeconds >= alone * scale
        }
        if exceeds(120, share: 0.5, alone: 600) {
            self = .heavy
        } else if exceeds(60, share: 0.2, alone: 240) {
            self = .medium
        } else {
            self = .light
        }
    }
}

/// The time that traffic costs on the route to a destination.
public struct RouteDelay: Hashable, Sendable {
    /// Number of seconds lost to traffic.
    public let delaySeconds: Double
    /// Number of seconds that the drive takes without traffic.
    public let freeFlowSeconds: Double

    /// Creates a delay.
    public init(delaySeconds: Double, freeFlowSeconds: Double) {
        self.delaySeconds = delaySeconds
        self.freeFlowSeconds = freeFlowSeconds
    }
}

/// Chooses the delay category, and keeps it from flickering. The category rises at once. It falls when the delay is a fifth below the
/// category's limit, or has been below that limit for 30 s. If the delay becomes unknown, the category becomes `noData` at once.
struct DelayJudge: Hashable, Sendable {
    static let fallingScale = 0.8
    static let fallingSeconds = 30.0
    /// Remaining time below which the category no longer changes, in seconds.
    static let lastSeconds = 60.0

    private(set) var category = DelayCategory.noData
    private var lowerSince: Date?
    private var isNewWay = true

    /// Prepares for a new route or leg: its first delay sets the category at once.
    mutating func restart() {
        isNewWay = true
        lowerSince = nil
    }

    /// - Parameter delay: the current delay; nil if it is unknown.
    /// - Returns: the new category, or nil if it has not changed.
    mutating func judge(_ delay: RouteDelay?, remainingSeconds: Double, at now: Date) -> DelayCategory? {
        guard remainingSeconds >= Self.lastSeconds || isNewWay else { return nil }
        let before = category
        category = next(delay, at: now)
        isNewWay = false
        return category == before ? nil : category
    }

    private mutating func next(_ delay: RouteDelay?, at now: Date) -> DelayCategory {
        let target = delay.map { DelayCategory($0, scale: 1) } ?? .noData
        guard let delay, !isNewWay, target.severity < category.severity else {
            lowerSince = nil
            return target
        }
        let clear = DelayCategory(delay, scale: Self.fallingScale)
        let since = lowerSince ?? now
        lowerSince = since
        if now.timeIntervalSince(since) >= Self.fallingSeconds {
            lowerSince = nil
            return target
        }
        return clear.severity < category.severity ? clear : category
    }
}
