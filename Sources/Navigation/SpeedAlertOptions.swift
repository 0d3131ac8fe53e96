/// From which excess on speeding is a minor or a major matter (`GMSNavigationSpeedAlertOptions`). A threshold that is nil or negative is
/// off: its severity is never told. Setting one beyond the other moves the other along.
public struct SpeedAlertOptions: Hashable, Sendable {
    /// Percent above the limit from which on an alert is minor.
    public var minorPercent: Double? {
        didSet { if isCrossed { majorPercent = minorPercent } }
    }
    /// Percent above the limit from which on an alert is major.
    public var majorPercent: Double? {
        didSet { if isCrossed { minorPercent = majorPercent } }
    }
    /// For how long the excess must be a major one before the alert is, seconds.
    public var severityUpgradeSeconds: Double

    private var isCrossed: Bool {
        guard let minorPercent, let majorPercent, majorPercent >= 0 else { return false }
        return minorPercent > majorPercent
    }

    /// Options with these thresholds.
    public init(minorPercent: Double? = nil, majorPercent: Double? = nil, severityUpgradeSeconds: Double = 0) {
        let minor = minorPercent.flatMap { $0 >= 0 ? $0 : nil }
        self.minorPercent = minor
        self.majorPercent = majorPercent.flatMap { $0 >= 0 ? max($0, minor ?? 0) : nil }
        self.severityUpgradeSeconds = severityUpgradeSeconds
    }
}

/// How bad speeding is.
public enum SpeedAlertSeverity: Hashable, Sendable {
    /// No threshold is passed.
    case notSpeeding
    /// The lower threshold is passed.
    case minor
    /// The upper threshold is passed.
    case major
}
