import FoundationEssentials

/// Decides when the vehicle has reached a leg's destination: it is very near the end of the line, is stationary close to it, or has
/// passed it.
struct ArrivalDetector: Hashable, Sendable {
    static let standingSpeedMetersPerSecond = 2.0
    static let standingSeconds = 5.0
    /// Greatest remaining distance along the route for `hasPassed`, in metres. A route may pass close to its destination long
    /// before its end.
    static let passingMeters = 150.0
    static let passingFixCount = 3
    /// Smallest increase in the straight-line distance to the destination that cannot be a mere position error, in metres.
    static let passingGrowthMeters = 10.0

    private var standingSince: Date?
    private var nearestMeters = Double.infinity
    private var lastMeters = Double.infinity
    private var leastRemainingMeters = Double.infinity
    private var growingFixes = 0

    struct Observation {
        /// Remaining distance along the route, in metres.
        var remainingMeters: Double
        /// Straight-line distance to the end of the line, in metres; used only within `passingMeters`.
        var directMeters: Double
        var speedMetersPerSecond: Double?
        var time: Date
    }

    /// - Returns: whether the vehicle has reached the destination.
    mutating func observe(_ fix: Observation, _ configuration: NavigatorConfiguration) -> Bool {
        if fix.remainingMeters <= configuration.arrivalMeters { return true }
        let stands = hasStood(fix, within: configuration.arrivalZoneMeters)
        let passed = hasPassed(fix, within: configuration.arrivalZoneMeters)
        return stands || passed
    }

    private mutating func hasStood(_ fix: Observation, within zoneMeters: Double) -> Bool {
        guard fix.remainingMeters <= zoneMeters, let speed = fix.speedMetersPerSecond, speed < Self.standingSpeedMetersPerSecond else {
            standingSince = nil
            return false
        }
        let since = standingSince ?? fix.time
        standingSince = since
        return fix.time.timeIntervalSince(since) >= Self.standingSeconds
    }

    /// Whether the vehicle was close to the destination and is now moving away from it, without progress along the route.
    private mutating func hasPassed(_ fix: Observation, within zoneMeters: Double) -> Bool {
        guard fix.remainingMeters <= Self.passingMeters else { return false }
        let isCloser = fix.remainingMeters < leastRemainingMeters
        growingFixes = fix.directMeters > lastMeters && !isCloser ? growingFixes + 1 : 0
        nearestMeters = min(nearestMeters, fix.directMeters)
        leastRemainingMeters = min(leastRemainingMeters, fix.remainingMeters)
        lastMeters = fix.directMeters
        return nearestMeters <= zoneMeters && growingFixes >= Self.passingFixCount
            && fix.directMeters >= nearestMeters + Self.passingGrowthMeters
    }
}
