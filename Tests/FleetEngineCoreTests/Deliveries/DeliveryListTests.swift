import EngineWorld
import FleetEngine
import FoundationEssentials
import Geo
import Testing

@testable import FleetEngineCore

@Suite("Lists of tasks and delivery vehicles")
struct DeliveryListTests {
    private static func tasks(
        _ world: World, _ filter: String = "", size: Int32 = 0, token: String = ""
    ) throws -> FleetEngineState.DeliveryPage<TaskAnswer> {
        let provider = try ProviderName(World.provider)
        return try world.engine.listTasks(.init(of: provider, pageSize: size, pageToken: token, filter: filter))
    }

    private static func vans(
        _ world: World, _ filter: String = "", within viewport: DeliveryViewport? = nil, size: Int32 = 0, token: String = ""
    ) throws -> FleetEngineState.DeliveryPage<DeliveryVehicleAnswer> {
        let provider = try ProviderName(World.provider)
        return try world.engine.listDeliveryVehicles(
            .init(of: provider, pageSize: size, pageToken: token, filter: filter), within: viewport, now: world.now)
    }

    /// Returns a world with five tasks. `t1` and `t2` are on the van. `t3` was closed when its stop left the van's list. `t4` has no
    /// vehicle. `depot` is a scheduled stop with attributes, without a vehicle or a tracking id.
    private static func world() throws -> World {
        var world = try World.delivering(tasks: ["t1", "t2", "t3", "t4"])
        try world.createTask("depot") {
            $0.type = .scheduledStop
            $0.trackingID = nil
            $0.attributes = [DeliveryAttribute(key: "level", value: .number(10)), DeliveryAttribute(key: "my key", text: "x")]
        }
        try world.setStops([.at(0, ["t3"]), .at(1, ["t1", "t2"])])
        try world.updateTask("t3", ["task_outcome", "task_outcome_time"]) {
            $0.outcome = .failed
            $0.outcomeTime = World.start
        }
        try world.setStops([.at(1, ["t1", "t2"])])
        return world
    }

    @Test(
        "tasks can be filtered",
        arguments: [
            ("", ["t1", "t2", "t3", "t4", "depot"]), ("state = OPEN", ["t1", "t2", "t4", "depot"]), ("state != OPEN", ["t3"]),
            ("state=\"CLOSED\"", ["t3"]), ("delivery_vehicle_id = van", ["t1", "t2", "t3"]),
            ("state = OPEN AND delivery_vehicle_id = \"van\"", ["t1", "t2"]), ("delivery_vehicle_id = \"\"", ["t4", "depot"]),
            ("tracking_id = \"p-t2\"", ["t2"]), ("tracking_id!=\"\"", ["t1", "t2", "t3", "t4"]), ("tracking_id = \"\"", ["depot"]),
            ("type = SCHEDULED_STOP", ["depot"]), ("type != DELIVERY", ["depot"]), ("task_outcome = FAILED", ["t3"]),
            ("task_outcome = SUCCEEDED", []), ("task_outcome = TASK_OUTCOME_UNSPECIFIED AND state = OPEN", ["t1", "t2", "t4", "depot"]),
            ("task_outcome_time >= \"2025-06-15T15:06:40Z\"", ["t3"]), ("task_outcome_time > \"2025-06-15T15:06:40Z\"", []),
            ("attributes.level = \"10\"", ["depot"]), ("attributes.level != \"10\"", []), ("attributes.level:\"*\"", ["depot"]),
            ("attributes.\"my key\" = x", ["depot"]), ("attributes.zone = \"north\"", []),
        ])
    func filters(filter: String, ids: [String]) throws {
        let page = try Self.tasks(try Self.world(), filter)
        #expect(page.answers.map(\.task.name.task) == ids)
        #expect(page.totalSize == ids.count && page.nextPageToken.isEmpty)
    }

    @Test(
        "invalid filters on tasks are refused",
        arguments: [
            "state", "state =", "state = open", "state > OPEN", "type : DELIVERY", "state = OPEN OR type = PICKUP", "NOT state = OPEN",
            "(state = OPEN)", "state = OPEN type = PICKUP", "planned_location = 1", "attributes. = x", "attributes.level = 10",
            "attributes.done = true", "task_outcome = DONE", "task_outcome_time = yesterday", "tracking_id < \"a\"", "state = \"OPEN",
            Array(repeating: "state = OPEN", count: 51).joined(separator: " AND "), String(repeating: " ", count: 8_193),
        ])
    func refusedFilters(filter: String) throws {
        let world = try Self.world()
        refusal(.invalidArgument, field: "filter") { _ = try Self.tasks(world, filter) }
    }

    @Test("the error names what a filter on tasks does not support")
    func unsupportedFilters() throws {
        let world = try Self.world()
        func words(_ filter: String) -> String? { refusal(.invalidArgument) { _ = try Self.tasks(world, filter) }?.message }
        for filter in ["state = OPEN OR type = PICKUP", "NOT state = OPEN", "(state = OPEN)", "state = (OPEN)", "state = OPEN)"] {
            #expect(words(filter) == "filter: OR, NOT and brackets are not supported", "\(filter)")
        }
        let place = try #require(words("state = OPEN AND planned_location = 1"))
        #expect(place.contains("planned_location") && place.contains(" is not supported; the supported names are state, type, "))
        #expect(place.hasSuffix("task_outcome_time and attributes.<key>"))
        #expect(words("state = OPEN AND") == "filter, word 5: expected a task property or attributes.<key>")
        let van = refusal(.invalidArgument) { _ = try Self.vans(world, "state = OPEN") }
        #expect(van?.message == "filter, word 1: expected attributes.<key>")
    }

    @Test("a list of tasks contains no routes, and only tasks of its provider")
    func content() throws {
        var world = try Self.world()
        let foreign = try DeliveryTask.new("t1", provider: "other")
        _ = try world.change { try $0.createTask(foreign, now: $1) }
        let page = try Self.tasks(world, "delivery_vehicle_id = van")
        #expect(page.answers.allSatisfy { $0.journey == nil && $0.task.name.provider == "plain" })
        let own = try ["t1", "t2", "t3"].map { try world.task($0).task }
        #expect(page.answers.map(\.task) == own)
    }

    @Test("pages follow each other by their tokens, which are valid for one filter only")
    func pages() throws {
        var world = try Self.world()
        let first = try Self.tasks(world, "state = OPEN", size: 2)
        #expect(first.answers.map(\.task.name.task) == ["t1", "t2"] && first.totalSize == 4)
        // A task that is closed between two pages must not hide another task.
        try world.updateTask("t4", ["state"]) { $0.state = .closed }
        let second = try Self.tasks(world, "state = OPEN", size: 2, token: first.nextPageToken)
        #expect(second.answers.map(\.task.name.task) == ["depot"])
        #expect(second.nextPageToken.isEmpty && second.totalSize == 3)
        for filter in ["", "state = CLOSED"] {
            refusal(.invalidArgument, field: "page_token") { _ = try Self.tasks(world, filter, size: 2, token: first.nextPageToken) }
        }
        refusal(.invalidArgument, field: "page_token") { _ = try Self.tasks(world, token: "nonsense") }
        refusal(.invalidArgument, field: "page_size") { _ = try Self.tasks(world, size: -1) }
    }

    @Test(
        "a list reads the tasks of one shipment or vehicle, or else the open ones, or else all",
        arguments: [
            ("", 5), ("state = CLOSED", 5), ("state != OPEN", 5), ("attributes.level = \"10\"", 5), ("state = OPEN", 4),
            ("type = DELIVERY AND state = \"OPEN\"", 4), ("state = OPEN AND delivery_vehicle_id = van", 3),
            ("state = OPEN AND delivery_vehicle_id = van AND tracking_id = \"p-t2\"", 1), ("tracking_id = none", 0),
        ])
    func reads(filter: String, count: Int) throws {
        let world = try Self.world()
        let listing = FleetEngineState.DeliveryListing(of: try ProviderName(World.provider), filter: filter)
        let rows = world.engine.deliveries.taskIndex.rows(try TaskListing(listing, limits: EngineLimits()).key)
        #expect(rows.count == count)
    }

    @Test("a restriction that the index already checks does not hide another restriction of the same property")
    func contradictions() throws {
        let world = try Self.world()
        for filter in [
            "state = OPEN AND state = CLOSED", "state = OPEN AND state != OPEN", "tracking_id = \"p-t1\" AND tracking_id = \"p-t2\"",
            "delivery_vehicle_id = van AND delivery_vehicle_id != van", "delivery_vehicle_id = van AND delivery_vehicle_id = other",
        ] {
            let page = try Self.tasks(world, filter)
            #expect(page.answers.isEmpty && page.totalSize == 0, "\(filter)")
        }
        #expect(try Self.tasks(world, "delivery_vehicle_id = van AND delivery_vehicle_id = van").totalSize == 3)
    }

    @Test("lists stay correct when tasks close or are deleted, and when vehicles move, change or are deleted")
    func changes() throws {
        var world = try Self.world()
        func open() throws -> [String] { try Self.tasks(world, "state = OPEN").answers.map(\.task.name.task) }
        try world.setStops([.at(1, ["t2"])])
        #expect(try open() == ["t2", "t4", "depot"])
        try world.deleteTask("t4")
        try world.createTask("t4")
        #expect(try open() == ["t2", "depot", "t4"])
        let far = World.place(east: 0, north: 8_000)
        let view = DeliveryViewport(low: World.place(east: -100, north: 7_900), high: World.place(east: 100, north: 8_100))
        try world.createVan("other")
        try world.drive("other", to: far)
        try world.updateVan(["attributes"], of: "other") { $0.attributes = [DeliveryAttribute(key: "cold", text: "yes")] }
        #expect(try Self.vans(world, "attributes.cold = yes", within: view).answers.map(\.name.vehicle) == ["other"])
        #expect(try Self.vans(world, "attributes.cold = yes", within: view).totalSize == 1)
        try world.deleteVan("other")
        #expect(try Self.vans(world).answers.map(\.name.vehicle) == ["van"])
    }

    @Test("delivery vehicles are listed without their stops, and can be filtered by attributes and position")
    func vehicles() throws {
        var world = try Self.world()
        try world.createVan("north") {
            $0.lastLocation = .at(World.place(east: 0, north: 5_000))
            $0.attributes = [DeliveryAttribute(key: "level", text: "10"), DeliveryAttribute(key: "cold", value: .truth(true))]
        }
        try world.createVan("unseen") { $0.attributes = [DeliveryAttribute(key: "level", text: "9")] }
        func names(_ filter: String = "", within viewport: DeliveryViewport? = nil) throws -> [String] {
            try Self.vans(world, filter, within: viewport).answers.map(\.name.vehicle)
        }
        #expect(try names() == ["van", "north", "unseen"])
        #expect(try Self.vans(world).answers.allSatisfy(\.segments.isEmpty))
        #expect(try names("attributes.level = \"10\" AND attributes.cold = \"true\"") == ["north"])
        let near = DeliveryViewport(low: World.place(east: -100, north: -100), high: World.place(east: 100, north: 100))
        #expect(try names(within: near) == ["van"])
        let round = DeliveryViewport(low: World.place(east: 100, north: -100), high: World.place(east: -100, north: 9_000))
        #expect(try names(within: round) == [])
        for filter in ["state = OPEN", "attributes.level = 10", "attributes.a = x OR attributes.b = x"] {
            refusal(.invalidArgument, field: "filter") { _ = try names(filter) }
        }
        let turned = DeliveryViewport(low: near.high, high: near.low)
        refusal(.invalidArgument, field: "viewport") { _ = try names(within: turned) }
    }

    @Test("pages of delivery vehicles are valid for one filter and viewport only")
    func vehiclePages() throws {
        var world = World()
        for index in 0..<5 { try world.createVan("v\(index)") }
        let first = try Self.vans(world, size: 3)
        #expect(first.answers.count == 3 && first.totalSize == 5)
        let second = try Self.vans(world, size: 3, token: first.nextPageToken)
        #expect(second.answers.map(\.name.vehicle) == ["v3", "v4"] && second.nextPageToken.isEmpty)
        let view = DeliveryViewport(low: World.centre, high: World.centre)
        refusal(.invalidArgument, field: "page_token") { _ = try Self.vans(world, within: view, token: first.nextPageToken) }
    }
}
