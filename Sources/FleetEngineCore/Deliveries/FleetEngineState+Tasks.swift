public import FleetEngine
import FleetEngineAPI
public import FoundationEssentials
public import SwiftProtobuf

extension FleetEngineState {
    /// The number of tasks, including closed tasks.
    public var taskCount: Int { deliveries.tasks.count }

    /// Creates a task that is not assigned to a vehicle.
    ///
    /// - Parameters:
    ///   - task: the new task with its name.
    ///   - account: the account that creates the task; see `EngineAccount`.
    /// - Throws: INVALID_ARGUMENT, ALREADY_EXISTS, RESOURCE_EXHAUSTED.
    public mutating func createTask(
        _ task: DeliveryTask, account: String = EngineAccount.anonymous, now: Date
    ) throws(FleetEngineError) -> (answer: TaskAnswer, changes: [Change]) {
        try checkNewTask(task, field: "task")
        try checkTaskRoom(for: 1)
        var changes: [Change] = []
        return (put(task, account, now, &changes), changes)
    }

    /// Creates tasks of one provider. If one task is refused, no task is created.
    ///
    /// - Throws: the errors of `createTask`; also INVALID_ARGUMENT for too many tasks, for a repeated id, and for a task of another
    ///   provider.
    public mutating func createTasks(
        _ tasks: [DeliveryTask], of provider: ProviderName, account: String = EngineAccount.anonymous, now: Date
    ) throws(FleetEngineError) -> (answer: [TaskAnswer], changes: [Change]) {
        try Check.count(tasks.count, atMost: options.limits.tasksPerBatch, "requests")
        var names: Set<TaskName> = []
        for (index, task) in tasks.enumerated() {
            let field = "requests[\(index)]"
            guard task.name.provider == provider.provider else {
                throw .invalid("\(field).parent", "\(field).parent must be empty or \(provider)")
            }
            guard names.insert(task.name).inserted else {
                throw .invalid("\(field).task_id", "\(field).task_id: \(FleetEngineError.shown(task.name.task)) occurs twice")
            }
            try checkNewTask(task, field: "\(field).task")
        }
        try checkTaskRoom(for: tasks.count)
        var changes: [Change] = []
        let answers = tasks.map { put($0, account, now, &changes) }
        return (answers, changes)
    }

    private func checkTaskRoom(for count: Int) throws(FleetEngineError) {
        guard taskCount + count <= options.limits.tasks else {
            throw .exhausted("tasks", "this Fleet Engine holds at most \(options.limits.tasks) tasks: delete some first")
        }
    }

    private func checkNewTask(_ task: DeliveryTask, field: String) throws(FleetEngineError) {
        try TaskRules.check(task, field: field, limits: options.limits)
        guard deliveries.tasks[task.name] == nil else { throw .alreadyExists("task", task.name) }
    }

    private mutating func put(_ task: DeliveryTask, _ account: String, _ now: Date, _ changes: inout [Change]) -> TaskAnswer {
        let record = TaskRecord(serial: nextSerial, stamp: nextStamp(now), task: task, account: account)
        write(.delivery(.taskPut(record)), to: &changes)
        return answer(record, now)
    }

    /// Returns the task as it is at `now`.
    ///
    /// - Throws: NOT_FOUND.
    public func getTask(_ name: TaskName, now: Date) throws(FleetEngineError) -> TaskAnswer { answer(try taskRecord(name), now) }

    /// Changes the fields in the mask.
    ///
    /// - Parameter task: the new values, with the name of the task to change.
    /// - Throws: INVALID_ARGUMENT, including for a field that cannot change; NOT_FOUND; FAILED_PRECONDITION for a change that the
    ///   task's state, vehicle or present outcome does not allow.
    public mutating func updateTask(
        _ task: DeliveryTask, mask: Google_Protobuf_FieldMask, now: Date
    ) throws(FleetEngineError) -> (answer: TaskAnswer, changes: [Change]) {
        let fields = try UpdateMask.fields(mask, of: TaskField.self, limits: options.limits)
        var record = try taskRecord(task.name)
        let vehicle = record.lastVehicle.flatMap { deliveries.vehicles[$0] }
        let update = TaskUpdate(fields: fields, values: task, limits: options.limits, now: now)
        let changed = try update.applied(to: record, vehicle: vehicle)
        guard changed != record.task else { return (answer(record, now), []) }
        record.task = changed
        record.stamp = nextStamp(now)
        var changes: [Change] = []
        write(.delivery(.taskPut(record)), to: &changes)
        return (answer(record, now), changes)
    }

    /// Removes a task.
    ///
    /// - Throws: NOT_FOUND; FAILED_PRECONDITION while the task is OPEN and assigned to a vehicle.
    public mutating func deleteTask(_ name: TaskName) throws(FleetEngineError) -> [Change] {
        if let vehicle = try taskRecord(name).assignedVehicle {
            throw .failedPrecondition(
                "TASK_ASSIGNED", subject: name.description,
                "the task is OPEN and assigned to delivery vehicle \(vehicle.vehicle): remove it from that vehicle's list of stops first")
        }
        var changes: [Change] = []
        write(.delivery(.taskRemoved(name)), to: &changes)
        return changes
    }

    // MARK: Finding

    package func taskRecord(_ name: TaskName) throws(FleetEngineError) -> TaskRecord {
        guard let record = deliveries.tasks[name] else { throw .notFound("task", name) }
        return record
    }

    func answer(_ record: TaskRecord, _ now: Date) -> TaskAnswer {
        TaskAnswer(record, on: record.assignedVehicle.flatMap { deliveries.vehicles[$0] }, now: now)
    }
}
