/// Decides from a series of fixes whether the vehicle has left its route.
///
/// A fix beyond the limit adds 1 to a score, and a fix beyond twice the limit adds 2. A fix within 0.8 times the limit resets the
/// score. A score of 3 raises the alarm.
///
/// A vehicle that drives the route backwards stays near the line. So the alarm is also raised after four fixes in a row whose course is
/// against the line. The vehicle must then be at least 50 m behind its farthest point on the route. The count of four skips fixes without a
/// known course, and fixes at less than 3 m/s. A fix that is not accurate enough (`isTrusted`) is ignored altogether.
///
/// A vehicle that has not been on the route yet counts as off the route only if its distance from the route grows by more than
/// the limit.
struct OffRouteDetector: Hashable, Sendable {
    static let alarmScore = 3
    static let clearShare = 0.8
    static let wrongWayFixCount = 4
    static let wrongWayMeters = 50.0
    /// Lowest speed at which the course of a fix is used, in metres per second.
    static let courseSpeedMetersPerSecond = 3.0
    /// Number of fixes in a row beyond the limit after which the rest of the leg is searched.
    static let searchFixCount = 3

    private(set) var score = 0
    private(set) var failingFixes = 0
    private(set) var wrongWayFixes = 0
    private var metersBack = 0.0
    /// Shortest distance from the route so far, in metres; nil once the vehicle has been on the route.
    private var nearestMeters: Double? = .infinity
    private(set) var reason: OffRouteReason?

    /// The measurements of one fix.
    struct Observation {
        var distanceMeters: Double
        var limitMeters: Double
        /// Whether the fix is accurate enough; see `alarmAccuracyMeters`.
        var isTrusted: Bool
        /// Whether the vehicle drives in the direction of the line, and not against it. Nil if the course is unknown or the speed too
        /// low.
        var runsWithLine: Bool?
        /// Distance of the vehicle behind the farthest point that it reached on the route, in metres.
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

    /// Whether the vehicle has not reached its route yet and is not driving away from it.
    private mutating func isOnTheWay(to fix: Observation) -> Bool {
        guard let nearest = nearestMeters else { return false }
        guard fix.distanceMeters > fix.limitMeters else {
            nearestMeters = nil
            return false
        }
        nearestMeters = min(nearest, fix.distanceMeters)
        return fix.distanceMeters <= nearest + fix.limitMeters
    }

    /// Forgets all earlier fixes, because the vehicle was found farther along the route.
    mutating func rejoin() {
        self = OffRouteDetector()
        nearestMeters = nil
    }

    /// Sets `reason` from the score, from the number of fixes whose course is against the line, and from the distance driven back.
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
