public import FleetEngine
import Geo
public import Navigation
public import Routing

/// A driver: waits for trips, takes them on, serves the vehicle's stops in their order, sets the trips' statuses and reports the vehicle all the while.
/// Where the vehicle is a `LocationSource` says: a `SimulatedVehicle`, or any other.
///
/// NEW → ENROUTE_TO_PICKUP → ARRIVED_AT_PICKUP → (ENROUTE_TO_INTERMEDIATE_DESTINATION → ARRIVED_AT_INTERMEDIATE_DESTINATION)* → ENROUTE_TO_DROPOFF →
/// COMPLETE. When to take a trip on, that the vehicle has arrived and that it may go on it decides by itself, or is told (`DriverCommand`). Trips that share the vehicle are served stop by stop: each keeps its status while another one's stop comes first. A trip that is
/// cancelled or given to another vehicle ends quietly. Everything waits on the time source, so a faster one makes a faster driver.
public struct TripDriver: Sendable {
    /// The vehicle that is driven and reported.
    public let vehicleName: VehicleName
    /// Which trips are driven.
    public let assignment: TripAssignment
    /// Pace and patience.
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
    ///   - source: where the vehicle is; for one run.
    ///   - controls: tell the driver what to do; a driver who works by himself listens to them, too.
    ///   - onState: called after each fix and each change with where the shift stands; must not block.
    ///   - onEvent: called for each event; must not block. Events of reports and events of trips come side by side, each kind in its order.
    ///   - onInput: hears what goes into the driver's navigator, for a recording.
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

    /// Drives until there is nothing more to drive or the task is cancelled. In every case the vehicle is OFFLINE afterwards, by one last update.
    /// - Parameter listener: hears the outcome of the vehicle's updates; not kept alive.
    public func run(reportingTo listener: (any VehicleReporterListener)? = nil) async -> TripDriverResult {
        let shift = DriverShift(self)
        return await shift.run(reportingTo: listener)
    }
}
