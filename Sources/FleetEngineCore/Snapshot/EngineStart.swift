import FleetEngine
import FleetEngineSnapshot

/// The state of an engine when it started serving.
package struct EngineStart: Sendable {
    var snapshot = FleetSnapshot()
    /// The trips that were waiting for a vehicle, in the order of the queue.
    var waiting: [TripName] = []
    /// The vehicles that had phones.
    var phones: Set<VehicleName> = []
}

extension EngineStart {
    package init(_ state: FleetEngineState) {
        self.init(snapshot: state.export(), waiting: state.bookings.trips, phones: Set(state.phoneOwners.values))
    }
}
