public import FleetEngine

/// Hears the outcome of a reporter's updates (`GMTDVehicleReporterListener`). Both methods have empty defaults. They are called one after
/// the other, in the order of the requests.
public protocol VehicleReporterListener: AnyObject, Sendable {
    /// The server has taken the update.
    func vehicleReporter(_ vehicleReporter: VehicleReporter, didSucceed vehicleUpdate: VehicleUpdate)
    /// The update failed. While tracking is on the next one follows anyway, with newer data.
    func vehicleReporter(_ vehicleReporter: VehicleReporter, didFail vehicleUpdate: VehicleUpdate, withError error: FleetEngineError)
}

extension VehicleReporterListener {
    public func vehicleReporter(_ vehicleReporter: VehicleReporter, didSucceed vehicleUpdate: VehicleUpdate) {}
    /// Does nothing.
    public func vehicleReporter(
        _ vehicleReporter: VehicleReporter, didFail vehicleUpdate: VehicleUpdate, withError error: FleetEngineError
    ) {}
}
