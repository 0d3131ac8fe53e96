import FoundationEssentials
import Routing

/// Detects when the vehicle drives faster than the road's speed limit.
struct SpeedingWatch: Hashable, Sendable {
    /// Number of fixes in a row that must be over the speed limit before the vehicle counts as speeding.
    static let fixCount = 2
    /// Smallest change of the speeding percentage that is reported while the vehicle is speeding, in percentage points.
    static let leastChangePercent = 1.0
    /// Worst speed accuracy at which a fix is used, in metres per second.
    static let worstAccuracyMetersPerSecond = 2.0
    /// Least cosine of the angle between course and road at which the vehicle counts as driving along the road.
    static let alongCosine = 0.707
    /// Minor threshold if no options are given. Minor and major are 10 and 20 km/h over the limit, as in the SDK.
    static let defaultMinorMetersPerSecond = 10 / 3.6
    static let defaultMajorMetersPerSecond = 20 / 3.6

    /// The percentage above the limit that was last reported to listeners.
    private(set) var toldPercent = 0.0
    private(set) var severity = SpeedAlertSeverity.notSpeeding
    private var fixesOver = 0
    private var majorSince: Date?

    /// The measurements of one fix.
    struct Observation {
        var speedMetersPerSecond: Double?
        var speedAccuracyMetersPerSecond: Double?
        /// Cosine of the angle between the vehicle's course and the road; nil if unknown.
        var courseAgreement: Double?
        var limit: SpeedLimit
        var time: Date
    }

    /// - Parameter events: the list to which the new events are appended.
    mutating func observe(_ fix: Observation, _ options: SpeedAlertOptions?, _ events: inout [NavigatorEvent]) {
        guard case .metersPerSecond(let limit) = fix.limit, limit > 0 else { return update(percent: 0, severity: .notSpeeding, &events) }
        guard let speed = fix.speedMetersPerSecond, fix.speedAccuracyMetersPerSecond ?? 0 <= Self.worstAccuracyMetersPerSecond else {
            fixesOver = 0
            return
        }
        guard speed > limit else { return update(percent: 0, severity: .notSpeeding, &events) }
        guard let agreement = fix.courseAgreement, agreement >= Self.alongCosine else {
            fixesOver = 0
            return
        }
        fixesOver += 1
        guard fixesOver >= Self.fixCount else { return }
        let percent = (speed - limit) / limit * 100
        update(percent: percent, severity: severity(percent, speed - limit, options, at: fix.time), &events)
    }

    private mutating func severity(
        _ percent: Double, _ excess: Double, _ options: SpeedAlertOptions?, at time: Date
    ) -> SpeedAlertSeverity {
        func reaches(_ threshold: Double?) -> Bool { threshold.map { $0 >= 0 && percent >= $0 } ?? false }
        let isMinor = options.map { reaches($0.minorPercent) } ?? (excess >= Self.defaultMinorMetersPerSecond)
        let isMajor = options.map { reaches($0.majorPercent) } ?? (excess >= Self.defaultMajorMetersPerSecond)
        guard isMajor else {
            majorSince = nil
            return isMinor ? .minor : .notSpeeding
        }
        let since = majorSince ?? time
        majorSince = since
        let isUpgraded = severity == .major || time.timeIntervalSince(since) >= options?.severityUpgradeSeconds ?? 0
        return isUpgraded ? .major : isMinor ? .minor : .notSpeeding
    }

    private mutating func update(percent: Double, severity new: SpeedAlertSeverity, _ events: inout [NavigatorEvent]) {
        if percent == 0 {
            fixesOver = 0
            majorSince = nil
        }
        if percent == 0 ? toldPercent != 0 : toldPercent == 0 || abs(percent - toldPercent) >= Self.leastChangePercent {
            toldPercent = percent
            events.append(.didUpdateSpeedingPercentage(percent))
        }
        guard new != severity else { return }
        severity = new
        events.append(.didUpdateSpeedAlertSeverity(new, percentage: percent))
    }
}
