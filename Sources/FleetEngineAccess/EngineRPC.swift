/// The rpcs of Fleet Engine's two services. Raw values count from 0, for tables.
public enum EngineRPC: Int, CaseIterable, Hashable, Sendable {
    /// An rpc of the trip service.
    case createTrip, getTrip, updateTrip, searchTrips, reportBillableTrip, deleteTrip
    /// An rpc of the vehicle service.
    case createVehicle, getVehicle, updateVehicle, updateVehicleAttributes, listVehicles, searchVehicles, deleteVehicle

    /// The name in the `.proto` files, without the service: `GetTrip`.
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

    /// The rpc with this name; nil for an unknown name.
    public init?(name: String) {
        guard let found = Self.allCases.first(where: { $0.name == name }) else { return nil }
        self = found
    }

    /// Whether the rpc belongs to the trip service; the others belong to the vehicle service.
    public var isOfTrips: Bool {
        switch self {
        case .createTrip, .getTrip, .updateTrip, .searchTrips, .reportBillableTrip, .deleteTrip: true
        default: false
        }
    }
}
