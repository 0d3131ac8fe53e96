import FleetEngineAPI
import GRPCCore
import SwiftProtobuf

/// The delivery service of a ``ScriptedFleetEngine``.
struct ScriptedDeliveries: WireDeliveryService.ServiceProtocol {
    let script: FleetEngineScript
    let calls: CallCounts

    func createDeliveryVehicle(
        request: ServerRequest<WireCreateDeliveryVehicleRequest>, context: ServerContext
    ) async throws -> ServerResponse<WireDeliveryVehicle> {
        try await calls.answer(script.createDeliveryVehicle, request, context)
    }

    func getDeliveryVehicle(
        request: ServerRequest<WireGetDeliveryVehicleRequest>, context: ServerContext
    ) async throws -> ServerResponse<WireDeliveryVehicle> {
        try await calls.answer(script.getDeliveryVehicle, request, context)
    }

    func updateDeliveryVehicle(
        request: ServerRequest<WireUpdateDeliveryVehicleRequest>, context: ServerContext
    ) async throws -> ServerResponse<WireDeliveryVehicle> {
        try await calls.answer(script.updateDeliveryVehicle, request, context)
    }

    func deleteDeliveryVehicle(
        request: ServerRequest<WireDeleteDeliveryVehicleRequest>, context: ServerContext
    ) async throws -> ServerResponse<Google_Protobuf_Empty> {
        try await calls.answer(script.deleteDeliveryVehicle, request, context)
    }

    func listDeliveryVehicles(
        request: ServerRequest<WireListDeliveryVehiclesRequest>, context: ServerContext
    ) async throws -> ServerResponse<WireListDeliveryVehiclesResponse> {
        try await calls.answer(script.listDeliveryVehicles, request, context)
    }

    func createTask(request: ServerRequest<WireCreateTaskRequest>, context: ServerContext) async throws -> ServerResponse<WireTask> {
        try await calls.answer(script.createTask, request, context)
    }

    func batchCreateTasks(
        request: ServerRequest<WireBatchCreateTasksRequest>, context: ServerContext
    ) async throws -> ServerResponse<WireBatchCreateTasksResponse> {
        try await calls.answer(script.batchCreateTasks, request, context)
    }

    func getTask(request: ServerRequest<WireGetTaskRequest>, context: ServerContext) async throws -> ServerResponse<WireTask> {
        try await calls.answer(script.getTask, request, context)
    }

    func updateTask(request: ServerRequest<WireUpdateTaskRequest>, context: ServerContext) async throws -> ServerResponse<WireTask> {
        try await calls.answer(script.updateTask, request, context)
    }

    func deleteTask(
        request: ServerRequest<WireDeleteTaskRequest>, context: ServerContext
    ) async throws -> ServerResponse<Google_Protobuf_Empty> {
        try await calls.answer(script.deleteTask, request, context)
    }

    func listTasks(
        request: ServerRequest<WireListTasksRequest>, context: ServerContext
    ) async throws -> ServerResponse<WireListTasksResponse> {
        try await calls.answer(script.listTasks, request, context)
    }

    func getTaskTrackingInfo(
        request: ServerRequest<WireGetTaskTrackingInfoRequest>, context: ServerContext
    ) async throws -> ServerResponse<WireTaskTrackingInfo> {
        try await calls.answer(script.getTaskTrackingInfo, request, context)
    }
}
