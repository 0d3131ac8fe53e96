public import FleetEngine

/// Hears the outcome of a reporter's updates (`GMTDVehicleReporterListener`). All methods have empty defaults. They are called one after
/// the other, in the order of the requests.
public protocol VehicleReporterListener: AnyObject, Sendable {
    /// The server has taken the update.
    func vehicleReporter(_ vehicleReporter: VehicleReporter, didSucceed vehicleUpdate: VehicleUpdate)
    /// The update failed. While tracking is on the next one follows anyway, with newer data.
    func vehicleReporter(_ vehicleReporter: VehicleReporter, didFail vehicleUpdate: VehicleUpdate, withError error: FleetEngineError)
    /// How the reporter stands: after each failure how bad it is and whose matter, and after the first success behind one that all is well.
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

/// What a listener hears, as an element of a sequence.
public enum VehicleReporterOutcome: Hashable, Sendable {
    /// The server has taken the update.
    case succeeded(VehicleUpdate)
    /// The update failed.
    case failed(VehicleUpdate, FleetEngineError)
    /// How the reporter stands.
    case status(DriverStatus)
}
