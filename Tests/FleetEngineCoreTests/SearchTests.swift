import EngineWorld
import FleetEngine
import FleetEngineAPI
import FleetEngineWire
import FoundationEssentials
import Geo
import SwiftProtobuf
import Testing

@testable import FleetEngineCore

@Suite("Searches and lists")
struct SearchTests {
    // MARK: SearchTrips

    private func searchTrips(_ world: World, _ change: (inout WireSearchTripsRequest) -> Void = { _ in }) throws -> WireSearchTripsResponse
    {
        var request = WireSearchTripsRequest()
        request.parent = World.provider
        change(&request)
        return try world.engine.searchTrips(request, now: world.now)
    }

    private func ids(_ response: WireSearchTripsResponse) -> [String] {
        response.trips.map { String($0.name.split(separator: "/").last ?? "") }
    }

    @Test("trips can be listed by vehicle, activity and staleness, oldest first")
    func trips() throws {
        var world = try World.assigned()
        world.wait(100)
        try world.createTrip("t2") { $0.trip.vehicleID = "car" }
        try world.createTrip("t0")
        try world.createTrip("x") { $0.parent = "providers/other" }
        try world.createTrip("done")
        try world.setStatus("done", .complete)
        #expect(ids(try searchTrips(world)) == ["t1", "t2", "t0", "done"])
        #expect(ids(try searchTrips(world) { $0.activeTripsOnly = true }) == ["t1", "t2", "t0"])
        #expect(ids(try searchTrips(world) { $0.vehicleID = "car" }) == ["t1", "t2"])
        #expect(ids(try searchTrips(world) { $0.minimumStaleness.seconds = 100 }) == ["t1"])
        #expect(ids(try searchTrips(world) { $0.minimumStaleness.seconds = 101 }).isEmpty)
        #expect(ids(try searchTrips(world) { $0.vehicleID = "nobody" }).isEmpty)
        refusal(.invalidArgument, field: "minimum_staleness") { _ = try searchTrips(world) { $0.minimumStaleness.seconds = -1 } }
        refusal(.invalidArgument, field: "parent") { _ = try searchTrips(world) { $0.parent = "plain" } }
    }

    @Test("without a vehicle id the answer has no route, waypoints, distance or ETA")
    func lean() throws {
        let world = try World.assigned()
        let lean = try #require(try searchTrips(world).trips.first)
        #expect(lean.route.isEmpty && lean.currentRouteSegment.isEmpty && lean.remainingWaypoints.isEmpty)
        #expect(!lean.hasRemainingDistanceMeters && !lean.hasEtaToFirstWaypoint && !lean.hasRemainingTimeToFirstWaypoint)
        #expect(lean.vehicleID == "car" && lean.hasLastLocation)
        let full = try #require(try searchTrips(world) { $0.vehicleID = "car" }.trips.first)
        #expect(!full.route.isEmpty && full.remainingWaypoints.count == 2 && full.hasRemainingDistanceMeters)
    }

    @Test("pages: nothing twice, nothing missed, also when trips come and go between them")
    func pages() throws {
        var world = World()
        for index in 0..<25 { try world.createTrip("t\(index)") }
        var found: [String] = []
        var token = ""
        repeat {
            let page = try searchTrips(world) {
                $0.pageSize = 10
                $0.pageToken = token
            }
            found += ids(page)
            token = page.nextPageToken
            if found.count == 10 { try world.deleteTrip("t9") }
        } while !token.isEmpty
        #expect(found == (0..<25).map { "t\($0)" })
        #expect(try searchTrips(world) { $0.pageSize = 24 }.nextPageToken.isEmpty)
        for bad in ["x", "after-", "after--1", "after-99999999999999999999999"] {
            refusal(.invalidArgument, field: "page_token") { _ = try searchTrips(world) { $0.pageToken = bad } }
        }
        refusal(.invalidArgument, field: "page_size") { _ = try searchTrips(world) { $0.pageSize = -1 } }
    }

    // MARK: ListVehicles

    private func list(_ world: World, _ change: (inout WireListVehiclesRequest) -> Void = { _ in }) throws -> [String] {
        var request = WireListVehiclesRequest()
        request.parent = World.provider
        request.vehicleTypeCategories = [.auto, .taxi]
        change(&request)
        let response = try world.engine.listVehicles(request, now: world.now)
        if response.nextPageToken.isEmpty, request.pageToken.isEmpty { #expect(response.totalSize == Int64(response.vehicles.count)) }
        return response.vehicles.map { String($0.name.split(separator: "/").last ?? "") }
    }

    private static func fleet() throws -> World {
        var world = try World.assigned()
        try world.createVehicle("taxi") {
            $0.vehicle.vehicleType.category = .taxi
            $0.vehicle.maximumCapacity = 6
            $0.vehicle.attributes = [.text("class", "van"), .text("pets", "true"), .text("floor", "3")]
            $0.vehicle.lastLocation = .at(World.place(east: 900))
        }
        try world.createVehicle("bike") { $0.vehicle.vehicleType.category = .bicycle }
        try world.createVehicle("off") {
            $0.vehicle.vehicleState = .offline
            $0.vehicle.supportedTripTypes = [.exclusive]
            $0.vehicle.attributes = [.text("class", "mini")]
            $0.vehicle.clearLastLocation()
        }
        return world
    }

    @Test("each filter of ListVehicles has its effect")
    func listFilters() throws {
        var world = try Self.fleet()
        #expect(try list(world) == ["car", "taxi", "off"])
        #expect(try list(world) { $0.vehicleTypeCategories = [.bicycle] } == ["bike"])
        #expect(try list(world) { $0.minimumCapacity = Google_Protobuf_Int32Value(5) } == ["taxi"])
        #expect(try list(world) { $0.tripTypes = [.shared] } == ["car", "taxi"])
        #expect(try list(world) { $0.vehicleState = .offline } == ["off"])
        #expect(try list(world) { $0.onTripOnly = true } == ["car"])
        #expect(try list(world) { $0.requiredAttributes = ["class:van", "pets:true"] } == ["taxi"])
        #expect(try list(world) { $0.requiredOneOfAttributes = ["class:van|class:mini"] } == ["taxi", "off"])
        #expect(try list(world) { $0.requiredOneOfAttributes = ["class:van|class:mini", "pets:true"] } == ["taxi"])
        #expect(try list(world) { $0.requiredOneOfAttributeSets = ["class:mini|pets:true", "class:mini"] } == ["off"])
        #expect(try list(world) { $0.filter = "attributes.class = van OR attributes.class = \"mini\"" } == ["taxi", "off"])
        #expect(
            try list(world) {
                $0.viewport.low = WireLatLng(World.place(east: 500, north: -100))
                $0.viewport.high = WireLatLng(World.place(east: 1_000, north: 100))
            } == ["taxi"])
        world.wait(60)
        try world.move("taxi", to: World.centre)
        #expect(try list(world) { $0.maximumStaleness.seconds = 30 } == ["taxi"])
        #expect(try list(world) { $0.pageSize = 1 } == ["car"])
    }

    @Test(
        "invalid requests to ListVehicles are refused",
        arguments: [
            .init("vehicle_type_categories") { $0.vehicleTypeCategories = [] },
            .init("vehicle_type_categories") { $0.vehicleTypeCategories = [.auto, .unknown] },
            .init("minimum_capacity") { $0.minimumCapacity = Google_Protobuf_Int32Value(-1) },
            .init("maximum_staleness") { $0.maximumStaleness.seconds = -1 },
            .init("maximum_staleness") { $0.maximumStaleness.seconds = 0 },
            .init("required_attributes") { $0.requiredAttributes = ["novalue"] },
            .init("required_attributes") { $0.requiredAttributes = (0...50).map { "k\($0):v" } },
            .init("required_one_of_attributes") { $0.requiredOneOfAttributes = ["a:b|c"] },
            .init("filter") { $0.filter = "colour" },
            .init("filter") {
                $0.filter = "attributes.a = b"
                $0.requiredAttributes = ["a:b"]
            },
            .init("viewport.low.latitude") { $0.viewport.low.latitude = .nan },
            .init("viewport.high") { $0.viewport.low.latitude = 1 },
            .init("viewport.low") { $0.viewport.high.latitude = 1 },
            .init("viewport") {
                $0.viewport.low.latitude = 1
                $0.viewport.high.latitude = 0
            },
        ] as [Fault<WireListVehiclesRequest>])
    func listRefusals(fault: Fault<WireListVehiclesRequest>) throws {
        let world = try Self.fleet()
        refusal(.invalidArgument, field: fault.field) { _ = try list(world, fault.change) }
    }

    @Test("a viewport can cross the antimeridian")
    func antimeridian() throws {
        var world = World()
        for (id, longitude) in [("east", 179.9), ("west", -179.9), ("far", 0)] {
            try world.createVehicle(id) { $0.vehicle.lastLocation = .at(Coordinate(latitude: 10, longitude: longitude)) }
        }
        let found = try list(world) {
            $0.viewport.low = WireLatLng(Coordinate(latitude: 9, longitude: 179))
            $0.viewport.high = WireLatLng(Coordinate(latitude: 11, longitude: -179))
        }
        #expect(found == ["east", "west"])
    }

    // MARK: SearchVehicles

    private func search(_ world: World, _ change: (inout WireSearchVehiclesRequest) -> Void = { _ in }) throws -> [WireVehicleMatch] {
        var request = WireSearchVehiclesRequest()
        request.parent = World.provider
        request.pickupPoint = .at(World.pickup)
        request.pickupRadiusMeters = 2_000
        request.count = 10
        request.minimumCapacity = 1
        request.tripTypes = [.exclusive]
        request.orderBy = .pickupPointEta
        var type = WireVehicle.VehicleType()
        type.category = .auto
        request.vehicleTypes = [type]
        type.category = .taxi
        request.vehicleTypes.append(type)
        change(&request)
        return try world.engine.searchVehicles(request, now: world.now).matches
    }

    private func ids(_ matches: [WireVehicleMatch]) -> [String] { matches.map { String($0.vehicle.name.split(separator: "/").last ?? "") } }

    @Test("online vehicles without a trip, nearest first, with distances and times")
    func nearest() throws {
        var world = try Self.fleet()
        try world.createVehicle("free")
        let matches = try search(world) { $0.dropoffPoint = .at(World.dropoff) }
        #expect(ids(matches) == ["taxi", "free"])
        let taxi = try #require(matches.first)
        #expect(taxi.vehiclePickupStraightLineDistanceMeters.value == 100 && taxi.vehiclePickupDistanceMeters.value == 100)
        #expect(abs(taxi.vehiclePickupEta.moment.timeIntervalSince(world.now) - 10) < 0.1)
        #expect(abs(taxi.vehicleDropoffEta.moment.timeIntervalSince(world.now) - 310) < 0.2)
        #expect(taxi.vehiclePickupToDropoffDistanceMeters.value == 3_000)
        #expect(taxi.vehicleMatchType == .exclusive && taxi.tripType == .exclusive && taxi.orderedBy == .pickupPointEta)
        #expect(ids(try search(world) { $0.count = 1 }) == ["taxi"])
        #expect(ids(try search(world) { $0.pickupRadiusMeters = 400 }) == ["taxi"])
        #expect(ids(try search(world) { $0.minimumCapacity = 5 }) == ["taxi"])
        #expect(ids(try search(world) { $0.requiredAttributes = [.text("class", "van")] }) == ["taxi"])
        #expect(ids(try search(world) { $0.filter = "NOT attributes.class = van" }) == ["free"])
        #expect(try search(world) { $0.requiredAttributes = (1...50).map { _ in .text("class", "van") } }.count == 1)
        let cheap = try search(world) { $0.orderBy = .cost }
        #expect(ids(cheap) == ["taxi", "free"] && cheap.allSatisfy { $0.orderedBy == .cost && $0.requestedOrderedBy == .cost })
        // The ETA is for the drive from the vehicle's position to the pickup.
        #expect(taxi.vehicleTripsWaypoints.map(\.latLng.coordinate) == [World.place(east: 900), World.pickup])
        #expect(taxi.vehicleTripsWaypoints.last?.eta == taxi.vehiclePickupEta)
        world.wait(301)
        try world.move("free", to: World.pickup)
        #expect(ids(try search(world)) == ["free"])
        #expect(ids(try search(world) { $0.maximumStaleness.seconds = 1_000 }) == ["free", "taxi"])
    }

    @Test("back-to-back vehicles are found only on request, on their way to the drop-off, if their driver accepts such trips")
    func backToBack() throws {
        var world = try World.assigned()
        func found(_ include: Bool) throws -> [WireVehicleMatch] { try search(world) { $0.includeBackToBack = include } }
        #expect(try found(true).isEmpty)
        try world.updateVehicle("car", ["back_to_back_enabled"]) { $0.backToBackEnabled = true }
        #expect(try found(true).isEmpty)
        try world.setStatus("t1", .enrouteToDropoff)
        #expect(try found(false).isEmpty)
        let match = try #require(try found(true).first)
        #expect(match.vehicleMatchType == .backToBack)
        #expect(match.vehicleTripsWaypoints.map(\.latLng.coordinate) == [World.centre, World.dropoff, World.pickup])
        // The vehicle drives 4 km to the drop-off, and then 3 km back to the pickup.
        #expect(abs(Double(match.vehiclePickupDistanceMeters.value) - 7_000) <= 2)
        #expect(abs(match.vehiclePickupEta.moment.timeIntervalSince(world.now) - 700) < 0.5)
        #expect(try search(world) { $0.currentTripsPresent = .none }.isEmpty)
        #expect(try search(world) { $0.currentTripsPresent = .any }.count == 1)
    }

    @Test("for shared rides, taken seats are counted, and the stops are in the order of their times")
    func pool() throws {
        var world = World()
        try world.createVehicle("car")
        try world.createTrip("a") {
            $0.trip.tripType = .shared
            $0.trip.numberOfPassengers = 3
            $0.trip.vehicleID = "car"
        }
        func found(_ seats: Int32) throws -> [WireVehicleMatch.VehicleMatchType] {
            try search(world) {
                $0.tripTypes = [.shared]
                $0.dropoffPoint = .at(World.dropoff)
                $0.currentTripsPresent = .any
                $0.minimumCapacity = seats
            }.map(\.vehicleMatchType)
        }
        #expect(try found(1) == [.carpool])
        #expect(try found(2).isEmpty)
        let near = World.place(east: 500)
        let match = try search(world) {
            $0.tripTypes = [.shared]
            $0.pickupPoint = .at(near)
            $0.dropoffPoint = .at(World.dropoff)
            $0.currentTripsPresent = .any
        }.first
        let ahead = try #require(match?.vehicleTripsWaypoints)
        #expect(ahead.map(\.latLng.coordinate) == [World.centre, near, World.pickup, World.dropoff])
        #expect(zip(ahead, ahead.dropFirst()).allSatisfy { $0.eta.moment < $1.eta.moment })
    }

    @Test(
        "invalid requests to SearchVehicles are refused",
        arguments: [
            .init("pickup_point") { $0.clearPickupPoint() }, .init("pickup_radius_meters") { $0.pickupRadiusMeters = 399 },
            .init("pickup_radius_meters") { $0.pickupRadiusMeters = 10_001 }, .init("count") { $0.count = 0 },
            .init("count") { $0.count = 51 }, .init("minimum_capacity") { $0.minimumCapacity = 0 },
            .init("trip_types") { $0.tripTypes = [] }, .init("trip_types") { $0.tripTypes = [.shared, .exclusive] },
            .init("vehicle_types") { $0.vehicleTypes = [] }, .init("vehicle_types") { $0.vehicleTypes.append(WireVehicle.VehicleType()) },
            .init("order_by") { $0.orderBy = .unknownVehicleMatchOrder }, .init("order_by") { $0.orderBy = .UNRECOGNIZED(99) },
            .init("dropoff_point") { $0.orderBy = .dropoffPointEta },
            .init("dropoff_point") { $0.tripTypes = [.shared] },
            .init("include_back_to_back") {
                $0.includeBackToBack = true
                $0.currentTripsPresent = .none
            },
            .init("include_back_to_back") {
                $0.includeBackToBack = true
                $0.currentTripsPresent = .any
            },
            .init("required_attributes") { $0.requiredAttributes = (0...50).map { .text("k\($0)", "v") } },
            .init("current_trips_present") {
                $0.tripTypes = [.shared]
                $0.dropoffPoint = .at(World.dropoff)
            },
            .init("filter") {
                $0.filter = "attributes.a = b"
                $0.requiredAttributes = [.text("a", "b")]
            },
            .init("pickup_point.point.latitude") { $0.pickupPoint.point.latitude = .nan },
        ] as [Fault<WireSearchVehiclesRequest>])
    func searchRefusals(fault: Fault<WireSearchVehiclesRequest>) throws {
        let world = try Self.fleet()
        refusal(.invalidArgument, field: fault.field) { _ = try search(world, fault.change) }
    }

    // MARK: ReportBillableTrip

    @Test("a billable trip is checked, and the answer is empty")
    func billable() throws {
        let world = World()
        func report(_ change: (inout WireReportBillableTripRequest) -> Void) throws {
            var request = WireReportBillableTripRequest()
            request.name = "providers/plain/billableTrips/b1"
            request.countryCode = "xx"
            change(&request)
            try world.engine.reportBillableTrip(request)
        }
        try report { $0.relatedIds = (0..<50).map { "\($0)" } }
        refusal(.invalidArgument, field: "name") { try report { $0.name = "providers/plain/trips/b1" } }
        refusal(.invalidArgument, field: "name") { try report { $0.name = "providers/plain/billableTrips/a:b" } }
        refusal(.invalidArgument, field: "country_code") { try report { $0.countryCode = "USA" } }
        refusal(.invalidArgument, field: "country_code") { try report { $0.countryCode = "1!" } }
        refusal(.invalidArgument, field: "related_ids") { try report { $0.relatedIds = (0..<51).map { "\($0)" } } }
    }
}

@Suite("Attribute filters")
struct AttributeFilterTests {
    private static let attributes: [WireVehicleAttribute] = [
        .text("class", "van"), .text("floor", "3"), .text("on shift", "true"), .text("t", "-5"),
    ]

    private static func matches(_ text: String) throws(FleetEngineError) -> Bool? {
        var places = AttributePlaces()
        return try AttributeFilter(text, places: &places)?.matches(places.values(of: attributes))
    }

    @Test(
        "each filter matches or does not match, as expected",
        arguments: [
            ("attributes.class = van", true), ("attributes.class=\"van\"", true), ("attributes.class = 'mini'", false),
            ("attributes.class != mini", true), ("attributes.nothing != mini", false), ("NOT attributes.nothing = x", true),
            ("-attributes.class = van", false), ("attributes.floor >= \"3\" AND attributes.floor < \"4\"", true),
            ("attributes.class = van attributes.floor = \"4\"", false), ("attributes.class:*", true), ("attributes.none:*", false),
            ("attributes.\"on shift\" = \"true\"", true), ("attribute.\"on shift\" != 'true'", false),
            ("attributes.class = x OR attributes.floor = \"3\"", true), ("attributes.t = \"-5\"", true),
            ("attributes.class = van AND (attributes.floor = \"4\" OR attributes.floor = \"3\")", true),
            // OR binds tighter than AND.
            ("attributes.class = x AND attributes.floor = \"3\" OR attributes.class = van", false), ("attributes.class = \"v\\an\"", true),
            // With this many keys, the filter no longer compares them one by one.
            (
                "(attributes.a = x OR attributes.b = x OR attributes.c = x OR attributes.t = '-5') attributes.floor = '3'",
                true
            ),
            ("attributes.a = x OR attributes.b = x OR attributes.c = x OR attributes.d = x OR attributes.e = x", false),
        ])
    func matching(text: String, holds: Bool) throws {
        #expect(try Self.matches(text) == holds)
    }

    @Test("an unquoted number or Boolean is refused, because it would be compared as text", arguments: ["9", "-5", "1e3", "true", "false"])
    func unquoted(value: String) {
        let error = refusal(.invalidArgument, field: "filter") { _ = try Self.matches("attributes.floor > \(value)") }
        #expect(error?.message == "filter: the value \(value) of attributes.floor must be quoted")
    }

    @Test("an empty filter is no filter", arguments: ["", "  \n"])
    func empty(text: String) throws { #expect(try Self.matches(text) == nil) }

    @Test(
        "invalid filters are refused",
        arguments: [
            "class = van", "attributes. = x", "attributes.a", "attributes.a =", "attributes.a = = b", "(attributes.a = b",
            "attributes.a = b)",
            "AND", "attributes.a = b AND", "attributes.a = \"b", "attributes.a ! b", "attributes.a = (b)", "NOT", "-", "()",
            String(repeating: "(", count: 5_000), String(repeating: "a", count: 10_000),
            Array(repeating: "attributes.a = b", count: 51).joined(separator: " AND "), "attributes.a = -\"5\"",
        ])
    func refusals(text: String) {
        refusal(.invalidArgument, field: "filter") { _ = try Self.matches(text) }
    }

    @Test("random texts never trap")
    func fuzz() {
        var random = SeededRandom(seed: 3)
        let words = ["attributes.a", "=", "!=", "<", "(", ")", "AND", "OR", "NOT", "-", "\"", "x", ":", "*", "\\", " ", "!", "é"]
        for _ in 0..<5_000 {
            let text = (0..<random.int(in: 0...12)).compactMap { _ in random.element(of: words) }.joined(
                separator: random.chance(0.5) ? " " : "")
            _ = try? Self.matches(text)
        }
    }
}
