import FleetEngine
import FleetEngineAPI
import FleetEngineAccess
import FleetEngineCore
import FleetEngineSnapshot
import SwiftProtobuf

extension RESTFace {
    func answerDeliveryVehicles(_ input: Input) async throws -> [UInt8] {
        switch input.call.rpc {
        case .createDeliveryVehicle:
            try await answer(input) { (query, body, request: inout WireCreateDeliveryVehicleRequest) in
                request = try fields(query)
                request.parent = input.call.name
                request.deliveryVehicle = try RESTMessage.read(body, field: "deliveryVehicle")
            }
        case .updateDeliveryVehicle:
            try await answer(input) { (query, body, request: inout WireUpdateDeliveryVehicleRequest) in
                request = try query.message()
                request.updateMask.paths = query.updateMask
                request.deliveryVehicle = try RESTMessage.read(body, field: "deliveryVehicle")
                request.deliveryVehicle.name = input.call.name
            }
        case .deleteDeliveryVehicle:
            try await answer(input) { (query, _, request: inout WireDeleteDeliveryVehicleRequest) in
                request = try fields(query)
                request.name = input.call.name
            }
        case .listDeliveryVehicles:
            try await answer(input) { (query, _, request: inout WireListDeliveryVehiclesRequest) in
                request = try fields(query)
                request.parent = input.call.name
            }
        default:
            try await answer(input) { (query, _, request: inout WireGetDeliveryVehicleRequest) in
                request = try fields(query)
                request.name = input.call.name
            }
        }
    }

    func answerTasks(_ input: Input) async throws -> [UInt8] {
        switch input.call.rpc {
        case .createTask:
            try await answer(input) { (query, body, request: inout WireCreateTaskRequest) in
                request = try fields(query)
                request.parent = input.call.name
                request.task = try RESTMessage.read(body, field: "task")
            }
        case .batchCreateTasks:
            try await answer(input) { (query, body, request: inout WireBatchCreateTasksRequest) in
                request = try whole(query, body)
                request.parent = input.call.name
            }
        case .updateTask:
            try await answer(input) { (query, body, request: inout WireUpdateTaskRequest) in
                request = try query.message()
                request.updateMask.paths = query.updateMask
                request.task = try RESTMessage.read(body, field: "task")
                request.task.name = input.call.name
            }
        case .deleteTask:
            try await answer(input) { (query, _, request: inout WireDeleteTaskRequest) in
                request = try fields(query)
                request.name = input.call.name
            }
        case .listTasks:
            try await answer(input) { (query, _, request: inout WireListTasksRequest) in
                request = try fields(query)
                request.parent = input.call.name
            }
        case .getTaskTrackingInfo:
            try await answer(input) { (query, _, request: inout WireGetTaskTrackingInfoRequest) in
                request = try fields(query)
                request.name = input.call.name
            }
        default:
            try await answer(input) { (query, _, request: inout WireGetTaskRequest) in
                request = try fields(query)
                request.name = input.call.name
            }
        }
    }
}
