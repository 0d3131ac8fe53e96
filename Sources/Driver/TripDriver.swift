public import FleetEngine
import Geo
public import Navigation
public import Routing

/// The driver of a vehicle that serves trips. It waits for trips, accepts them, serves the vehicle's stops in their order, sets the trips'
/// statuses and reports the vehicle throughout. A `LocationSource` gives the vehicle's position: a `SimulatedVehicle` or any other.
///
/// NEW → ENROUTE_TO_PICKUP → ARRIVED_AT_PICKUP → (ENROUTE_TO_INTERMEDIATE_DESTINATION → ARRIVED_AT_INTERMEDIATE_DESTINATION)* →
/// ENROUTE_TO_DROPOFF → COMPLETE.
///
/// The driver accepts trips, arrives at stops and leaves stops automatically or on command (`DriverCommand`). If several trips
/// share the vehicle, it serves their stops in the vehicle's order. A cancelled or reassigned trip ends without an error. All
/// waits use the time source, so a faster time source makes a faster driver.
public struct TripDriver: Sendable {
    /// The vehicle that is driven and reported.
    public let vehicleName: VehicleName
    /// The trips that the driver serves.
    public let assignment: TripAssignment
    /// The intervals, the retries and the other settings.
    public let configuration: TripDriverConfiguration
    let client: any DriverClient
    let router: any Router
    let source: any LocationSource
    let time: any TimeSource
    let onEvent: @Sendable (TripDriverEvent) -> Void
    let onState: (@Sendable (DriverShiftState) -> Void)?
    let controls: DriverControls?
    let onInput: (@Sendable (NavigatorInput) -> Void)?

    /// - Parameters:
    ///   - source: gives the vehicle's position, for one run.
    ///   - controls: passes commands to the driver. An automatic driver obeys these commands, too.
    ///   - onState: called with the state of the shift after each position and each change; must not block.
    ///   - onEvent: called for each event; must not block. Events about reports may be out of order with events about trips.
    ///   - onInput: called with each input of the driver's navigator, for a recording.
    public init(
        client: any DriverClient, vehicleName: VehicleName, assignment: TripAssignment, router: any Router,
        source: any LocationSource,
        configuration: TripDriverConfiguration = TripDriverConfiguration(), time: any TimeSource,
        controls: DriverControls? = nil, onState: (@Sendable (DriverShiftState) -> Void)? = nil,
        onEvent: @escaping @Sendable (TripDriverEvent) -> Void = { _ in }, onInput: (@Sendable (NavigatorInput) -> Void)? = nil
    ) {
        self.client = client
        self.vehicleName = vehicleName
        self.assignment = assignment
        self.router = router
        self.source = source
        self.configuration = configuration
        self.time = time
        self.controls = controls
        self.onState = onState
        self.onEvent = onEvent
        self.onInput = onInput
    }

    /// Drives until all trips are done, the task is cancelled, the source of positions ends, or a failure ends the drive. The last update
    /// sets the vehicle OFFLINE. No update is sent if the task is cancelled before the driver begins to report. The driver begins to report
    /// after its first look for a position. If the vehicle cannot be read before that, and the error is not retryable, reporting begins at
    /// once.
    /// - Parameter listener: receives the outcome of the vehicle's updates; held weakly.
    public func run(reportingTo listener: (any VehicleReporterListener)? = nil) async -> TripDriverResult {
        let shift = DriverShift(self)
        return await shift.run(reportingTo: listener)
    }
}
