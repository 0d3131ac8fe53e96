public import FleetEngine
public import FoundationEssentials
public import Navigation
import Routing
import Synchronization

/// The current state of a driver's shift, as a value for a screen.
public struct DriverShiftState: Hashable, Sendable {
    /// The phase of the driver's work.
    public enum Phase: Hashable, Sendable {
        /// The vehicle or its first position is not known yet.
        case starting
        /// The driver has no trip to serve. Offers may be waiting.
        case waiting
        /// The vehicle is on the way to a stop. `isThere` is true from reaching the stop until the arrival is reported.
        case driving(TripStop, isThere: Bool)
        /// The vehicle is at a stop, and its arrival has been reported to the server.
        case standing(TripStop)
    }

    /// Whether the server accepts the vehicle's reports.
    public struct Reports: Hashable, Sendable {
        /// The time of the last report that the server accepted; nil before the first.
        public var takenAt: Date?
        /// The error of the last report; nil after a success.
        public var refusal: FleetEngineError?
        /// The time of the first refusal since the last success.
        public var refusedSince: Date?

        /// Creates the state before the first report.
        public init() {}
    }

    /// The phase of the driver's work.
    public var phase = Phase.starting
    /// The time at which the phase began. If the driver goes online while waiting, it is the time of going online.
    public var since: Date
    /// Whether the driver wants new trips.
    public var isOnline = true
    /// The trip whose stop the vehicle is driving to.
    public var trip: Trip?
    /// The trips that wait for the driver's answer, in the order of their stops. The remaining stops of each trip are the vehicle's stops
    /// up to the trip's last one.
    public var offers: [Trip] = []
    /// The trips that are under way or accepted, except `trip`, in the order of their stops. Their riders may be on board. The remaining
    /// stops of each trip are the vehicle's stops up to the trip's last one.
    public var later: [Trip] = []
    /// The vehicle's remaining stops in driving order, without those of trips that are only offered or that the driver will not serve.
    /// Empty if the server does not show them, or while the driver serves a single trip.
    public var stops: [TripWaypoint] = []
    /// The number of completed trips.
    public var completed = 0
    /// The state of the navigator: location, route, remaining time and distance.
    public var navigation: NavigatorState
    /// The outcome of the vehicle's reports.
    public var reports = Reports()

    /// Creates the state of a new shift.
    public init(since: Date, navigation: NavigatorState = NavigatorState()) {
        (self.since, self.navigation) = (since, navigation)
    }
}

extension DriverShiftState {
    /// The speed limit at the vehicle's position, in metres per second; nil away from the route or if the limit is unknown.
    public var limitMetersPerSecond: Double? {
        if case .metersPerSecond(let limit) = navigation.speedLimit { limit } else { nil }
    }
}

/// Records the outcome of a vehicle's reports.
final class ReportWatch: VehicleReporterListener {
    private let time: any TimeSource
    private let reports = Mutex(DriverShiftState.Reports())

    init(time: any TimeSource) { self.time = time }

    var state: DriverShiftState.Reports { reports.withLock { $0 } }

    func vehicleReporter(_ vehicleReporter: VehicleReporter, didSucceed vehicleUpdate: VehicleUpdate) {
        let now = time.now()
        reports.withLock { $0 = DriverShiftState.Reports(takenAt: now) }
    }

    func vehicleReporter(_ vehicleReporter: VehicleReporter, didFail vehicleUpdate: VehicleUpdate, withError error: FleetEngineError) {
        // An empty mask is normal at the start. Its refusal does not count as a fault.
        guard !error.saysEmptyMask else { return }
        let now = time.now()
        reports.withLock {
            $0.refusal = error
            $0.refusedSince = $0.refusedSince ?? now
        }
    }
}

extension DriverShiftState.Reports {
    fileprivate init(takenAt: Date) { self.takenAt = takenAt }
}
