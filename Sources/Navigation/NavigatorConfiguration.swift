/// The limits of a navigator. The defaults of the two thresholds are the SDK's. The other defaults were measured on drives with simulated
/// errors.
public struct NavigatorConfiguration: Hashable, Sendable {
    /// Least change of the remaining time that is reported, seconds.
    public var timeUpdateThreshold = 1.0
    /// Least change of the remaining distance that is reported, metres.
    public var distanceUpdateThreshold = 1.0
    /// Remaining distance along the route at which the status becomes `arrivedAtDestination`, metres. Fleet Engine's documentation of that
    /// status says about 50 m.
    public var arrivalZoneMeters = 50.0
    /// Remaining distance along the route at which `didArriveAt` is reported at once, metres.
    public var arrivalMeters = 25.0
    /// Distance of a fix from the line beyond which it counts as off route, metres. An inaccurate fix may be farther away: see
    /// `offRouteAccuracyFactor`.
    public var offRouteMeters = 30.0
    /// The same limit as a multiple of the fix's accuracy. The larger of the two applies.
    public var offRouteAccuracyFactor = 2.5
    /// Worst accuracy at which a fix raises or clears the off-route alarm, metres. A fix without an accuracy does neither.
    public var alarmAccuracyMeters = 50.0
    /// Seconds without a usable fix after which the position counts as lost. It takes longer if fixes come less often than every few
    /// seconds.
    public var signalLossSeconds = 10.0
    /// Thresholds for speed alerts; nil means the SDK's: 10 and 20 km/h above the limit.
    public var speedAlerts: SpeedAlertOptions?

    /// Creates the default limits.
    public init() {}

    /// Greatest distance from the line at which a fix counts as on the route, metres.
    func limitMeters(accuracyMeters: Double?) -> Double {
        max(offRouteMeters, offRouteAccuracyFactor * (accuracyMeters ?? 0))
    }
}
