/// Thresholds of minor and major speeding (`GMSNavigationSpeedAlertOptions`). If a threshold is nil or negative, its severity
/// is never reported. If one threshold is set so that minor exceeds major, the other threshold gets the same value.
public struct SpeedAlertOptions: Hashable, Sendable {
    /// Percentage above the speed limit from which an alert is minor.
    public var minorPercent: Double? {
        didSet { if isCrossed { majorPercent = minorPercent } }
    }
    /// Percentage above the speed limit from which an alert is major.
    public var majorPercent: Double? {
        didSet { if isCrossed { minorPercent = majorPercent } }
    }
    /// Seconds for which the speed must stay at or above the major threshold before the alert becomes major.
    public var severityUpgradeSeconds: Double

    private var isCrossed: Bool {
        guard let minorPercent, let majorPercent, majorPercent >= 0 else { return false }
        return minorPercent > majorPercent
    }

    /// Creates options with these thresholds.
    public init(minorPercent: Double? = nil, majorPercent: Double? = nil, severityUpgradeSeconds: Double = 0) {
        let minor = minorPercent.flatMap { $0 >= 0 ? $0 : nil }
        self.minorPercent = minor
        self.majorPercent = majorPercent.flatMap { $0 >= 0 ? max($0, minor ?? 0) : nil }
        self.severityUpgradeSeconds = severityUpgradeSeconds
    }
}

/// Severity of speeding.
public enum SpeedAlertSeverity: Hashable, Sendable {
    /// The speed is below both thresholds.
    case notSpeeding
    /// The speed has reached the minor threshold.
    case minor
    /// The speed has been at or above the major threshold for long enough (``SpeedAlertOptions/severityUpgradeSeconds``).
    case major
}
