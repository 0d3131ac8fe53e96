public import FleetEngine
public import FoundationEssentials
public import Navigation
import Routing
import Synchronization

/// Present state of a driver's shift, as a value for a screen.
public struct DriverShiftState: Hashable, Sendable {
    /// Phase of the driver's work.
    public enum Phase: Hashable, Sendable {
        /// The vehicle or its first position is not known yet.
        case starting
        /// There is no trip to serve. There may be offers.
        case waiting
        /// On the way to a stop. `isThere`: whether the vehicle has reached the stop, with the arrival not reported yet.
        case driving(TripStop, isThere: Bool)
        /// At a stop, with its arrival reported to the server.
        case standing(TripStop)
    }

    /// Outcome of the vehicle's reports.
    public struct Reports: Hashable, Sendable {
        /// Time of the last report that the server accepted; nil before the first.
        public var takenAt: Date?
        /// Error of the last report; nil after a success.
        public var refusal: FleetEngineError?
        /// Time of the first refusal since the last success.
        public var refusedSince: Date?

        /// Creates the state before the first report.
        public init() {}
    }

    /// Phase of the driver's work.
    public var phase = Phase.starting
    /// Start of the phase.
    public var since: Date
    /// Whether the driver wants new trips.
    public var isOnline = true
    /// The trip to whose stop the vehicle is driving.
    public var trip: Trip?
    /// Trips that wait for the driver's answer, in the order of their stops.
    public var offers: [Trip] = []
    /// Accepted trips whose stops come later.
    public var later: [Trip] = []
    /// Number of completed trips.
    public var completed = 0
    /// State of the navigator: location, route, remaining time and distance.
    public var navigation: NavigatorState
    /// Outcome of the vehicle's reports.
    public var reports = Reports()

    /// Creates the state of a new shift.
    public init(since: Date, navigation: NavigatorState = NavigatorState()) {
        (self.since, self.navigation) = (since, navigation)
    }
}

extension DriverShiftState {
    /// Speed limit at the vehicle, metres per second; nil off the route or if the limit is unknown.
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
        // An empty mask is usual at the start and not a fault.
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
