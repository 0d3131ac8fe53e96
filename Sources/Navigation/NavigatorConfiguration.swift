/// The limits of a navigator. The default thresholds for time and distance updates come from the SDK. Most other defaults come from
/// measurements of simulated drives with position errors.
public struct NavigatorConfiguration: Hashable, Sendable {
    /// The remaining time is reported when it has changed by this many seconds.
    public var timeUpdateThreshold = 1.0
    /// The remaining distance is reported when it has changed by this many metres.
    public var distanceUpdateThreshold = 1.0
    /// Remaining distance along the route at which the status becomes `arrivedAtDestination`, in metres. Fleet Engine documents about
    /// 50 m.
    public var arrivalZoneMeters = 50.0
    /// Remaining distance along the route at which `didArriveAt` is reported at once, in metres.
    public var arrivalMeters = 25.0
    /// Distance from the line beyond which a fix counts as off route, in metres. `offRouteAccuracyFactor` raises it for inaccurate
    /// fixes.
    public var offRouteMeters = 30.0
    /// A fix counts as off route if its distance from the line exceeds both `offRouteMeters` and this multiple of its accuracy. An unknown
    /// accuracy counts as 20 m.
    public var offRouteAccuracyFactor = 2.5
    /// Worst accuracy of a fix that can show that the vehicle has left the route, in metres. A fix of unknown accuracy can show it, too,
    /// because most recorded tracks have no accuracy.
    public var alarmAccuracyMeters = 50.0
    /// Seconds without a usable fix after which the position counts as lost. The time is longer if the pauses between fixes are
    /// usually long.
    public var signalLossSeconds = 10.0
    /// Thresholds of the alerts about speeding. Nil means the SDK's thresholds: 10 and 20 km/h above the limit.
    public var speedAlerts: SpeedAlertOptions?

    /// Creates the default limits.
    public init() {}

    /// In cities, receivers are often this inaccurate. A smaller value would cause false alarms there.
    private static let unknownAccuracyMeters = 20.0

    /// Greatest distance from the line at which a fix counts as on the route, in metres.
    func limitMeters(accuracyMeters: Double?) -> Double {
        max(offRouteMeters, offRouteAccuracyFactor * (accuracyMeters ?? Self.unknownAccuracyMeters))
    }
}
