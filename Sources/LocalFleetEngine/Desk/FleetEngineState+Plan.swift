import FleetEngine
import FleetEngineAPI
import FleetEngineCore
import FleetEngineSnapshot
import FleetEngineWire
import FoundationEssentials
import SwiftProtobuf

extension FleetEngineState {
    /// Creates the vehicles and tasks of a day's plan, and assigns the tasks. Each creation or assignment is recorded as a
    /// call.
    ///
    /// The plan is carried out on a copy of the engine, so that a refused plan changes nothing. Other calls wait while tables are
    /// copied, but a provider sends few plans a day.
    ///
    /// - Throws: the error of the first call that is refused. The engine is then unchanged, and no call is recorded.
    mutating func carryOut(_ plan: DeliveryManifest, now: Date) throws(FleetEngineError) -> [Change] {
        var copy = self
        var changes: [Change] = []
        var tasks = plan.snapshot.tasks[...]
        for (body, vehicle) in zip(plan.bodies, plan.snapshot.deliveryVehicles) {
            let name = try Check.deliveryVehicleName(vehicle.name)
            changes += try copy.create(vehicle, name, now)
            for task in tasks.prefix(body.tasks.count) { changes += try copy.create(task, now) }
            tasks = tasks.dropFirst(body.tasks.count)
            changes += try copy.setStops(of: vehicle, name, now)
        }
        self = copy
        return changes
    }

    private mutating func create(
        _ vehicle: WireDeliveryVehicle, _ name: DeliveryVehicleName, _ now: Date
    ) throws(FleetEngineError) -> [Change] {
        let request = WireCreateDeliveryVehicleRequest.with {
            $0.parent = "providers/\(name.provider)"
            $0.deliveryVehicleID = name.vehicle
            if vehicle.hasLastLocation { $0.deliveryVehicle.lastLocation = vehicle.lastLocation }
        }
        let values = try DeliveryVehicleValues(request.deliveryVehicle)
        return try make(.createDeliveryVehicle(request)) { state throws(FleetEngineError) in
            let made = try state.createDeliveryVehicle(name, values, account: EngineAccount.providerAPI, now: now)
            return (answer: made.answer.wire, changes: made.changes)
        }
    }

    private mutating func create(_ task: WireTask, _ now: Date) throws(FleetEngineError) -> [Change] {
        let name = try Check.taskName(task.name)
        let request = WireCreateTaskRequest.with {
            $0.parent = "providers/\(name.provider)"
            $0.taskID = name.task
            $0.task = task
        }
        let new = try TaskReader(wire: task, field: "task").task(name)
        return try make(.createTask(request)) { state throws(FleetEngineError) in
            let made = try state.createTask(new, account: EngineAccount.providerAPI, now: now)
            return (answer: made.answer.wire, changes: made.changes)
        }
    }

    private mutating func setStops(
        of vehicle: WireDeliveryVehicle, _ name: DeliveryVehicleName, _ now: Date
    ) throws(FleetEngineError) -> [Change] {
        let request = WireUpdateDeliveryVehicleRequest.with {
            $0.deliveryVehicle.name = vehicle.name
            $0.deliveryVehicle.remainingVehicleJourneySegments = vehicle.remainingVehicleJourneySegments
            $0.updateMask.paths = ["remaining_vehicle_journey_segments"]
        }
        let values = try DeliveryVehicleValues(request.deliveryVehicle, hasAttributes: false)
        return try make(.updateDeliveryVehicle(request)) { state throws(FleetEngineError) in
            let made = try state.updateDeliveryVehicle(name, values, mask: request.updateMask, now: now)
            return (answer: made.answer.wire, changes: made.changes)
        }
    }
}
