import FoundationEssentials

/// Decides when the destination of a leg is reached: near the end of the line, standing close to it, or having passed it.
struct ArrivalDetector: Hashable, Sendable {
    static let standingSpeedMetersPerSecond = 2.0
    static let standingSeconds = 5.0
    /// Metres before the end within which the passing rule applies. A route may pass its destination early.
    static let passingMeters = 150.0
    static let passingFixCount = 3
    /// Least growth of the distance that is not noise, metres.
    static let passingGrowthMeters = 10.0

    private var standingSince: Date?
    private var nearestMeters = Double.infinity
    private var lastMeters = Double.infinity
    private var leastRemainingMeters = Double.infinity
    private var growingFixes = 0

    struct Observation {
        /// Distance along the route, metres.
        var remainingMeters: Double
        /// Straight-line distance, metres; read within `passingMeters` only.
        var directMeters: Double
        var speedMetersPerSecond: Double?
        var time: Date
    }

    /// - Returns: whether the destination counts as reached now.
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

    /// Whether the nearest point lies behind and the distance along the route no longer falls.
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
