import FleetEngine
import FleetEngineAPI
import FleetEngineCore
import FleetEngineWire
import SwiftProtobuf

extension DeliveryDesk {
    /// Returns the vehicle with this bare id.
    /// - Throws: INVALID_ARGUMENT or NOT_FOUND.
    func vehicle(_ id: String) async throws(FleetEngineError) -> WireDeliveryVehicle {
        try await engine.answer(WireGetDeliveryVehicleRequest.with { $0.name = name(ofVehicle: id) })
    }

    /// Replaces a vehicle's list of stops.
    func setStops(of id: String, _ segments: [WireVehicleJourneySegment]) async throws(FleetEngineError) -> WireDeliveryVehicle {
        try await engine.answer(
            WireUpdateDeliveryVehicleRequest.with {
                $0.deliveryVehicle.name = name(ofVehicle: id)
                $0.deliveryVehicle.remainingVehicleJourneySegments = segments
                $0.updateMask.paths = ["remaining_vehicle_journey_segments"]
            })
    }

    /// Sets the state of a vehicle's first stop.
    /// - Throws: INVALID_ARGUMENT for a vehicle without a stop; NOT_FOUND.
    func setState(of id: String, _ state: VehicleStopState) async throws(FleetEngineError) -> WireDeliveryVehicle {
        var stops = try await vehicle(id).remainingVehicleJourneySegments
        guard let first = stops.indices.first else { throw .invalid("stopState", "the vehicle has no stops left") }
        stops[first].stop.state = state.wire
        return try await setStops(of: id, stops)
    }

    /// Returns the task with this bare id.
    /// - Throws: INVALID_ARGUMENT or NOT_FOUND.
    func task(_ id: String) async throws(FleetEngineError) -> WireTask {
        try await engine.answer(WireGetTaskRequest.with { $0.name = name(ofTask: id) })
    }

    /// Sets a task's outcome. If the task has no outcome time yet, it gets the current time as its outcome time.
    /// - Throws: INVALID_ARGUMENT, NOT_FOUND, or FAILED_PRECONDITION if the task already has a different outcome.
    func setOutcome(of id: String, _ outcome: DeliveryTaskOutcome) async throws(FleetEngineError) -> WireTask {
        try await engine.answer(
            WireUpdateTaskRequest.with {
                $0.task.name = name(ofTask: id)
                $0.task.taskOutcome = outcome.wire
                $0.updateMask.paths = ["task_outcome"]
            })
    }

    /// Returns the tasks at a vehicle's remaining stops, in driving order. The returned tasks do not contain the vehicle's route to them.
    /// - Throws: INVALID_ARGUMENT or NOT_FOUND.
    func tasks(of id: String) async throws(FleetEngineError) -> [WireTask] {
        try await engine.run(of: try Check.deliveryVehicleName(name(ofVehicle: id))).tasks.map(\.wire)
    }

    /// Returns the given bare ids for which no vehicle exists.
    func absentVehicles(of ids: [String]) async throws(FleetEngineError) -> Set<String> {
        let names = ids.compactMap { try? DeliveryVehicleName(provider: provider, vehicle: $0) }
        return try await engine.read(concerns: { changes, _ in changes.hasDeliveries }) { engine, _ in
            Set(names.filter { engine.deliveries.vehicles[$0] == nil }.map(\.vehicle))
        }
    }

    private func name(ofVehicle id: String) -> String { "providers/\(provider)/deliveryVehicles/\(id)" }

    private func name(ofTask id: String) -> String { "providers/\(provider)/tasks/\(id)" }
}

/// A delivery vehicle's remaining stops and their tasks.
struct DeliveryRunNow: Sendable {
    let segments: [WireVehicleJourneySegment]
    /// The tasks at the stops, in driving order.
    let tasks: [DeliveryTask]
}

extension LocalFleetEngine {
    /// Returns the remaining stops of a vehicle, and their tasks.
    /// - Throws: NOT_FOUND.
    nonisolated func run(of name: DeliveryVehicleName) async throws(FleetEngineError) -> DeliveryRunNow {
        try await read(concerns: { changes, _ in changes.hasDeliveries }) { engine, now throws(FleetEngineError) in
            let segments = try engine.getDeliveryVehicle(name, now: now).wire.remainingVehicleJourneySegments
            let tasks = segments.flatMap(\.stop.tasks).compactMap { task in
                (try? TaskName(provider: name.provider, task: task.taskID)).flatMap { engine.deliveries.tasks[$0]?.task }
            }
            return DeliveryRunNow(segments: segments, tasks: tasks)
        }
    }
}

extension ManifestBody {
    /// Returns the manifest with the current state of its vehicle and stops. Each stop lists only the tasks that have no
    /// outcome yet.
    func present(in run: DeliveryRunNow) -> ManifestBody {
        let unfinished = Set(run.tasks.filter { $0.outcome == nil }.map(\.name.task))
        var manifest = self
        for index in manifest.stops.indices { manifest.stops[index].tasks.removeAll { !unfinished.contains($0) } }
        manifest.remainingStopIdList = run.segments.compactMap(stopID)
        manifest.currentStopState = run.segments.first.map { VehicleStopState($0.stop.state).rawValue }
        return manifest
    }

    /// Returns the journey segments for a new list of stops. Stops of the manifest that are not in `ids` are removed. Only the first stop
    /// keeps its state; all others get the state NEW. Stops of the vehicle that are not in the manifest are kept, at the end of the list.
    /// - Throws: NOT_FOUND for a stop that is not among the remaining stops, or is listed twice.
    func segments(
        _ ids: [String], of segments: [WireVehicleJourneySegment]
    ) throws(FleetEngineError) -> [WireVehicleJourneySegment] {
        var others: [WireVehicleJourneySegment] = []
        var remaining: [String: WireVehicleJourneySegment] = [:]
        for segment in segments {
            if let id = stopID(segment), remaining[id] == nil { remaining[id] = segment } else { others.append(segment) }
        }
        var list: [WireVehicleJourneySegment] = []
        for id in ids {
            guard let segment = remaining.removeValue(forKey: id) else { throw .notFound("remaining stop", id) }
            list.append(segment)
        }
        list += others
        for index in list.indices.dropFirst() { list[index].stop.state = .new }
        return list
    }

    private func stopID(_ segment: WireVehicleJourneySegment) -> String? {
        let ids = Set(segment.stop.tasks.map(\.taskID))
        return stops.first { !ids.isDisjoint(with: $0.tasks) }?.stopId
    }
}
