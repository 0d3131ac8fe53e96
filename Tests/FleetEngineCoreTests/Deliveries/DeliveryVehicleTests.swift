import EngineWorld
import FleetEngine
import FleetEngineAPI
import FleetEngineWire
import FoundationEssentials
import Geo
import SwiftProtobuf
import Testing

@testable import FleetEngineCore

@Suite("Delivery vehicles")
struct DeliveryVehicleTests {
    /// The route from the centre to the first stop, as a driver's app encodes it.
    private static let way = EncodedPolyline.encode([World.centre, World.place(east: 1_000)])

    @Test("a delivery vehicle is created with its type, position and attributes")
    func creation() throws {
        var world = World()
        let plain = try world.createVan("plain") { _ in }
        #expect(plain.type == .auto && plain.lastLocation == nil && plain.segments.isEmpty)
        let bike = try world.createVan("bike") {
            $0.type = .bicycle
            $0.lastLocation = .at(World.centre)
            $0.attributes = [DeliveryAttribute(key: "zone", text: "north")]
        }
        #expect(bike.type == .bicycle && bike.attributes.first?.key == "zone")
        #expect(bike.lastLocation?.serverTime.moment == world.now)
        #expect(try world.van("bike") == bike)
        refusal(.alreadyExists) { try world.createVan("bike") }
        refusal(.notFound) { _ = try world.van("other") }
        #expect(world.engine.deliveryVehicleCount == 2)
    }

    @Test(
        "invalid requests to CreateDeliveryVehicle are refused",
        arguments: [
            .init("delivery_vehicle.navigation_status") { $0.navigationStatus = .enrouteToDestination },
            .init("delivery_vehicle.current_route_segment") { $0.currentRouteSegment = "_p~iF~ps|U" },
            .init("delivery_vehicle.current_route_segment_end_point") { $0.currentRouteSegmentEndPoint = World.centre },
            .init("delivery_vehicle.remaining_distance_meters") { $0.remainingDistanceMeters = 5 },
            .init("delivery_vehicle.remaining_duration") { $0.remainingDurationSeconds = 5 },
            .init("delivery_vehicle.remaining_vehicle_journey_segments") { $0.stops = [.at(0, ["t1"])] },
            .init("delivery_vehicle.past_locations") { $0.pastLocations = [.at(World.centre)] },
            .init("last_location.location.latitude") { $0.lastLocation = .at(Coordinate(latitude: 91, longitude: 0)) },
            .init("attributes") { $0.attributes = Array(repeating: DeliveryAttribute(key: "a", text: ""), count: 101) },
        ] as [Fault<DeliveryVehicleValues>])
    func refused(fault: Fault<DeliveryVehicleValues>) {
        var world = World()
        refusal(.invalidArgument, field: fault.field) { try world.createVan("van", fault.change) }
        #expect(world.engine.deliveryVehicleCount == 0)
    }

    @Test("an engine holds a limited number of delivery vehicles")
    func room() throws {
        var limits = EngineLimits()
        limits.deliveryVehicles = 1
        var world = World(limits: limits)
        try world.createVan()
        refusal(.resourceExhausted) { try world.createVan("second") }
        try world.deleteVan()
        try world.createVan("second")
    }

    @Test("an update needs a mask that names fields that can change")
    func masks() throws {
        var world = try World.delivering()
        for paths in [[], ["name"], ["nonsense"]] {
            refusal(.invalidArgument, field: "update_mask") { try world.updateVan(paths) }
        }
        refusal(.invalidArgument, field: "delivery_vehicle.last_location") { try world.updateVan(["last_location"]) }
        refusal(.invalidArgument, field: "last_location.location_sensor") {
            try world.updateVan(["last_location"]) {
                $0.lastLocation = .at(World.centre)
                $0.lastLocation?.locationSensor = .fleetEngineLocation
            }
        }
        refusal(.notFound) { try world.updateVan(["type"], of: "other") }
    }

    @Test("settings are replaced if the mask names them")
    func settings() throws {
        var world = try World.delivering()
        let van = try world.updateVan(["type", "attributes", "navigationStatus"]) {
            $0.type = .twoWheeler
            $0.attributes = [DeliveryAttribute(key: "zone", text: "north")]
            $0.navigationStatus = .offRoute
        }
        #expect(van.type == .twoWheeler && van.attributes.count == 1 && van.navigationStatus == .offRoute)
        #expect(van.lastLocation?.location.coordinate == World.centre)
        let cleared = try world.updateVan(["attributes", "type"])
        #expect(cleared.attributes.isEmpty && cleared.type == .auto)
    }

    @Test("old positions, and positions that the vehicle cannot have reached, do not move it")
    func positions() throws {
        var world = try World.delivering()
        try world.updateVan(["last_location", "past_locations"]) {
            $0.lastLocation = .at(World.place(east: 50))
            $0.pastLocations = [.at(World.place(east: 10)), .at(World.place(east: 20))]
        }
        #expect(try world.van().lastLocation?.location.coordinate == World.place(east: 50))
        func report(_ place: Coordinate) -> WireVehicleLocation {
            WireVehicleLocation.with {
                $0.rawLocation = WireLatLng(place)
                $0.rawLocationTime = .init(moment: world.now)
            }
        }
        let near = report(World.place(east: 60)), far = report(World.place(east: 600_000))
        try world.updateVan(["last_location"]) { $0.lastLocation = near }
        try world.updateVan(["last_location"]) { $0.lastLocation = far }
        #expect(try world.van().lastLocation?.rawLocation.coordinate == World.place(east: 60))
        #expect(world.engine.discardedJumps == 1)
    }

    @Test("the remaining duration counts down to 0, and the distance stays as sent")
    func remaining() throws {
        var world = try World.delivering()
        let paths = ["current_route_segment", "current_route_segment_end_point", "remaining_distance_meters", "remaining_duration"]
        try world.updateVan(paths) {
            $0.currentRouteSegment = Self.way
            $0.currentRouteSegmentEndPoint = World.place(east: 1_000)
            $0.remainingDistanceMeters = 990
            $0.remainingDurationSeconds = 100
        }
        world.wait(30)
        var van = try world.van()
        #expect(van.currentRouteSegment == Self.way && van.currentRouteSegmentEndPoint == World.place(east: 1_000))
        #expect(van.remainingDistanceMeters == 990 && van.remainingDurationSeconds == 70)
        // This later report has no route.
        try world.updateVan(["remaining_distance_meters", "remaining_duration"]) {
            $0.remainingDistanceMeters = 700
            $0.remainingDurationSeconds = 65
        }
        world.wait(66)
        van = try world.van()
        #expect(van.remainingDistanceMeters == 700 && van.remainingDurationSeconds == 0)
    }

    @Test("figures without a route are ignored, and an invalid route or figure is refused")
    func figures() throws {
        var world = try World.delivering()
        let van = try world.updateVan(["current_route_segment", "remaining_distance_meters", "remaining_duration"]) {
            $0.remainingDistanceMeters = 700
            $0.remainingDurationSeconds = 65
        }
        #expect(van.remainingDistanceMeters == nil && van.remainingDurationSeconds == nil)
        refusal(.invalidArgument, field: "delivery_vehicle.current_route_segment") {
            try world.updateVan(["current_route_segment"]) { $0.currentRouteSegment = "\u{7}" }
        }
        refusal(.invalidArgument, field: "delivery_vehicle.remaining_distance_meters") {
            try world.updateVan(["remaining_distance_meters"]) { $0.remainingDistanceMeters = -1 }
        }
        refusal(.invalidArgument, field: "delivery_vehicle.remaining_duration") {
            try world.updateVan(["remaining_duration"]) { $0.remainingDurationSeconds = -1 }
        }
    }

    @Test("the number of points is limited, for a route and for all routes together")
    func routeLimits() throws {
        var limits = EngineLimits()
        limits.pointsPerRoute = 3
        limits.routePoints = 4
        var world = try World.delivering(limits: limits)
        try world.createVan("second")
        let (three, four) = (
            EncodedPolyline.encode((0..<3).map { World.place(east: Double($0) * 10) }),
            EncodedPolyline.encode((0..<4).map { World.place(east: Double($0) * 10) })
        )
        refusal(.invalidArgument, field: "delivery_vehicle.current_route_segment") {
            try world.updateVan(["current_route_segment"]) { $0.currentRouteSegment = four }
        }
        try world.updateVan(["current_route_segment"]) { $0.currentRouteSegment = three }
        refusal(.resourceExhausted) { try world.updateVan(["current_route_segment"], of: "second") { $0.currentRouteSegment = three } }
        try world.updateVan(["current_route_segment"])
        try world.updateVan(["current_route_segment"], of: "second") { $0.currentRouteSegment = three }
    }

    @Test("a vehicle can be deleted when it has no open tasks")
    func deletion() throws {
        var world = try World.delivering(tasks: ["t1"])
        try world.setStops([.at(0, ["t1"])])
        refusal(.failedPrecondition) { try world.deleteVan() }
        try world.setStops([])
        try world.deleteVan()
        refusal(.notFound) { try world.deleteVan() }
        #expect(try world.task("t1").task.vehicleID == "van")
    }

    @Test("an engine that gets all the changes has the same state, and changes can be undone")
    func changes() throws {
        var world = try World.delivering(tasks: ["t1", "t2", "t3"])
        try world.setStops([.at(0, ["t1"], .enroute), .at(1, ["t2"])])
        try world.drive(to: World.place(east: 300))
        let before = world.engine
        world.engine.recordsChanges = true
        try world.setStops([.at(1, ["t2", "t3"])])
        try world.createTask("t4")
        let undoing = world.engine.changed.undoing
        #expect(world.copy.deliveries == world.engine.deliveries)
        for change in undoing { world.engine.apply(change) }
        #expect(world.engine.deliveries == before.deliveries)
        try world.updateTask("t3", ["state"]) { $0.state = .closed }
        try world.deleteTask("t3")
        #expect(world.engine.deliveries != before.deliveries)
    }
}
