public import FleetEngine

/// A call about deliveries, with the names that decide whether it is allowed. A name that cannot be read is nil.
public enum DeliveryCall: Hashable, Sendable {
    /// CreateDeliveryVehicle.
    case createVehicle(DeliveryVehicleName?)
    /// GetDeliveryVehicle.
    case getVehicle(DeliveryVehicleName?)
    /// UpdateDeliveryVehicle. `trustedField` is the first field in the mask that only a trusted driver may change; nil without such a field.
    case updateVehicle(DeliveryVehicleName?, trustedField: String?)
    /// DeleteDeliveryVehicle.
    case deleteVehicle(DeliveryVehicleName?)
    /// ListDeliveryVehicles.
    case listVehicles
    /// CreateTask.
    case createTask(TaskName?)
    /// BatchCreateTasks.
    case createTasks([TaskName?])
    /// GetTask.
    case getTask(TaskName?)
    /// UpdateTask.
    case updateTask(TaskName?)
    /// DeleteTask.
    case deleteTask(TaskName?)
    /// ListTasks.
    case listTasks
    /// GetTaskTrackingInfo.
    case getTrackingInfo(TaskTrackingName?)

    var rpc: EngineRPC {
        switch self {
        case .createVehicle: .createDeliveryVehicle
        case .getVehicle: .getDeliveryVehicle
        case .updateVehicle: .updateDeliveryVehicle
        case .deleteVehicle: .deleteDeliveryVehicle
        case .listVehicles: .listDeliveryVehicles
        case .createTask: .createTask
        case .createTasks: .batchCreateTasks
        case .getTask: .getTask
        case .updateTask: .updateTask
        case .deleteTask: .deleteTask
        case .listTasks: .listTasks
        case .getTrackingInfo: .getTaskTrackingInfo
        }
    }
}
