public import FleetEngine
public import FoundationEssentials
import Geo
public import Navigation
public import Routing

/// An arrival at a stop. A driver that was restarted continues from it.
public struct StopArrival: Hashable, Sendable {
    /// The bare ids of the stop's tasks.
    public var taskIDs: [String]
    /// The time at which the stop became ARRIVED, by the driver's clock.
    public var date: Date

    /// Creates an arrival at the stop with these tasks.
    public init(taskIDs: [String], date: Date) {
        self.taskIDs = taskIDs
        self.date = date
    }
}

/// The settings of a delivery vehicle's driver. Numbers outside the stated ranges are clamped.
public struct DeliveryDriverConfiguration: Hashable, Sendable {
    /// Whether the driver takes each step on its own: it sets off for a stop, reports the arrival, and ends the stop. If false, it waits
    /// for a command before each step.
    public var isAutomatic = false
    /// The longest time that the driver waits for a position, in seconds, 0.1 to 10. If no position arrives, the driver continues with
    /// its other work.
    public var fixIntervalSeconds = 1.0
    /// The time between two reads of the list of stops, in seconds, 1 to 300.
    public var pollIntervalSeconds = 5.0
    /// The time between two reports, in seconds; see `DeliveryReporter.setLocationReportingInterval(_:)`.
    public var reportIntervalSeconds = VehicleReporterMachine.defaultIntervalSeconds
    /// The vehicle to create if the server does not have it; if nil, no vehicle is created.
    public var newVehicle: DeliveryVehicle?
    /// Whether the driver keeps trying if it can neither find nor create the vehicle, or if the server does not support deliveries. If
    /// false, each of these failures ends the drive.
    public var keepsTrying = false
    /// The last arrival of an earlier run. If the stop is still ARRIVED, the time spent at the stop is counted from this arrival.
    public var lastArrival: StopArrival?
    /// The seed for the random variation of the time between retries.
    public var seed: UInt64 = 1

    /// Creates the default settings.
    public init() {}

    var fixInterval: Double { fixIntervalSeconds.isFinite ? min(max(fixIntervalSeconds, 0.1), 10) : 1 }
    var pollInterval: Double { pollIntervalSeconds.isFinite ? min(max(pollIntervalSeconds, 1), 300) : 5 }
}

/// An event of the driver of a delivery vehicle, for a log.
public enum DeliveryDriverEvent: Hashable, Sendable {
    /// The server has accepted the first report.
    case reporting
    /// The server refused a report, or did not answer it. Errors with the same code and message cause at most one event until a report
    /// succeeds. `retryAfterSeconds` is nil if the report is not repeated.
    case reportRefused(FleetEngineError, retryAfterSeconds: Double?)
    /// The server accepts reports again, `afterSeconds` after the first report that failed.
    case reportAccepted(afterSeconds: Double)
    /// The vehicle was created.
    case created
    /// The vehicle has no stops.
    case waitingForStops
    /// Another stop is now first on the list, or the first stop has a new state. `remaining` is the number of stops on the list.
    case stop(VehicleStop, remaining: Int)
    /// A route to the first stop was found, with its length in metres and its duration in seconds. `isReroute` is true if the vehicle has
    /// left its previous route.
    case route(lengthMeters: Double, durationSeconds: Double, isReroute: Bool)
    /// The stop was removed from the list. The event's stop has only the tasks whose outcome the server accepted.
    case ended(VehicleStop, DeliveryTaskOutcome)
    /// The server did not accept the outcome of a task, because the task already has a different outcome or no longer exists.
    case outcomeNotTaken(taskID: String, FleetEngineError)
    /// A command was ignored because it is not valid in the first stop's state. The state is nil if no stop is known.
    case ignored(DeliveryCommand, VehicleStopState?)
    /// An event of the vehicle's navigation.
    case navigation(NavigatorEvent)
    /// A command from `DeliveryControls` failed with an error that is not retryable. The command is dropped.
    case refused(DeliveryCommand, FleetEngineError)
    /// The token does not allow an automatic change to stops or outcomes. The driver continues to report, and tries the change again after
    /// `afterSeconds`.
    case notAllowed(FleetEngineError, afterSeconds: Double)
    /// A call other than a report failed, or a route request failed. It is repeated after `afterSeconds`.
    case retrying(TripDriverFailure, afterSeconds: Double)
    /// The server is answering read calls again. `afterSeconds` is the time since the first read without an answer.
    case recovered(afterSeconds: Double)
}

/// The result of a drive with deliveries.
public struct DeliveryDriverResult: Hashable, Sendable {
    /// The number of stops that ended with SUCCEEDED.
    public let done: Int
    /// The number of stops that ended with FAILED.
    public let failed: Int
    /// The reason why the drive ended.
    public let ending: TripDriverResult.Ending

    /// Creates a result.
    public init(done: Int, failed: Int, ending: TripDriverResult.Ending) {
        self.done = done
        self.failed = failed
        self.ending = ending
    }
}

/// The driver of a delivery vehicle. It reports the vehicle, drives to its stops in their order, and changes the stops' states on command
/// or on its own. After the last stop, it waits for new stops.
///
/// NEW → ENROUTE → ARRIVED → outcomes of the tasks → the stop is removed from the list.
///
/// A `LocationSource` gives the vehicle's position. If the driver's token is not trusted, the driver only reports, and the provider changes
/// the stops. All waits use the time source, so a faster time source makes a faster driver.
public struct DeliveryDriver: Sendable {
    /// The vehicle that is driven and reported.
    public let vehicleName: DeliveryVehicleName
    /// The intervals, the retries and the other settings.
    public let configuration: DeliveryDriverConfiguration
    let client: any DeliveryDriverClient
    let router: any Router
    let source: any LocationSource
    let time: any TimeSource
    let controls: DeliveryControls?
    let onEvent: @Sendable (DeliveryDriverEvent) -> Void
    let onInput: (@Sendable (NavigatorInput) -> Void)?

    /// - Parameters:
    ///   - source: gives the vehicle's position, for one run.
    ///   - controls: passes commands to the driver. An automatic driver obeys these commands, too.
    ///   - onEvent: called for each event; must not block.
    ///   - onInput: called with each input of the driver's navigator, for a recording.
    public init(
        client: any DeliveryDriverClient, vehicleName: DeliveryVehicleName, router: any Router, source: any LocationSource,
        configuration: DeliveryDriverConfiguration = DeliveryDriverConfiguration(), time: any TimeSource,
        controls: DeliveryControls? = nil, onEvent: @escaping @Sendable (DeliveryDriverEvent) -> Void = { _ in },
        onInput: (@Sendable (NavigatorInput) -> Void)? = nil
    ) {
        self.client = client
        self.vehicleName = vehicleName
        self.router = router
        self.source = source
        self.configuration = configuration
        self.time = time
        self.controls = controls
        self.onEvent = onEvent
        self.onInput = onInput
    }

    /// Drives until the source of positions ends or fails, the task is cancelled, or the driver gives up
    /// (`DeliveryDriverConfiguration.keepsTrying`). No final update is sent.
    public func run() async -> DeliveryDriverResult { await DeliveryShift(self).run() }
}
