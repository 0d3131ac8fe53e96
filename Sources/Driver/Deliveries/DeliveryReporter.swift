public import FleetEngine
import Geo
public import Navigation

/// Reports a delivery vehicle to Fleet Engine at a steady interval (`DeliveryVehicleReporter`). It sends the vehicle's position and the
/// route to the next stop.
///
/// It gets positions from a `RoadSnappedLocationProvider`, and the route, the status, and the remaining time and distance from a
/// `Navigator`. It sends requests only while tracking is on. A request contains the changed fields and, during guidance, the remaining time
/// and distance.
public struct DeliveryReporter: Sendable {
    /// The allowed range of the time between two updates, in seconds.
    public static let intervalSecondsRange = VehicleReporterMachine.intervalSecondsRange

    /// The reported vehicle.
    public let vehicleName: DeliveryVehicleName
    /// The reporter that decides when to send. Its updates are sent without the fields that a delivery vehicle does not have.
    private let reporter: VehicleReporter

    /// - Parameters:
    ///   - navigator: gives the route and the remaining time and distance; if nil, only positions are reported.
    ///   - seed: seed for the random variation of the time between retries.
    ///   - onReport: called with each request that was sent, and its error if it failed; must not block.
    public init(
        client: any DeliveryDriverClient, vehicleName: DeliveryVehicleName, navigator: Navigator?, time: any TimeSource, seed: UInt64 = 1,
        onReport: @escaping @Sendable (DeliveryVehicleUpdate, FleetEngineError?) -> Void = { _, _ in }
    ) {
        self.vehicleName = vehicleName
        let name = VehicleName(sameIDsAs: vehicleName)
        reporter = VehicleReporter(vehicleName: name, time: time, navigator: navigator, seed: seed) {
            update async throws(FleetEngineError) in
            let own = DeliveryVehicleUpdate(update)
            guard !own.fields.isEmpty else { return }
            do throws(FleetEngineError) {
                _ = try await client.updateDeliveryVehicle(vehicleName, own)
            } catch {
                onReport(own, error)
                throw error
            }
            onReport(own, nil)
        }
    }

    /// The listener to add to the provider of positions.
    public var listener: any RoadSnappedLocationProviderListener { reporter }

    /// Whether updates are sent at the interval; false at the start.
    public var locationTrackingEnabled: Bool { get async { await reporter.locationTrackingEnabled } }

    /// Switches tracking on or off.
    public func setLocationTrackingEnabled(_ enabled: Bool) async { await reporter.setLocationTrackingEnabled(enabled) }

    /// The time between two updates, in seconds; 10 by default.
    public var locationReportingInterval: Double { get async { await reporter.locationReportingInterval } }

    /// - Parameter seconds: 5 to 60; values outside this range are clamped.
    public func setLocationReportingInterval(_ seconds: Double) async { await reporter.setLocationReportingInterval(seconds) }

    /// Sends the current data without waiting for the interval. Call it when a new leg begins, because the server does not have the
    /// leg's route yet.
    public func sendNow() async { await reporter.sendNow() }

    /// Processes the data from the provider and the navigator immediately, instead of shortly after each position.
    public func deliver() async { await reporter.deliver() }

    /// Waits until no request is under way.
    public func settled() async { await reporter.settled() }

    /// Passes the events about the reports to `onNews` from now on.
    func tell(_ onNews: @escaping @Sendable (TripDriverEvent) -> Void) async { await reporter.tell(onNews) }
}

extension DeliveryVehicleUpdate {
    /// Copies the fields that delivery vehicles have in common with other vehicles.
    init(_ update: VehicleUpdate) {
        let twins: [(VehicleUpdate.Fields, Fields)] = [
            (.location, .location), (.navigationStatus, .navigationStatus), (.route, .route), (.routeEndPoint, .routeEndPoint),
            (.remainingTime, .remainingDuration), (.remainingDistance, .remainingDistance),
        ]
        self.init(
            fields: twins.reduce(into: []) { fields, twin in if update.fields.contains(twin.0) { fields.insert(twin.1) } },
            location: update.location, navigationStatus: update.navigationStatus, route: update.route.line,
            routeEndPoint: update.routeEndPoint?.coordinate, remainingDurationSeconds: update.remainingTimeSeconds,
            remainingDistanceMeters: update.remainingDistanceMeters)
    }
}
