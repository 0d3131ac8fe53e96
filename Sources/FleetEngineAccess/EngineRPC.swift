/// The calls of Fleet Engine's two services. Raw values count from 0, for tables.
public enum EngineRPC: Int, CaseIterable, Hashable, Sendable {
    /// The trip service's.
    case createTrip, getTrip, updateTrip, searchTrips, reportBillableTrip, deleteTrip
    /// The vehicle service's.
    case createVehicle, getVehicle, updateVehicle, updateVehicleAttributes, listVehicles, searchVehicles, deleteVehicle

    /// As the protos have it, without its service: `GetTrip`.
    public var name: String {
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
        case .listVehicles: "ListVehicles"
        case .searchVehicles: "SearchVehicles"
        case .deleteVehicle: "DeleteVehicle"
        }
    }

    /// The call of this name; nil for none.
    public init?(name: String) {
        guard let found = Self.allCases.first(where: { $0.name == name }) else { return nil }
        self = found
    }

    /// Whether it belongs to the service of trips; the others belong to that of vehicles.
    public var isOfTrips: Bool {
        switch self {
        case .createTrip, .getTrip, .updateTrip, .searchTrips, .reportBillableTrip, .deleteTrip: true
        default: false
        }
    }
}
