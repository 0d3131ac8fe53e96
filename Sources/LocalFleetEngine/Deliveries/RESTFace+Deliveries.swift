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
            try await answer(input) { (query, body, request: inout WireCreateDeliveryVehicleRequest) throws(FleetEngineError) in
                request = try fields(query)
                request.parent = input.call.name
                request.deliveryVehicle = try RESTMessage.read(body, field: "deliveryVehicle")
            }
        case .updateDeliveryVehicle:
            try await answer(input) { (query, body, request: inout WireUpdateDeliveryVehicleRequest) throws(FleetEngineError) in
                request = try query.message()
                request.updateMask.paths = query.updateMask
                request.deliveryVehicle = try RESTMessage.read(body, field: "deliveryVehicle")
                request.deliveryVehicle.name = input.call.name
            }
        case .deleteDeliveryVehicle:
            try await answer(input) { (query, _, request: inout WireDeleteDeliveryVehicleRequest) throws(FleetEngineError) in
                request = try fields(query)
                request.name = input.call.name
            }
        case .listDeliveryVehicles:
            try await answer(input) { (query, _, request: inout WireListDeliveryVehiclesRequest) throws(FleetEngineError) in
                request = try fields(query)
                request.parent = input.call.name
            }
        default:
            try await answer(input) { (query, _, request: inout WireGetDeliveryVehicleRequest) throws(FleetEngineError) in
                request = try fields(query)
                request.name = input.call.name
            }
        }
    }

    func answerTasks(_ input: Input) async throws -> [UInt8] {
        switch input.call.rpc {
        case .createTask:
            try await answer(input) { (query, body, request: inout WireCreateTaskRequest) throws(FleetEngineError) in
                request = try fields(query)
                request.parent = input.call.name
                request.task = try RESTMessage.read(body, field: "task")
            }
        case .batchCreateTasks:
            try await answer(input) { (query, body, request: inout WireBatchCreateTasksRequest) throws(FleetEngineError) in
                request = try whole(query, body)
                request.parent = input.call.name
            }
        case .updateTask:
            try await answer(input) { (query, body, request: inout WireUpdateTaskRequest) throws(FleetEngineError) in
                request = try query.message()
                request.updateMask.paths = query.updateMask
                request.task = try RESTMessage.read(body, field: "task")
                request.task.name = input.call.name
            }
        case .deleteTask:
            try await answer(input) { (query, _, request: inout WireDeleteTaskRequest) throws(FleetEngineError) in
                request = try fields(query)
                request.name = input.call.name
            }
        case .listTasks:
            try await answer(input) { (query, _, request: inout WireListTasksRequest) throws(FleetEngineError) in
                request = try fields(query)
                request.parent = input.call.name
            }
        case .getTaskTrackingInfo:
            try await answer(input) { (query, _, request: inout WireGetTaskTrackingInfoRequest) throws(FleetEngineError) in
                request = try fields(query)
                request.name = input.call.name
            }
        default:
            try await answer(input) { (query, _, request: inout WireGetTaskRequest) throws(FleetEngineError) in
                request = try fields(query)
                request.name = input.call.name
            }
        }
    }
}
