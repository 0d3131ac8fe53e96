/// The RPCs of Fleet Engine's three services. The raw values count from 0, so that they can be array indices.
public enum EngineRPC: Int, CaseIterable, Hashable, Sendable {
    /// An RPC of the trip service.
    case createTrip, getTrip, updateTrip, searchTrips, reportBillableTrip, deleteTrip
    /// An RPC of the vehicle service.
    case createVehicle, getVehicle, updateVehicle, updateVehicleAttributes, listVehicles, searchVehicles, deleteVehicle
    /// An RPC of the delivery service, about delivery vehicles.
    case createDeliveryVehicle, getDeliveryVehicle, updateDeliveryVehicle, deleteDeliveryVehicle, listDeliveryVehicles
    /// An RPC of the delivery service, about tasks and their tracking.
    case createTask, batchCreateTasks, getTask, updateTask, deleteTask, listTasks, getTaskTrackingInfo

    /// A service of Fleet Engine.
    public enum Service: Hashable, Sendable {
        /// `maps.fleetengine.v1.TripService`.
        case trips
        /// `maps.fleetengine.v1.VehicleService`.
        case vehicles
        /// `maps.fleetengine.delivery.v1.DeliveryService`.
        case deliveries
    }

    /// The name of the RPC in the `.proto` files, without the service, such as `GetTrip`.
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
        case .createDeliveryVehicle: "CreateDeliveryVehicle"
        case .getDeliveryVehicle: "GetDeliveryVehicle"
        case .updateDeliveryVehicle: "UpdateDeliveryVehicle"
        case .deleteDeliveryVehicle: "DeleteDeliveryVehicle"
        case .listDeliveryVehicles: "ListDeliveryVehicles"
        case .createTask: "CreateTask"
        case .batchCreateTasks: "BatchCreateTasks"
        case .getTask: "GetTask"
        case .updateTask: "UpdateTask"
        case .deleteTask: "DeleteTask"
        case .listTasks: "ListTasks"
        case .getTaskTrackingInfo: "GetTaskTrackingInfo"
        }
    }

    /// Creates the RPC with this name; nil for an unknown name.
    public init?(name: String) {
        guard let found = Self.allCases.first(where: { $0.name == name }) else { return nil }
        self = found
    }

    /// The service that the RPC belongs to.
    public var service: Service {
        switch self {
        case .createTrip, .getTrip, .updateTrip, .searchTrips, .reportBillableTrip, .deleteTrip: .trips
        case .createVehicle, .getVehicle, .updateVehicle, .updateVehicleAttributes, .listVehicles, .searchVehicles, .deleteVehicle:
            .vehicles
        case .createDeliveryVehicle, .getDeliveryVehicle, .updateDeliveryVehicle, .deleteDeliveryVehicle, .listDeliveryVehicles,
            .createTask, .batchCreateTasks, .getTask, .updateTask, .deleteTask, .listTasks, .getTaskTrackingInfo:
            .deliveries
        }
    }

    /// Whether the RPC only reads.
    var isReading: Bool {
        switch self {
        case .getTrip, .searchTrips, .getVehicle, .listVehicles, .searchVehicles, .getDeliveryVehicle, .listDeliveryVehicles, .getTask,
            .listTasks, .getTaskTrackingInfo:
            true
        default: false
        }
    }
}
