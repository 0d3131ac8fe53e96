/// The limits of a navigator. The defaults of the two thresholds are the SDK's; the others were measured on drives with simulated errors.
public struct NavigatorConfiguration: Hashable, Sendable {
    /// The least change of the remaining time that is reported, seconds.
    public var timeUpdateThreshold = 1.0
    /// The least change of the remaining distance that is reported, metres.
    public var distanceUpdateThreshold = 1.0
    /// From here on the state is `arrivedAtDestination`, metres along the route. Fleet Engine's comment says about 50 m.
    public var arrivalZoneMeters = 50.0
    /// From here on `didArriveAt` is reported at once, metres along the route.
    public var arrivalMeters = 25.0
    /// A fix this far from the line speaks against the route, metres; more when the fix is inaccurate.
    public var offRouteMeters = 30.0
    /// The same as a multiple of the fix's accuracy; the larger of both counts.
    public var offRouteAccuracyFactor = 2.5
    /// Fixes that are less accurate than this, or that do not say how accurate they are, neither raise nor clear the alarm, metres.
    public var alarmAccuracyMeters = 50.0
    /// After this long without a usable fix the position counts as lost, seconds; later where fixes come less often than every few seconds.
    public var signalLossSeconds = 10.0
    /// When speeding is a matter for an alert; nil takes the SDK's thresholds: 10 and 20 km/h above the limit.
    public var speedAlerts: SpeedAlertOptions?

    /// The defaults.
    public init() {}

    /// How far from the line a fix may be, metres.
    func limitMeters(accuracyMeters: Double?) -> Double {
        max(offRouteMeters, offRouteAccuracyFactor * (accuracyMeters ?? 0))
    }
}
