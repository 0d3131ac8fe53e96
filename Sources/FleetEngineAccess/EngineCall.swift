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

    /// Which of the calls it is.
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
        }
    }
}
