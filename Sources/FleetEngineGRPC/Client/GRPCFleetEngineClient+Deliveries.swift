public import FleetEngine
import FleetEngineAPI
import FleetEngineWire
import GRPCCore
import GRPCProtobuf
import SwiftProtobuf

extension GRPCFleetEngineClient: DeliveryClient {
    /// Returns the delivery vehicle as the server shows it now, with its stops.
    /// - Throws: `FleetEngineError`, such as NOT_FOUND.
    public func getDeliveryVehicle(_ name: DeliveryVehicleName) async throws(FleetEngineError) -> DeliveryVehicle {
        let wire = WireGetDeliveryVehicleRequest.with {
            $0.header = header
            $0.name = name.description
        }
        let answer = try await call(AuthorizationContext(vehicleID: name.vehicle)) { metadata, options in
            try await deliveries.getDeliveryVehicle(
                request: ClientRequest(message: wire, metadata: metadata), serializer: ProtobufSerializer<WireGetDeliveryVehicleRequest>(),
                deserializer: BoundedAnswer<WireDeliveryVehicle>(), options: options
            ).confirmed(as: name)
        }
        return DeliveryVehicle(answer, name: name)
    }

    /// Creates a delivery vehicle. The call uses the token of the client's driver, or a token for the new vehicle if the client has no
    /// driver.
    /// - Throws: `FleetEngineError`, such as ALREADY_EXISTS.
    public func createDeliveryVehicle(_ vehicle: DeliveryVehicle) async throws(FleetEngineError) -> DeliveryVehicle {
        let wire = WireCreateDeliveryVehicleRequest(vehicle, header: header)
        let answer = try await call(AuthorizationContext(vehicleID: vehicle.name.vehicle)) { metadata, options in
            try await deliveries.createDeliveryVehicle(
                request: ClientRequest(message: wire, metadata: metadata),
                serializer: ProtobufSerializer<WireCreateDeliveryVehicleRequest>(),
                deserializer: BoundedAnswer<WireDeliveryVehicle>(), options: options
            )
        }
        return DeliveryVehicle(answer, name: vehicle.name)
    }

    /// Changes the fields in the mask of `update`, and returns the delivery vehicle after the change.
    /// - Throws: `FleetEngineError`, such as NOT_FOUND or PERMISSION_DENIED.
    public func updateDeliveryVehicle(
        _ name: DeliveryVehicleName, _ update: DeliveryVehicleUpdate
    ) async throws(FleetEngineError) -> DeliveryVehicle {
        let wire = WireUpdateDeliveryVehicleRequest(name: name, update, header: header)
        let answer = try await call(AuthorizationContext(vehicleID: name.vehicle)) { metadata, options in
            try await deliveries.updateDeliveryVehicle(
                request: ClientRequest(message: wire, metadata: metadata),
                serializer: ProtobufSerializer<WireUpdateDeliveryVehicleRequest>(),
                deserializer: BoundedAnswer<WireDeliveryVehicle>(), options: options
            )
        }
        return DeliveryVehicle(answer, name: name)
    }

    /// Sets the outcome of a task. The call uses the token of the client's driver, or a token for all vehicles if the client has no driver.
    /// - Throws: `FleetEngineError`, such as PERMISSION_DENIED or FAILED_PRECONDITION.
    public func updateTask(_ request: TaskOutcomeRequest) async throws(FleetEngineError) -> DeliveryTask {
        let wire = WireUpdateTaskRequest(request, header: header)
        let answer = try await call(AuthorizationContext(vehicleID: "*")) { metadata, options in
            try await deliveries.updateTask(
                request: ClientRequest(message: wire, metadata: metadata), serializer: ProtobufSerializer<WireUpdateTaskRequest>(),
                deserializer: BoundedAnswer<WireTask>(), options: options
            )
        }
        return DeliveryTask(answer, name: request.name)
    }

    /// Creates up to 500 tasks of one provider. The server creates either all of them or none. The call needs a token for all vehicles.
    /// - Throws: `FleetEngineError`, such as ALREADY_EXISTS.
    public func batchCreateTasks(_ tasks: [DeliveryTask], of provider: String) async throws(FleetEngineError) -> [DeliveryTask] {
        let wire = WireBatchCreateTasksRequest(tasks, provider: provider, header: header)
        let answer = try await call(AuthorizationContext(vehicleID: "*")) { metadata, options in
            try await deliveries.batchCreateTasks(
                request: ClientRequest(message: wire, metadata: metadata), serializer: ProtobufSerializer<WireBatchCreateTasksRequest>(),
                deserializer: BoundedAnswer<WireBatchCreateTasksResponse>(), options: options
            )
        }
        return answer.tasks.compactMap { task in (try? TaskName(task.name)).map { DeliveryTask(task, name: $0) } }
    }
}
