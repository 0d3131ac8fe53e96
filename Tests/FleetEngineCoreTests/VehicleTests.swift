import EngineWorld
import FleetEngine
import FleetEngineAPI
import FleetEngineWire
import FoundationEssentials
import Geo
import SwiftProtobuf
import Testing

@testable import FleetEngineCore

@Suite("Vehicles")
struct VehicleTests {
    @Test("a vehicle is created with its settings; values that follow from its trips are ignored")
    func creation() throws {
        var world = World()
        let vehicle = try world.createVehicle("car") {
            $0.vehicle.name = "x"
            $0.vehicle.currentTrips = ["t9"]
            $0.vehicle.waypoints = [.of("t9", .pickupWaypointType)]
            $0.vehicle.remainingDistanceMeters = Google_Protobuf_Int32Value(5)
            $0.vehicle.currentRouteSegment = RouteTests.detour
            $0.vehicle.backToBackEnabled = true
            $0.vehicle.licensePlate.countryCode = "XX"
            $0.vehicle.licensePlate.lastCharacter = "7"
        }
        #expect(vehicle.name == "providers/plain/vehicles/car")
        #expect(vehicle.vehicleState == .online && vehicle.maximumCapacity == 4 && vehicle.backToBackEnabled)
        #expect(vehicle.licensePlate.lastCharacter == "7")
        #expect(vehicle.lastLocation.serverTime == Google_Protobuf_Timestamp(moment: world.now))
        #expect(vehicle.currentTrips.isEmpty && vehicle.waypoints.isEmpty && vehicle.currentRouteSegment.isEmpty)
        #expect(!vehicle.hasRemainingDistanceMeters && !vehicle.hasEtaToFirstWaypoint && !vehicle.hasWaypointsVersion)
        refusal(.alreadyExists) { try world.createVehicle("car") }
        #expect(try world.getVehicle("car") == vehicle)
    }

    @Test(
        "invalid requests to CreateVehicle are refused",
        arguments: [
            .init("parent") { $0.parent = "plain" }, .init("vehicle_id") { $0.vehicleID = "" }, .init("vehicle") { $0.clearVehicle() },
            .init("vehicle.vehicle_type") { $0.vehicle.clearVehicleType() },
            .init("vehicle.vehicle_type") { $0.vehicle.vehicleType.category = .unknown },
            .init("vehicle.maximum_capacity") { $0.vehicle.maximumCapacity = -1 },
            .init("vehicle.maximum_capacity") { $0.vehicle.maximumCapacity = 0 },
            .init("vehicle.vehicle_state") { $0.vehicle.vehicleState = .unknownVehicleState },
            .init("vehicle.supported_trip_types") { $0.vehicle.supportedTripTypes = [] },
            .init("vehicle.license_plate.country_code") { $0.vehicle.licensePlate.lastCharacter = "7" },
            .init("vehicle.vehicle_state") { $0.vehicle.vehicleState = .UNRECOGNIZED(3) },
            .init("vehicle.supported_trip_types") { $0.vehicle.supportedTripTypes = [.exclusive, .unknownTripType] },
            .init("vehicle.supported_trip_types") { $0.vehicle.supportedTripTypes = Array(repeating: .shared, count: 100_000) },
            .init("last_location.location.latitude") { $0.vehicle.lastLocation.location.latitude = .nan },
            .init("vehicle") { $0.vehicle.licensePlate.lastCharacter = String(repeating: "7", count: 100_000) },
        ] as [Fault<WireCreateVehicleRequest>])
    func refused(fault: Fault<WireCreateVehicleRequest>) {
        var world = World()
        refusal(.invalidArgument, field: fault.field) { try world.createVehicle("car", fault.change) }
        #expect(world.engine.vehicleCount == 0)
    }

    @Test("every setting that can be updated gets its new value")
    func settings() throws {
        var world = World()
        try world.createVehicle("car")
        let vehicle = try world.updateVehicle(
            "car",
            [
                "supported_trip_types", "maximum_capacity", "vehicle_type", "license_plate", "back_to_back_enabled", "navigation_status",
                "device_settings", "past_locations", "route",
            ]
        ) {
            $0.supportedTripTypes = [.shared]
            $0.maximumCapacity = 7
            $0.vehicleType.category = .twoWheeler
            $0.licensePlate.countryCode = "XX"
            $0.licensePlate.lastCharacter = "Z"
            $0.backToBackEnabled = true
            $0.navigationStatus = .offRoute
            $0.deviceSettings.isInteractive = true
            $0.pastLocations = [.at(World.pickup)]
            $0.route = [.at(World.pickup)]
        }
        #expect(vehicle.supportedTripTypes == [.shared] && vehicle.maximumCapacity == 7 && vehicle.vehicleType.category == .twoWheeler)
        #expect(vehicle.licensePlate.lastCharacter == "Z" && vehicle.backToBackEnabled && vehicle.navigationStatus == .offRoute)
        #expect(vehicle.route.count == 1)
        #expect(!vehicle.hasDeviceSettings && vehicle.pastLocations.isEmpty)
        #expect(try !world.updateVehicle("car", ["license_plate"]).hasLicensePlate)
    }

    @Test("no update removes a value that CreateVehicle requires")
    func requiredSettings() throws {
        var world = World()
        let car = try world.createVehicle("car")
        refusal(.invalidArgument, field: "vehicle.maximum_capacity") { try world.updateVehicle("car", ["maximum_capacity"]) }
        refusal(.invalidArgument, field: "vehicle.supported_trip_types") { try world.updateVehicle("car", ["supported_trip_types"]) }
        refusal(.invalidArgument, field: "vehicle.vehicle_state") { try world.updateVehicle("car", ["vehicle_state"]) }
        refusal(.invalidArgument, field: "vehicle.license_plate.country_code") {
            try world.updateVehicle("car", ["license_plate"]) { $0.licensePlate.lastCharacter = "7" }
        }
        #expect(try world.getVehicle("car") == car)
    }

    @Test("an unknown vehicle is NOT_FOUND in every call")
    func unknown() {
        var world = World()
        refusal(.notFound) { _ = try world.getVehicle("car") }
        refusal(.notFound) { try world.move("car", to: World.centre) }
        refusal(.notFound) { try world.deleteVehicle("car") }
        var request = WireUpdateVehicleAttributesRequest()
        request.name = "providers/plain/vehicles/car"
        request.attributes = [.text("a", "b")]
        refusal(.notFound) { _ = try world.engine.updateVehicleAttributes(request, now: world.now) }
    }

    // MARK: Attributes

    @Test("a mask replaces the attributes, UpdateVehicleAttributes merges them; both value and string_value are set")
    func attributes() throws {
        var world = World()
        try world.createVehicle("car") { $0.vehicle.attributes = [.text("a", "1"), .text("b", "2")] }
        var old = WireVehicleAttribute()
        old.key = "b"
        old.value = "3"
        var number = WireVehicleAttribute()
        number.key = "n"
        number.numberValue = 4
        var request = WireUpdateVehicleAttributesRequest()
        request.name = "providers/plain/vehicles/car"
        request.attributes = [number, old]
        let merged = try world.change { try $0.updateVehicleAttributes(request, now: $1) }.attributes
        #expect(merged.map(\.key) == ["a", "b", "n"])
        #expect(merged[1].value == "3" && merged[1].stringValue == "3")
        #expect(merged[0].value == "1" && merged[2].numberValue == 4)
        #expect(try world.getVehicle("car").attributes == merged)
        let replaced = try world.updateVehicle("car", ["attributes"]) { $0.attributes = [.text("c", "5")] }
        #expect(replaced.attributes.map(\.key) == ["c"])
    }

    @Test("invalid attributes are INVALID_ARGUMENT and change nothing")
    func badAttributes() throws {
        var world = World()
        try world.createVehicle("car") { $0.vehicle.attributes = (0..<99).map { .text("k\($0)", "v") } }
        var twoValues = WireVehicleAttribute.text("k", "1")
        twoValues.value = "2"
        var number = WireVehicleAttribute()
        number.key = "n"
        number.numberValue = .nan
        for bad in [
            [], [.text("", "x")], [.text("a:b", "x")], [.text("a", "x"), .text("a", "y")], [twoValues], [number],
            [.text("k", String(repeating: "v", count: 255))], [.text("new1", ""), .text("new2", "")],
            [.text(String(repeating: "k", count: 1_000_000), "")],
        ] as [[WireVehicleAttribute]] {
            var request = WireUpdateVehicleAttributesRequest()
            request.name = "providers/plain/vehicles/car"
            request.attributes = bad
            refusal(.invalidArgument, field: "attributes") { _ = try world.engine.updateVehicleAttributes(request, now: world.now) }
        }
        #expect(try world.getVehicle("car").attributes.count == 99)
        #expect(
            try world.updateVehicle("car", ["attributes"]) { $0.attributes = [.text("k", String(repeating: "é", count: 254))] }.attributes
                .count == 1)
    }

    // MARK: Positions

    @Test("the server adds its time and the default sensors")
    func locationDefaults() throws {
        var world = World()
        try world.createVehicle("car")
        world.wait(3)
        let location = try world.updateVehicle("car", ["last_location"]) {
            $0.lastLocation.rawLocation = WireLatLng(World.pickup)
            $0.lastLocation.supplementalLocation = WireLatLng(World.dropoff)
            $0.lastLocation.serverTime = Google_Protobuf_Timestamp(moment: World.start.addingTimeInterval(-99))
            $0.lastLocation.isGpsSensorEnabled = Google_Protobuf_BoolValue(true)
            $0.lastLocation.timeSinceUpdate = Google_Protobuf_Int32Value(4)
        }.lastLocation
        #expect(location.serverTime == Google_Protobuf_Timestamp(moment: world.now))
        #expect(location.rawLocationSensor == .gps && location.supplementalLocationSensor == .customerSuppliedLocation)
        #expect(location.location == location.rawLocation && location.locationSensor == .gps)
        #expect(!location.hasIsGpsSensorEnabled && !location.hasTimeSinceUpdate)
    }

    @Test("a supplemental position that is sent alone becomes the vehicle's position")
    func supplementalOnly() throws {
        var world = try World.assigned()
        let fix = Google_Protobuf_Timestamp(moment: World.start.addingTimeInterval(-5))
        try world.updateVehicle("car", ["last_location"]) {
            $0.lastLocation.supplementalLocation = WireLatLng(World.place(east: 300))
            $0.lastLocation.supplementalLocationTime = fix
        }
        let location = try world.getTrip("t1").lastLocation
        #expect(location.location.coordinate == World.place(east: 300))
        #expect(location.locationSensor == .customerSuppliedLocation && location.updateTime == fix)
        #expect(abs(Double(try world.getTrip("t1").remainingDistanceMeters.value) - 700) <= 1)
    }

    @Test("a consumer sees only the best position and the time of its fix")
    func consumerView() throws {
        var world = try World.assigned()
        world.wait(10)
        let fix = Google_Protobuf_Timestamp(moment: World.start.addingTimeInterval(9))
        try world.updateVehicle("car", ["last_location"]) {
            $0.lastLocation = .at(World.centre)
            $0.lastLocation.rawLocation = WireLatLng(World.pickup)
            $0.lastLocation.rawLocationTime = fix
            $0.lastLocation.rawLocationAccuracy = Google_Protobuf_DoubleValue(4)
            $0.lastLocation.isRoadSnapped = Google_Protobuf_BoolValue(true)
            $0.lastLocation.heading = Google_Protobuf_Int32Value(359)
            $0.lastLocation.speed = Google_Protobuf_DoubleValue(-0.016)
        }
        let location = try world.getTrip("t1").lastLocation
        #expect(location.location.coordinate == World.centre && location.heading.value == 359 && location.speed.value == -0.016)
        #expect(!location.hasRawLocation && !location.hasRawLocationAccuracy && !location.hasIsRoadSnapped)
        #expect(location.rawLocationSensor == .unknownSensor && location.rawLocationTime == fix)
        #expect(try world.getVehicle("car").lastLocation.hasRawLocation)
    }

    @Test(
        "impossible positions are refused",
        arguments: [
            .init("last_location") { $0.clearLocation() },
            .init("last_location.location.latitude") { $0.location.latitude = -90.01 },
            .init("last_location.location.longitude") { $0.location.longitude = 181 },
            .init("last_location.location.longitude") { $0.location.longitude = .nan },
            .init("last_location.raw_location.latitude") { $0.rawLocation.latitude = .infinity },
            .init("last_location.supplemental_location.latitude") { $0.supplementalLocation.latitude = .nan },
            .init("last_location.flp_location.latitude") { $0.flpLocation.latitude = 1e300 },
            .init("last_location.heading") { $0.heading = Google_Protobuf_Int32Value(360) },
            .init("last_location.heading") { $0.heading = Google_Protobuf_Int32Value(-1) },
            .init("last_location.speed") { $0.speed = Google_Protobuf_DoubleValue(.nan) },
            .init("last_location.latlng_accuracy") { $0.latlngAccuracy = Google_Protobuf_DoubleValue(.infinity) },
            .init("last_location.update_time") { $0.updateTime.seconds = .max },
            .init("last_location.raw_location_time") { $0.rawLocationTime.nanos = -1 },
            .init("last_location.location_sensor") { $0.locationSensor = .fleetEngineLocation },
            .init("last_location.raw_location_sensor") { $0.rawLocationSensor = .fleetEngineLocation },
            .init("last_location.supplemental_location_sensor") { $0.supplementalLocationSensor = .fleetEngineLocation },
            .init("last_location") { $0.unknownFields = .large },
        ] as [Fault<WireVehicleLocation>])
    func badLocations(fault: Fault<WireVehicleLocation>) throws {
        var world = World()
        try world.createVehicle("car")
        let before = try world.getVehicle("car")
        refusal(.invalidArgument, field: fault.field) {
            try world.updateVehicle("car", ["last_location"]) {
                $0.lastLocation = .at(World.pickup)
                fault.change(&$0.lastLocation)
            }
        }
        #expect(try world.getVehicle("car") == before)
    }
}

extension UnknownStorage {
    /// An unknown field, number 99, with 100,000 bytes.
    static var large: UnknownStorage {
        let bytes: [UInt8] = [0x9A, 0x06, 0xA0, 0x8D, 0x06] + [UInt8](repeating: 0x20, count: 100_000)
        return (try? WireLatLng(serializedBytes: bytes))?.unknownFields ?? UnknownStorage()
    }
}
