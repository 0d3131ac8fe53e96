/// Decides from a row of fixes whether the vehicle has left its route.
///
/// A score: +1 beyond the limit, +2 beyond twice the limit, 0 again within 0.8 of the limit; the alarm comes at 3. Against driving the route
/// backwards, which stays near the line, a second rule: four fixes in a row with the course against the line and 50 m back.
///
/// A vehicle that starts away from every road has not left its route: until it has been on it, it is off only where it gets farther from it
/// than it was already, by more than the limit.
struct OffRouteDetector: Hashable, Sendable {
    static let alarmScore = 3
    static let clearShare = 0.8
    static let wrongWayFixCount = 4
    static let wrongWayMeters = 50.0
    /// Slower than this a course says nothing, metres per second.
    static let courseSpeedMetersPerSecond = 3.0
    /// Fixes in a row beyond the limit after which a place farther along is looked for.
    static let searchFixCount = 3

    private(set) var score = 0
    private(set) var failingFixes = 0
    private(set) var wrongWayFixes = 0
    private var metersBack = 0.0
    /// How near the vehicle has come to a route on which it has not been yet, metres; nil once it was on it.
    private var nearestMeters: Double? = .infinity
    private(set) var reason: OffRouteReason?

    /// The evidence of one fix.
    struct Observation {
        var distanceMeters: Double
        var limitMeters: Double
        /// Whether the fix is accurate enough to raise or clear an alarm.
        var isTrusted: Bool
        /// Whether the vehicle moves, fast enough for the course to count, with the line (true) or against it (false); nil when unknown.
        var runsWithLine: Bool?
        /// How far behind the farthest progress the vehicle is, metres.
        var metersBack: Double
    }

    var wantsSearch: Bool { failingFixes >= Self.searchFixCount || score >= Self.alarmScore || isGoingBack }

    private var isGoingBack: Bool { wrongWayFixes >= Self.wrongWayFixCount && metersBack >= Self.wrongWayMeters }

    mutating func observe(_ fix: Observation) {
        guard fix.isTrusted else { return }
        let ratio = fix.distanceMeters / fix.limitMeters
        failingFixes = ratio > 1 ? failingFixes + 1 : 0
        guard !isOnTheWay(to: fix) else { return score = 0 }
        if ratio > 2 {
            score = min(score + 2, Self.alarmScore)
        } else if ratio > 1 {
            score = min(score + 1, Self.alarmScore)
        } else if ratio <= Self.clearShare {
            score = 0
        }
        metersBack = fix.metersBack
        if let runsWithLine = fix.runsWithLine { wrongWayFixes = runsWithLine ? 0 : wrongWayFixes + 1 }
    }

    /// Whether the vehicle has not reached its route yet, and does not go away from it.
    private mutating func isOnTheWay(to fix: Observation) -> Bool {
        guard let nearest = nearestMeters else { return false }
        guard fix.distanceMeters > fix.limitMeters else {
            nearestMeters = nil
            return false
        }
        nearestMeters = min(nearest, fix.distanceMeters)
        return fix.distanceMeters <= nearest + fix.limitMeters
    }

    /// A place farther along was found: everything before is forgotten.
    mutating func rejoin() {
        self = OffRouteDetector()
        nearestMeters = nil
    }

    /// Draws the conclusion: sets `reason`.
    mutating func conclude() {
        if score >= Self.alarmScore {
            reason = .distance
        } else if isGoingBack {
            reason = .wrongWay
        } else if score == 0, wrongWayFixes == 0 {
            reason = nil
        }
    }
}
