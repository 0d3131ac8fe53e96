public import FleetEngine

/// A call of the engine, with the names that decide whether it is allowed. A name that cannot be read is nil.
public enum EngineCall: Hashable, Sendable {
    /// CreateTrip. `vehicle` is the bare id of the assigned vehicle; nil for none.
    case createTrip(TripName?, vehicle: String?)
    /// GetTrip.
    case getTrip(TripName?)
    /// UpdateTrip. `vehicle` is the bare id of the newly assigned vehicle; nil if the assignment is unchanged or removed.
    case updateTrip(TripName?, vehicle: String?)
    /// SearchTrips. `vehicle` is the bare id of the vehicle whose trips are searched; nil for all trips.
    case searchTrips(vehicle: String?)
    /// ReportBillableTrip.
    case reportBillableTrip(TripName?)
    /// DeleteTrip.
    case deleteTrip(TripName?)
    /// CreateVehicle.
    case createVehicle(VehicleName?)
    /// GetVehicle.
    case getVehicle(VehicleName?)
    /// UpdateVehicle.
    case updateVehicle(VehicleName?)
    /// UpdateVehicleAttributes.
    case updateVehicleAttributes(VehicleName?)
    /// DeleteVehicle.
    case deleteVehicle(VehicleName?)
    /// ListVehicles.
    case listVehicles
    /// SearchVehicles.
    case searchVehicles
    /// A call about deliveries.
    case delivery(DeliveryCall)

    /// The RPC that the call uses.
    public var rpc: EngineRPC {
        switch self {
        case .createTrip: .createTrip
        case .getTrip: .getTrip
        case .updateTrip: .updateTrip
        case .searchTrips: .searchTrips
        case .reportBillableTrip: .reportBillableTrip
        case .deleteTrip: .deleteTrip
        case .createVehicle: .createVehicle
        case .getVehicle: .getVehicle
        case .updateVehicle: .updateVehicle
        case .updateVehicleAttributes: .updateVehicleAttributes
        case .deleteVehicle: .deleteVehicle
        case .listVehicles: .listVehicles
        case .searchVehicles: .searchVehicles
        case .delivery(let call): call.rpc
        }
    }
}
