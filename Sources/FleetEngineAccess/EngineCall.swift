public import FleetEngine

/// A call of the engine with the ids that decide whether it is allowed. A name that cannot be read is nil.
public enum EngineCall: Hashable, Sendable {
    /// CreateTrip. `vehicle` is the one that it is given to, bare; nil for none.
    case createTrip(TripName?, vehicle: String?)
    /// GetTrip.
    case getTrip(TripName?)
    /// UpdateTrip. `vehicle` is the one that it is given to, bare; nil where that does not change or it is taken off.
    case updateTrip(TripName?, vehicle: String?)
    /// SearchTrips. `vehicle` is the one whose trips are wanted, bare; nil for all.
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

    /// The rpc's name.
    public var rpc: String {
        switch self {
        case .createTrip: "CreateTrip"
        case .getTrip: "GetTrip"
        case .updateTrip: "UpdateTrip"
        case .searchTrips: "SearchTrips"
        case .reportBillableTrip: "ReportBillableTrip"
        case .deleteTrip: "DeleteTrip"
        case .createVehicle: "CreateVehicle"
        case .getVehicle: "GetVehicle"
        case .updateVehicle: "UpdateVehicle"
        case .updateVehicleAttributes: "UpdateVehicleAttributes"
        case .deleteVehicle: "DeleteVehicle"
        case .listVehicles: "ListVehicles"
        case .searchVehicles: "SearchVehicles"
        }
    }
}
