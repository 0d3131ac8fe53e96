/// The limits of a navigator. The default thresholds for time and distance updates are those of the SDK. The other defaults were chosen on
/// the basis of measurements of drives with simulated position errors.
public struct NavigatorConfiguration: Hashable, Sendable {
    /// The remaining time is reported when it has changed by this many seconds.
    public var timeUpdateThreshold = 1.0
    /// The remaining distance is reported when it has changed by this many metres.
    public var distanceUpdateThreshold = 1.0
    /// Remaining distance along the route at which the status becomes `arrivedAtDestination`, in metres. Fleet Engine's documentation of this
    /// status says about 50 m.
    public var arrivalZoneMeters = 50.0
    /// Remaining distance along the route at which `didArriveAt` is reported at once, in metres.
    public var arrivalMeters = 25.0
    /// Distance of a fix from the line beyond which it counts as off route, in metres. An inaccurate fix may be farther away: see
    /// `offRouteAccuracyFactor`.
    public var offRouteMeters = 30.0
    /// Multiple of a fix's accuracy beyond which the fix counts as off route. The limit is the larger of this and `offRouteMeters`.
    public var offRouteAccuracyFactor = 2.5
    /// Worst accuracy, in metres, at which a fix can show that the vehicle has left the route or is on it again. A fix of unknown accuracy
    /// can show neither.
    public var alarmAccuracyMeters = 50.0
    /// Seconds without a usable fix after which the position counts as lost. The time is longer if fixes usually come less often than every
    /// few seconds.
    public var signalLossSeconds = 10.0
    /// Thresholds of the alerts about speeding. Nil means the SDK's thresholds: 10 and 20 km/h above the limit.
    public var speedAlerts: SpeedAlertOptions?

    /// Creates the default limits.
    public init() {}

    /// Greatest distance from the line at which a fix counts as on the route, in metres.
    func limitMeters(accuracyMeters: Double?) -> Double {
        max(offRouteMeters, offRouteAccuracyFactor * (accuracyMeters ?? 0))
    }
}
