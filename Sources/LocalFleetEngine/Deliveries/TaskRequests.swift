import FleetEngine
import FleetEngineAPI
import FleetEngineAccess
import SwiftProtobuf

extension WireCreateTaskRequest: EngineRequest {
    static let rpc = EngineRPC.createTask
    var call: EngineCall { .delivery(.createTask(try? TaskName(subject))) }
    var subject: String { parent + "/tasks/" + taskID }

    func carryOut(by engine: LocalFleetEngine) async throws(FleetEngineError) -> WireTask { try await engine.createTask(self) }

    func carryOut(by engine: LocalFleetEngine, for account: String) async throws(FleetEngineError) -> WireTask {
        try await engine.createTask(self, account: account)
    }
}

extension WireBatchCreateTasksRequest: EngineRequest {
    static let rpc = EngineRPC.batchCreateTasks
    var call: EngineCall { .delivery(.createTasks(requests.map { try? TaskName(parent + "/tasks/" + $0.taskID) })) }
    var subject: String { parent }

    func carryOut(by engine: LocalFleetEngine) async throws(FleetEngineError) -> WireBatchCreateTasksResponse {
        try await engine.batchCreateTasks(self)
    }

    func carryOut(by engine: LocalFleetEngine, for account: String) async throws(FleetEngineError) -> WireBatchCreateTasksResponse {
        try await engine.batchCreateTasks(self, account: account)
    }
}

extension WireGetTaskRequest: EngineRequest {
    static let rpc = EngineRPC.getTask
    var call: EngineCall { .delivery(.getTask(try? TaskName(name))) }
    var subject: String { name }

    func carryOut(by engine: LocalFleetEngine) async throws(FleetEngineError) -> WireTask { try await engine.getTask(self) }
}

extension WireUpdateTaskRequest: EngineRequest {
    static let rpc = EngineRPC.updateTask
    var call: EngineCall { .delivery(.updateTask(try? TaskName(task.name))) }
    var subject: String { task.name }

    func carryOut(by engine: LocalFleetEngine) async throws(FleetEngineError) -> WireTask { try await engine.updateTask(self) }
}

extension WireDeleteTaskRequest: EngineRequest {
    static let rpc = EngineRPC.deleteTask
    var call: EngineCall { .delivery(.deleteTask(try? TaskName(name))) }
    var subject: String { name }

    func carryOut(by engine: LocalFleetEngine) async throws(FleetEngineError) -> Google_Protobuf_Empty {
        try await engine.deleteTask(self)
        return Google_Protobuf_Empty()
    }
}

extension WireListTasksRequest: EngineRequest {
    static let rpc = EngineRPC.listTasks
    var call: EngineCall { .delivery(.listTasks) }
    var subject: String { parent }

    func carryOut(by engine: LocalFleetEngine) async throws(FleetEngineError) -> WireListTasksResponse { try await engine.listTasks(self) }
}

extension WireGetTaskTrackingInfoRequest: EngineRequest {
    static let rpc = EngineRPC.getTaskTrackingInfo
    var call: EngineCall { .delivery(.getTrackingInfo(try? TaskTrackingName(name))) }
    var subject: String { name }

    func carryOut(by engine: LocalFleetEngine) async throws(FleetEngineError) -> WireTaskTrackingInfo {
        try await engine.getTaskTrackingInfo(self)
    }
}
