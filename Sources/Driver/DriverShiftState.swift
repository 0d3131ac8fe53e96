public import FleetEngine
public import FoundationEssentials
public import Navigation
import Routing
import Synchronization

/// Where a driver's shift stands, as a value: what a screen of it shows.
public struct DriverShiftState: Hashable, Sendable {
    /// What the driver does.
    public enum Phase: Hashable, Sendable {
        /// The vehicle or its first position is being looked for.
        case starting
        /// There is no trip to be served; there may be offers.
        case waiting
        /// On the way to a stop. `isThere`: the vehicle has come to it, and it has not been told yet.
        case driving(TripStop, isThere: Bool)
        /// At a stop, whose arrival the server knows.
        case standing(TripStop)
    }

    /// What became of the vehicle's reports.
    public struct Reports: Hashable, Sendable {
        /// When the server took the last one; nil before the first.
        public var takenAt: Date?
        /// Why the last one was not taken; nil after a success.
        public var refusal: FleetEngineError?
        /// When the refusals began.
        public var refusedSince: Date?

        /// Before the first report.
        public init() {}
    }

    /// What the driver does.
    public var phase = Phase.starting
    /// Since when.
    public var since: Date
    /// Whether new trips are wanted.
    public var isOnline = true
    /// The trip whose stop is driven to.
    public var trip: Trip?
    /// Trips that wait for the driver's answer, in the order in which the vehicle would come to them.
    public var offers: [Trip] = []
    /// Trips that were taken on and whose stops come later.
    public var later: [Trip] = []
    /// How many trips were brought to their ends.
    public var completed = 0
    /// The navigator: location, way, what is left of it.
    public var navigation: NavigatorState
    /// What became of the vehicle's reports.
    public var reports = Reports()

    /// A shift that begins.
    public init(since: Date, navigation: NavigatorState = NavigatorState()) {
        (self.since, self.navigation) = (since, navigation)
    }
}

extension DriverShiftState {
    /// The limit where the vehicle is, metres a second; nil where none is known, and off the route.
    public var limitMetersPerSecond: Double? {
        if case .metersPerSecond(let limit) = navigation.speedLimit { limit } else { nil }
    }
}

/// Keeps what became of a vehicle's reports.
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
        // Usual at the start, and no fault.
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
