public import FleetEngine
import FleetEngineAPI
public import FoundationEssentials
package import Routing
public import SwiftProtobuf

extension FleetEngineState {
    /// The number of delivery vehicles.
    public var deliveryVehicleCount: Int { deliveries.vehicles.count }

    /// Creates a delivery vehicle with its type, position and attributes.
    ///
    /// - Parameter account: the account that creates the vehicle; see `EngineAccount`.
    /// - Throws: INVALID_ARGUMENT if a value is invalid, or if a field other than the type, position and attributes is set; ALREADY_EXISTS;
    ///   RESOURCE_EXHAUSTED.
    public mutating func createDeliveryVehicle(
        _ name: DeliveryVehicleName, _ values: DeliveryVehicleValues, account: String = EngineAccount.anonymous, now: Date
    ) throws(FleetEngineError) -> (answer: DeliveryVehicleAnswer, changes: [Change]) {
        if let field = values.fieldOfOldVehicle {
            throw .invalid("delivery_vehicle.\(field)", "\(field) cannot be set on a new delivery vehicle")
        }
        try Check.attributes(values.attributes, limits: options.limits)
        let location = try values.lastLocation.map { report throws(FleetEngineError) in
            try LocationIntake.accepted(report, at: now, limits: options.limits)
        }
        guard deliveries.vehicles[name] == nil else { throw .alreadyExists("delivery vehicle", name) }
        guard deliveryVehicleCount < options.limits.deliveryVehicles else {
            let limit = options.limits.deliveryVehicles
            throw .exhausted("delivery_vehicles", "this Fleet Engine holds at most \(limit) delivery vehicles: delete some first")
        }
        let record = DeliveryVehicleRecord(
            name: name, serial: nextSerial, stamp: nextStamp(now), type: values.type == .unknown ? .auto : values.type,
            attributes: values.attributes, location: location, account: account)
        var changes: [Change] = []
        write(.delivery(.vehiclePut(record)), to: &changes)
        return (answer(record, now), changes)
    }

    /// Returns the delivery vehicle as it is at `now`.
    ///
    /// - Throws: NOT_FOUND.
    public func getDeliveryVehicle(_ name: DeliveryVehicleName, now: Date) throws(FleetEngineError) -> DeliveryVehicleAnswer {
        DeliveryVehicleAnswer(try deliveryVehicleRecord(name), now: now) { id in
            (try? TaskName(provider: name.provider, task: id)).flatMap { deliveries.tasks[$0] }?.task.targetTimeWindow
        }
    }

    /// Changes the fields in the mask. A list of stops replaces the old list. The tasks in the new list are assigned, and tasks that were
    /// only in the old list become CLOSED. An impossible position is dropped; see `JumpFilter`.
    ///
    /// - Throws: INVALID_ARGUMENT, NOT_FOUND, FAILED_PRECONDITION (for a stop or a task in the list), RESOURCE_EXHAUSTED.
    public mutating func updateDeliveryVehicle(
        _ name: DeliveryVehicleName, _ values: DeliveryVehicleValues, mask: Google_Protobuf_FieldMask, now: Date
    ) throws(FleetEngineError) -> (answer: DeliveryVehicleAnswer, changes: [Change]) {
        let fields = try UpdateMask.fields(mask, of: DeliveryVehicleField.self, limits: options.limits)
        let update = try DeliveryVehicleUpdate(fields, values, limits: options.limits, now: now)
        var record = try deliveryVehicleRecord(name)
        let list = fields.contains(.stops) ? try stopList(values.stops, of: record) : nil
        let points = record.routePoints
        update.apply(to: &record, now: now)
        let isDiscarded =
            update.location.map { record.take($0, judgesJumps: !options.keepsJumps, straightLine, now: now) } ?? false
        if let list { record.setStops(list.stops, straightLine, now: now) }
        try checkRoutePoints(record.routePoints - points)
        if isDiscarded { discardedJumps += 1 }
        let stamp = nextStamp(now)
        record.stamp = stamp
        var changes: [Change] = []
        for task in list?.assigned ?? [] { assign(task, to: name, stamp, &changes) }
        for task in list?.closed ?? [] { close(task, stamp, &changes) }
        write(.delivery(.vehiclePut(record)), to: &changes)
        return (answer(record, now), changes)
    }

    private func stopList(
        _ stops: [DeliveryVehicleValues.Stop], of record: DeliveryVehicleRecord
    ) throws(FleetEngineError) -> DeliveryStopList {
        try DeliveryStopList(stops, of: record, options: options) { id in
            (try? TaskName(provider: record.name.provider, task: id)).flatMap { deliveries.tasks[$0] }
        }
    }

    func checkRoutePoints(_ more: Int) throws(FleetEngineError) {
        let limit = options.limits.routePoints
        guard more <= 0 || routePoints + deliveries.routePoints + more <= limit else {
            throw .exhausted("route_points", "this Fleet Engine holds at most \(limit) route points: send a shorter route")
        }
    }

    mutating func assign(_ task: TaskRecord, to name: DeliveryVehicleName, _ stamp: ChangeStamp, _ changes: inout [Change]) {
        var task = task
        task.task.vehicleID = name.vehicle
        task.stamp = stamp
        write(.delivery(.taskPut(task)), to: &changes)
    }

    /// Closes a task that is no longer in the list of stops. The task keeps its vehicle and its outcome.
    mutating func close(_ task: TaskRecord, _ stamp: ChangeStamp, _ changes: inout [Change]) {
        var task = task
        task.task.state = .closed
        task.stamp = stamp
        write(.delivery(.taskPut(task)), to: &changes)
    }

    /// Removes a delivery vehicle.
    ///
    /// - Throws: NOT_FOUND; FAILED_PRECONDITION while it has OPEN tasks.
    public mutating func deleteDeliveryVehicle(_ name: DeliveryVehicleName) throws(FleetEngineError) -> [Change] {
        let record = try deliveryVehicleRecord(name)
        let count = record.run.places.count
        guard count == 0 else {
            throw .failedPrecondition(
                "VEHICLE_ACTIVE", subject: name.description,
                "the delivery vehicle has \(count) OPEN \(count == 1 ? "task" : "tasks"): empty the vehicle's list of stops first")
        }
        var changes: [Change] = []
        write(.delivery(.vehicleRemoved(name)), to: &changes)
        return changes
    }

    /// Applies a router's answer: the route replaces the straight line on `way`, for those of the named delivery vehicles that still use
    /// that line.
    ///
    /// - Parameter route: the router's route; nil if the router found no route. The straight line is kept if there is no route, or if the
    ///   route would exceed the limit of route points.
    package mutating func settle(
        _ way: Way, with route: PlannedRoute?, for names: some Sequence<DeliveryVehicleName>, now: Date
    ) -> [Change] {
        var changes: [Change] = []
        let leg = route?.legs.first
        for name in names.sorted(by: { $0.vehicle < $1.vehicle }) {
            guard var record = deliveries.vehicles[name], record.missingWays.contains(way) else { continue }
            let points = routePoints + deliveries.routePoints + (leg?.path.count ?? 0)
            record.run.settle(way, with: points <= options.limits.routePoints ? leg : nil)
            record.stamp = nextStamp(now)
            write(.delivery(.vehiclePut(record)), to: &changes)
        }
        return changes
    }

    // MARK: Finding

    package func deliveryVehicleRecord(_ name: DeliveryVehicleName) throws(FleetEngineError) -> DeliveryVehicleRecord {
        guard let record = deliveries.vehicles[name] else { throw .notFound("delivery vehicle", name) }
        return record
    }

    /// Returns the answer to a call that writes. It does not contain the time windows of tasks, because only `getDeliveryVehicle`
    /// returns them.
    private func answer(_ record: DeliveryVehicleRecord, _ now: Date) -> DeliveryVehicleAnswer {
        DeliveryVehicleAnswer(record, now: now) { _ in nil }
    }
}
