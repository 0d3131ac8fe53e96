public import FleetEngine

/// The calls about deliveries that each role may make:
///
/// * Consumer: GetTaskTrackingInfo with the tracking id of its token.
///
/// * Driver: GetDeliveryVehicle, and UpdateDeliveryVehicle without changes to the list of stops, for the vehicle of its token.
///
/// * Driver with `trusted`: also changes to the list of stops, and UpdateTask for tasks of its vehicle.
///
/// * Server: all calls except deletions, for the ids of its token.
///
/// * Admin: all calls.
///
/// Source: Google's page about roles for scheduled tasks. `trusted` is a claim of this program; Google has a separate role instead.
extension RoleTable {
    /// Returns the task whose vehicle must be looked up before the table can decide; nil if no look-up is needed.
    public static func taskToLookUp(_ grant: AccessGrant, _ call: EngineCall) -> TaskName? {
        guard grant.role == .driver, grant.deliveries.isTrusted, grant.deliveries.vehicleID != nil,
            case .delivery(.updateTask(let task)) = call
        else { return nil }
        return task
    }

    static func delivery(_ grant: AccessGrant, _ call: DeliveryCall, _ taskVehicle: String?) -> AccessDecision {
        switch grant.role {
        case .admin: .allowed
        case .server: server(grant, call)
        case .driver: driver(grant, call, taskVehicle)
        case .consumer: consumer(grant, call)
        }
    }

    private static func consumer(_ grant: AccessGrant, _ call: DeliveryCall) -> AccessDecision {
        guard case .getTrackingInfo(let name) = call else { return denied(grant.role, .delivery(call)) }
        return ofShipment(grant, name)
    }

    private static func driver(_ grant: AccessGrant, _ call: DeliveryCall, _ taskVehicle: String?) -> AccessDecision {
        let claims = grant.deliveries
        switch call {
        case .getVehicle(let vehicle): return ofDeliveryVehicle(claims.covers(vehicle: vehicle?.vehicle))
        case .updateVehicle(let vehicle, let stops):
            guard claims.covers(vehicle: vehicle?.vehicle) else { return ofDeliveryVehicle(false) }
            return stops && !claims.isTrusted
                ? .denied("only a driver's token with the claim 'trusted' can change the list of stops") : .allowed
        case .updateTask(let task):
            guard claims.isTrusted else { return denied(grant.role, .delivery(call)) }
            let isNamed = claims.taskID == nil && claims.taskIDs.isEmpty || claims.covers(task: task?.task)
            return ofTask(isNamed && taskVehicle != nil && claims.covers(vehicle: taskVehicle))
        default: return denied(grant.role, .delivery(call))
        }
    }

    private static func server(_ grant: AccessGrant, _ call: DeliveryCall) -> AccessDecision {
        let claims = grant.deliveries
        switch call {
        case .createVehicle(let vehicle), .getVehicle(let vehicle), .updateVehicle(let vehicle, _):
            return ofDeliveryVehicle(claims.covers(vehicle: vehicle?.vehicle))
        case .listVehicles: return claims.vehicleID == "*" ? .allowed : .denied("the token does not cover all delivery vehicles")
        case .createTask(let task), .getTask(let task), .updateTask(let task): return ofTask(claims.covers(task: task?.task))
        case .createTasks(let tasks):
            guard tasks.isEmpty else { return ofTask(tasks.allSatisfy { claims.covers(task: $0?.task) }) }
            return ofTask(claims.taskID != nil || !claims.taskIDs.isEmpty)
        case .listTasks: return claims.coversAllTasks ? .allowed : .denied("the token does not cover all tasks")
        case .getTrackingInfo(let name): return ofShipment(grant, name)
        case .deleteVehicle, .deleteTask: return denied(grant.role, .delivery(call))
        }
    }

    private static func ofShipment(_ grant: AccessGrant, _ name: TaskTrackingName?) -> AccessDecision {
        grant.deliveries.covers(tracking: name?.trackingID) ? .allowed : .denied("the token is not for this shipment")
    }

    private static func ofDeliveryVehicle(_ isAllowed: Bool) -> AccessDecision {
        isAllowed ? .allowed : .denied("the token is not for this delivery vehicle")
    }

    private static func ofTask(_ isAllowed: Bool) -> AccessDecision { isAllowed ? .allowed : .denied("the token is not for this task") }
}
