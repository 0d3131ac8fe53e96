import FleetEngine
import FleetEngineAPI
import FleetEngineSnapshot
import FleetEngineWire
import FoundationEssentials
import Geo
import SwiftProtobuf

/// Loads all tasks, still unassigned, then the delivery vehicles. Each vehicle's list of stops assigns its tasks.
extension SnapshotLoader {
    mutating func loadDeliveries(_ snapshot: FleetSnapshot) throws(FleetEngineError) {
        let tasks = try names(of: snapshot.tasks.map(\.name), "tasks") { text throws(FleetEngineError) in try Check.taskName(text) }
        let vehicles = try names(of: snapshot.deliveryVehicles.map(\.name), "deliveryVehicles") { text throws(FleetEngineError) in
            try Check.deliveryVehicleName(text)
        }
        for (index, task) in snapshot.tasks.enumerated() {
            try member("tasks", index, task.name) { loader throws(FleetEngineError) in try loader.put(task, tasks[index]) }
        }
        for (index, vehicle) in snapshot.deliveryVehicles.enumerated() {
            try member("deliveryVehicles", index, vehicle.name) { loader throws(FleetEngineError) in
                try loader.put(vehicle, vehicles[index])
            }
        }
    }

    // MARK: Tasks

    private mutating func put(_ told: WireTask, _ name: TaskName) throws(FleetEngineError) {
        let known = state.deliveries.tasks[name]
        let task = try TaskRules.loadedTask(told, name: name, isPartial: isPartial, limits: limits, now: now)
        if let known {
            if known.task.state == .closed { endedTasks.insert(name) }
            let hasEnded = known.task.state == .closed || known.task.outcome != nil && task.state == .open
            guard !keepsDeliveries, !hasEnded else { return }
            release(known)
        } else if state.taskCount >= limits.tasks {
            throw .exhausted("tasks", "this Fleet Engine holds at most \(limits.tasks) tasks")
        }
        let record = TaskRecord(
            serial: known?.serial ?? state.nextSerial, stamp: state.nextStamp(now), task: task,
            account: known?.account ?? EngineAccount.anonymous)
        state.write(.delivery(.taskPut(record)), to: &changes)
    }

    /// Removes a task from its vehicle's list of stops.
    private mutating func release(_ task: TaskRecord) {
        guard let name = task.assignedVehicle, var vehicle = state.deliveries.vehicles[name] else { return }
        var stops = vehicle.run.stops
        for index in stops.indices { stops[index].tasks.removeAll { $0.id == task.name.task } }
        stops.removeAll { $0.tasks.isEmpty }
        vehicle.setStops(stops, state.straightLine, now: now)
        vehicle.stamp = state.nextStamp(now)
        state.write(.delivery(.vehiclePut(vehicle)), to: &changes)
    }

    // MARK: Delivery vehicles

    private mutating func put(_ told: WireDeliveryVehicle, _ name: DeliveryVehicleName) throws(FleetEngineError) {
        let known = state.deliveries.vehicles[name]
        guard known == nil || !keepsDeliveries else { return }
        guard known != nil || state.deliveryVehicleCount < limits.deliveryVehicles else {
            throw .exhausted("delivery_vehicles", "this Fleet Engine holds at most \(limits.deliveryVehicles) delivery vehicles")
        }
        let stamp = state.nextStamp(now)
        var record = DeliveryVehicleRecord(
            name: name, serial: known?.serial ?? state.nextSerial, stamp: stamp, type: .auto, attributes: [], location: nil,
            account: known?.account ?? EngineAccount.anonymous)
        record.run = known?.run ?? DeliveryRun()
        let update = try self.update(told)
        update.apply(to: &record, now: now)
        if let location = update.location { _ = record.take(location, judgesJumps: false, state.straightLine, now: now) }
        let list = try stopList(update.values.stops, of: record)
        record.setStops(list.stops, state.straightLine, now: now)
        try state.checkRoutePoints(record.routePoints - (known?.routePoints ?? 0))
        for task in list.assigned { state.assign(task, to: name, stamp, &changes) }
        for task in list.closed { state.close(task, stamp, &changes) }
        state.write(.delivery(.vehiclePut(record)), to: &changes)
    }

    /// Returns the settings and the report of a vehicle. If `isPartial`, invalid fields are omitted.
    private func update(_ told: WireDeliveryVehicle) throws(FleetEngineError) -> DeliveryVehicleUpdate {
        let values = DeliveryVehicleValues(told)
        var fields = told.said
        if isPartial { fields = fields.filter { (try? DeliveryVehicleUpdate([$0], values, limits: limits, now: now)) != nil } }
        return try DeliveryVehicleUpdate(fields, values, limits: limits, now: now)
    }

    private func stopList(
        _ told: [DeliveryVehicleValues.Stop], of record: DeliveryVehicleRecord
    ) throws(FleetEngineError) -> DeliveryStopList {
        let provider = record.name.provider
        let tasks = state.deliveries.tasks
        let find: (String) -> TaskRecord? = { id in (try? TaskName(provider: provider, task: id)).flatMap { tasks[$0] } }
        var options = state.options
        // The list shows only the current states of the stops, so the order of states cannot be checked.
        options.strictStatus = false
        let stops = isPartial ? usable(told, of: record.name, find) : withoutEnded(told, find)
        return try DeliveryStopList(stops, of: record, options: options, find: find)
    }

    /// Returns the stops without the tasks that have ended in the engine. A stop that has lost all its tasks is omitted. A stop that never
    /// had any is kept, and is refused later.
    private func withoutEnded(
        _ told: [DeliveryVehicleValues.Stop], _ find: (String) -> TaskRecord?
    ) -> [DeliveryVehicleValues.Stop] {
        told.compactMap { stop in
            var left = stop
            left.taskIDs.removeAll { id in find(id).map { endedTasks.contains($0.name) } ?? false }
            return left.taskIDs.isEmpty && !stop.taskIDs.isEmpty ? nil : left
        }
    }

    /// Returns the stops that an engine can accept, with the OPEN tasks that no other vehicle and no earlier stop has. A missing or
    /// invalid place is replaced by the planned location of one of these tasks. A stop is omitted if no place is known or no task is
    /// left; its tasks then stay unassigned.
    private func usable(
        _ told: [DeliveryVehicleValues.Stop], of name: DeliveryVehicleName, _ find: (String) -> TaskRecord?
    ) -> [DeliveryVehicleValues.Stop] {
        var stops: [DeliveryVehicleValues.Stop] = []
        var seen: Set<String> = []
        for stop in told {
            let tasks = stop.taskIDs.compactMap(find).filter { task in
                task.task.state == .open && (task.assignedVehicle ?? name) == name && seen.insert(task.name.task).inserted
            }
            let place = stop.place.flatMap { $0.isValid ? $0 : nil } ?? tasks.lazy.compactMap(\.task.plannedLocation).first
            guard let place, !tasks.isEmpty else { continue }
            let state = stops.isEmpty && stop.state != .unknown ? stop.state : .new
            stops.append(DeliveryVehicleValues.Stop(place: place, taskIDs: tasks.map(\.name.task), state: state))
        }
        return stops
    }
}

extension WireDeliveryVehicle {
    /// The fields that have a value in the message, without the stops. Only fields that drivers or providers may set are included.
    fileprivate var said: Set<DeliveryVehicleField> {
        let fields: [(DeliveryVehicleField, Bool)] = [
            (.type, type != .unspecified), (.attributes, !attributes.isEmpty), (.lastLocation, hasLastLocation),
            (.navigationStatus, navigationStatus != .unknownNavigationStatus), (.currentRouteSegment, !currentRouteSegment.isEmpty),
            (.currentRouteSegmentEndPoint, hasCurrentRouteSegmentEndPoint), (.remainingDistanceMeters, hasRemainingDistanceMeters),
            (.remainingDuration, hasRemainingDuration),
        ]
        return Set(fields.filter(\.1).map(\.0))
    }
}

extension DeliveryVehicleValues {
    fileprivate init(_ wire: WireDeliveryVehicle) {
        self.init()
        type = DeliveryVehicleType(wire.type)
        lastLocation = wire.hasLastLocation ? wire.lastLocation : nil
        navigationStatus = wire.navigationStatus
        currentRouteSegment = String(decoding: wire.currentRouteSegment, as: UTF8.self)
        currentRouteSegmentEndPoint = wire.hasCurrentRouteSegmentEndPoint ? wire.currentRouteSegmentEndPoint.coordinate : nil
        remainingDistanceMeters = wire.hasRemainingDistanceMeters ? wire.remainingDistanceMeters.value : nil
        remainingDurationSeconds = wire.hasRemainingDuration ? wire.remainingDuration.lengthSeconds : nil
        stops = wire.remainingVehicleJourneySegments.map { segment in
            let place = segment.stop.plannedLocation
            return Stop(
                place: place.hasPoint ? place.point.coordinate : nil, taskIDs: segment.stop.tasks.map(\.taskID),
                state: VehicleStopState(segment.stop.state))
        }
        attributes = [DeliveryAttribute](wire.attributes)
    }
}
