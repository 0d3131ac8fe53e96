import EngineWorld
import FleetEngine
import FleetEngineAPI
import FoundationEssentials
import Geo
import SwiftProtobuf

@testable import FleetEngineCore

extension DeliveryTask {
    /// Returns an open delivery task at the centre that takes one minute. Its tracking id is `p-ID`.
    static func new(_ id: String, provider: String = "plain", _ change: (inout DeliveryTask) -> Void = { _ in }) throws -> DeliveryTask {
        var task = DeliveryTask(
            name: try TaskName(provider: provider, task: id), type: .delivery, state: .open, trackingID: "p-\(id)",
            plannedLocation: World.centre, durationSeconds: 60)
        change(&task)
        return task
    }
}

extension DeliveryVehicleValues.Stop {
    /// Returns a stop `index + 1` km east of the centre.
    static func at(_ index: Int, _ tasks: [String], _ state: VehicleStopState = .new) -> DeliveryVehicleValues.Stop {
        DeliveryVehicleValues.Stop(place: World.place(east: Double(index + 1) * 1_000), taskIDs: tasks, state: state)
    }
}

extension World {
    static func van(_ id: String = "van") throws -> DeliveryVehicleName { try DeliveryVehicleName(provider: "plain", vehicle: id) }

    /// Returns a world with a van at the centre and with tasks that have no vehicle.
    static func delivering(
        tasks: [String] = [], strict: Bool = false, limits: EngineLimits = EngineLimits()
    ) throws -> World {
        var world = World(strict: strict, limits: limits)
        try world.createVan()
        for id in tasks { try world.createTask(id) }
        return world
    }

    @discardableResult
    mutating func createTask(_ id: String, _ change: (inout DeliveryTask) -> Void = { _ in }) throws -> TaskAnswer {
        let task = try DeliveryTask.new(id, change)
        return try self.change { try $0.createTask(task, now: $1) }
    }

    @discardableResult
    mutating func createTasks(_ tasks: [DeliveryTask]) throws -> [TaskAnswer] {
        let provider = try ProviderName(Self.provider)
        return try change { try $0.createTasks(tasks, of: provider, now: $1) }
    }

    func task(_ id: String) throws -> TaskAnswer { try engine.getTask(try TaskName(provider: "plain", task: id), now: now) }

    @discardableResult
    mutating func updateTask(_ id: String, _ paths: [String], _ change: (inout DeliveryTask) -> Void = { _ in }) throws -> TaskAnswer {
        var task = DeliveryTask(name: try TaskName(provider: "plain", task: id))
        change(&task)
        let mask = Google_Protobuf_FieldMask.with { $0.paths = paths }
        return try self.change { try $0.updateTask(task, mask: mask, now: $1) }
    }

    mutating func deleteTask(_ id: String) throws {
        let name = try TaskName(provider: "plain", task: id)
        try change { engine, _ in ((), try engine.deleteTask(name)) }
    }

    @discardableResult
    mutating func createVan(
        _ id: String = "van", _ change: (inout DeliveryVehicleValues) -> Void = { $0.lastLocation = .at(World.centre) }
    ) throws -> DeliveryVehicleAnswer {
        var values = DeliveryVehicleValues()
        change(&values)
        let name = try Self.van(id)
        return try self.change { try $0.createDeliveryVehicle(name, values, now: $1) }
    }

    func van(_ id: String = "van") throws -> DeliveryVehicleAnswer { try engine.getDeliveryVehicle(try Self.van(id), now: now) }

    @discardableResult
    mutating func updateVan(
        _ paths: [String], of id: String = "van", _ change: (inout DeliveryVehicleValues) -> Void = { _ in }
    ) throws -> DeliveryVehicleAnswer {
        var values = DeliveryVehicleValues()
        change(&values)
        let name = try Self.van(id)
        let mask = Google_Protobuf_FieldMask.with { $0.paths = paths }
        return try self.change { try $0.updateDeliveryVehicle(name, values, mask: mask, now: $1) }
    }

    @discardableResult
    mutating func setStops(_ stops: [DeliveryVehicleValues.Stop], of id: String = "van") throws -> DeliveryVehicleAnswer {
        try updateVan(["remaining_vehicle_journey_segments"], of: id) { $0.stops = stops }
    }

    @discardableResult
    mutating func drive(_ id: String = "van", to place: Coordinate) throws -> DeliveryVehicleAnswer {
        try updateVan(["last_location"], of: id) { $0.lastLocation = .at(place) }
    }

    mutating func deleteVan(_ id: String = "van") throws {
        let name = try Self.van(id)
        try change { engine, _ in ((), try engine.deleteDeliveryVehicle(name)) }
    }

    func track(_ id: String) throws -> TaskTrackingAnswer {
        try engine.getTaskTrackingInfo(try TaskTrackingName(provider: "plain", trackingID: id), now: now)
    }
}
