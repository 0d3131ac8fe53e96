public import FleetEngine
public import FleetEngineAPI
public import FleetEngineCore
import FoundationEssentials
import SwiftProtobuf
import Synchronization

extension LocalFleetEngine {
    /// See `FleetEngineState.createTask`.
    public nonisolated func createTask(
        _ request: WireCreateTaskRequest, account: String = EngineAccount.anonymous
    ) async throws(FleetEngineError) -> WireTask {
        let task = try TaskReader(wire: request.task, field: "task").task(try Check.taskName(parent: request.parent, id: request.taskID))
        return try await change { state, now throws(FleetEngineError) in
            try state.createTask(task, account: account, now: now)
        } answering: { answer, _ in
            answer.wire
        }
    }

    /// See `FleetEngineState.createTasks`.
    public nonisolated func batchCreateTasks(
        _ request: WireBatchCreateTasksRequest, account: String = EngineAccount.anonymous
    ) async throws(FleetEngineError) -> WireBatchCreateTasksResponse {
        let provider = try Check.provider(request.parent)
        // The engine checks the number of tasks later. It is checked here first, because reading far too many tasks would take seconds.
        try Check.count(request.requests.count, atMost: held.withLock { $0.engine.options.limits.tasksPerBatch }, "requests")
        let tasks = try request.tasks(of: provider)
        return try await change { state, now throws(FleetEngineError) in
            try state.createTasks(tasks, of: provider, account: account, now: now)
        } answering: { answers, _ in
            .with { $0.tasks = answers.map(\.wire) }
        }
    }

    /// See `FleetEngineState.getTask`.
    public nonisolated func getTask(_ request: WireGetTaskRequest) async throws(FleetEngineError) -> WireTask {
        let name = try Check.taskName(request.name)
        return try await read(concerns: { changes, _ in changes.hasDeliveries }) { engine, now throws(FleetEngineError) in
            try engine.getTask(name, now: now)
        }.wire
    }

    /// See `FleetEngineState.updateTask`.
    public nonisolated func updateTask(_ request: WireUpdateTaskRequest) async throws(FleetEngineError) -> WireTask {
        let name = try Check.taskName(request.task.name, field: "task.name")
        let mask = request.updateMask
        let task = try TaskReader(wire: request.task.only(mask), field: "task").task(name)
        return try await change { state, now throws(FleetEngineError) in
            try state.updateTask(task, mask: mask, now: now)
        } answering: { answer, _ in
            answer.wire
        }
    }

    /// See `FleetEngineState.deleteTask`.
    public nonisolated func deleteTask(_ request: WireDeleteTaskRequest) async throws(FleetEngineError) {
        let name = try Check.taskName(request.name)
        try await change { state, now throws(FleetEngineError) in ((), try state.deleteTask(name)) }
    }

    /// See `FleetEngineState.listTasks`.
    public nonisolated func listTasks(_ request: WireListTasksRequest) async throws(FleetEngineError) -> WireListTasksResponse {
        let listing = FleetEngineState.DeliveryListing(
            of: try Check.provider(request.parent), pageSize: request.pageSize, pageToken: request.pageToken, filter: request.filter)
        let limits = held.withLock { $0.engine.options.limits }
        let page = try await search { [self] _ throws(FleetEngineError) -> FleetEngineState.DeliveryPage<TaskAnswer> in
            let list = try TaskListing(listing, limits: limits)
            let rows = held.withLock { $0.engine.deliveries.taskIndex.rows(list.key) }
            return list.page(of: rows) { names in held.withLock { held in names.compactMap { held.engine.deliveries.tasks[$0] } } }
        }
        return .with {
            $0.tasks = page.answers.map(\.wire)
            $0.nextPageToken = page.nextPageToken
            $0.totalSize = Int64(page.totalSize)
        }
    }

    /// See `FleetEngineState.getTaskTrackingInfo`.
    public nonisolated func getTaskTrackingInfo(
        _ request: WireGetTaskTrackingInfoRequest
    ) async throws(FleetEngineError) -> WireTaskTrackingInfo {
        let name = try Check.trackingName(request.name)
        return try await read(concerns: { changes, _ in changes.hasDeliveries }) { engine, now throws(FleetEngineError) in
            try engine.getTaskTrackingInfo(name, now: now)
        }.wire
    }
}

extension WireBatchCreateTasksRequest {
    /// Reads the tasks of a batch.
    /// - Throws: INVALID_ARGUMENT for an empty batch, for an invalid task, and for a request whose own parent or header differs from
    ///   the batch's.
    fileprivate func tasks(of provider: ProviderName) throws(FleetEngineError) -> [DeliveryTask] {
        guard !requests.isEmpty else { throw .invalid("requests", "requests is required") }
        var tasks: [DeliveryTask] = []
        for (index, request) in requests.enumerated() {
            let field = "requests[\(index)]"
            guard request.parent.isEmpty || request.parent == parent else {
                throw .invalid("\(field).parent", "\(field).parent must be empty or \(provider)")
            }
            guard !request.hasHeader || request.header == WireRequestHeader() || request.header == header else {
                throw .invalid("\(field).header", "\(field).header must be empty or the same as the header of the batch")
            }
            let name: TaskName
            do {
                name = try TaskName(provider: provider.provider, task: request.taskID)
            } catch { throw .invalid("\(field).task_id", error.description) }
            tasks.append(try TaskReader(wire: request.task, field: "\(field).task").task(name))
        }
        return tasks
    }
}
