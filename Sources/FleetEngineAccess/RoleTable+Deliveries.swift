public import FleetEngine

/// The calls about deliveries that each role may make:
///
/// * Consumer: GetTaskTrackingInfo with the tracking id of its token.
///
/// * Driver: GetDeliveryVehicle, and UpdateDeliveryVehicle for the position and the route, for the vehicle of its token.
///
/// * Trusted driver: also CreateDeliveryVehicle and all of UpdateDeliveryVehicle for this vehicle; CreateTask, BatchCreateTasks and
///   UpdateTask for the tasks of its token. If the token names no tasks, the driver may create any task, and may update the tasks of its
///   vehicle.
///
/// * Server: all calls except deletions, for the ids of its token. ListDeliveryVehicles needs a token for all delivery vehicles, and
///   ListTasks a token for all tasks.
///
/// * Admin: all calls.
///
/// Source: Google's page about roles for scheduled tasks. Google has a separate role for trusted drivers. Here, a driver is trusted if the token
/// names tasks, as Google's tokens of trusted drivers do, or if it has this program's own claim `trusted`.
extension RoleTable {
    /// Returns the task whose vehicle must be looked up before the table can decide; nil if no look-up is needed.
    public static func taskToLookUp(_ grant: AccessGrant, _ call: EngineCall) -> TaskName? {
        guard grant.role == .driver, grant.deliveries.isTrusted, !grant.deliveries.namesTasks, grant.deliveries.vehicleID != nil,
            case .delivery(.updateTask(let task)) = call
        else { return nil }
        return task
    }

    /// The calls that a driver may make only if it is trusted.
    static let trustedCalls: Set<EngineRPC> = [.createDeliveryVehicle, .createTask, .batchCreateTasks, .updateTask]
    /// The beginning of a refusal.
    static let needsTrust = "a driver's token needs the claim 'taskid', 'taskids' or 'trusted' to"

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

    /// Returns the decision on a driver's call. If the driver is not trusted, `denial` has already refused the calls in `trustedCalls`.
    private static func driver(_ grant: AccessGrant, _ call: DeliveryCall, _ taskVehicle: String?) -> AccessDecision {
        let claims = grant.deliveries
        func covers(_ task: TaskName?) -> Bool { !claims.namesTasks || claims.covers(task: task?.task) }
        switch call {
        case .createVehicle(let vehicle), .getVehicle(let vehicle): return ofDeliveryVehicle(claims.covers(vehicle: vehicle?.vehicle))
        case .updateVehicle(let vehicle, let field):
            guard claims.covers(vehicle: vehicle?.vehicle) else { return ofDeliveryVehicle(false) }
            guard let field, !claims.isOfTrustedDriver else { return .allowed }
            return .denied("\(needsTrust) change \(field)")
        case .createTask(let task): return ofTask(covers(task))
        case .createTasks(let tasks): return ofTask(tasks.allSatisfy(covers))
        case .updateTask(let task):
            return ofTask(claims.namesTasks ? covers(task) : taskVehicle != nil && claims.covers(vehicle: taskVehicle))
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
            return ofTask(claims.namesTasks)
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
