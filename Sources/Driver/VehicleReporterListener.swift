public import FleetEngine

/// Receives the outcome of a reporter's updates (`GMTDVehicleReporterListener`). All methods have empty defaults. They are called one at a
/// time, in the order of the requests.
public protocol VehicleReporterListener: AnyObject, Sendable {
    /// The server has accepted the update.
    func vehicleReporter(_ vehicleReporter: VehicleReporter, didSucceed vehicleUpdate: VehicleUpdate)
    /// The update failed. While tracking is on, another update with newer data follows in any case.
    func vehicleReporter(_ vehicleReporter: VehicleReporter, didFail vehicleUpdate: VehicleUpdate, withError error: FleetEngineError)
    /// Receives the status of the reports after each failure, and after the first success that follows a failure.
    func vehicleReporter(_ vehicleReporter: VehicleReporter, didReport status: DriverStatus)
}

extension VehicleReporterListener {
    public func vehicleReporter(_ vehicleReporter: VehicleReporter, didSucceed vehicleUpdate: VehicleUpdate) {}
    /// Does nothing.
    public func vehicleReporter(
        _ vehicleReporter: VehicleReporter, didFail vehicleUpdate: VehicleUpdate, withError error: FleetEngineError
    ) {}
    public func vehicleReporter(_ vehicleReporter: VehicleReporter, didReport status: DriverStatus) {}
}

/// The arguments of a call to a listener, as an element of a sequence.
public enum VehicleReporterOutcome: Hashable, Sendable {
    /// The server has accepted the update.
    case succeeded(VehicleUpdate)
    /// The update failed.
    case failed(VehicleUpdate, FleetEngineError)
    /// The status of the vehicle's reports after a failure, or after the first success that follows a failure.
    case status(DriverStatus)
}
