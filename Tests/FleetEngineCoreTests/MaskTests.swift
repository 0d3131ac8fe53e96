import EngineWorld
import FleetEngine
import FleetEngineAPI
import FleetEngineWire
import FoundationEssentials
import Geo
import SwiftProtobuf
import Testing

@testable import FleetEngineCore

@Suite("Update masks")
struct MaskTests {
    @Test("an empty mask is INVALID_ARGUMENT with the message that apps look for, even if the trip or vehicle does not exist")
    func empty() throws {
        var world = try World.assigned()
        for id in ["car", "nobody"] {
            #expect(
                refusal(.invalidArgument, field: "update_mask") { try world.updateVehicle(id, []) }?.message
                    == "update_mask cannot be empty")
        }
        #expect(
            refusal(.invalidArgument, field: "update_mask") { try world.updateTrip("t1", []) }?.message == "update_mask cannot be empty")
    }

    @Test("paths are accepted in snake case and in camel case")
    func cases() throws {
        for field in TripField.allCases.map(\.rawValue) + VehicleField.allCases.map(\.rawValue) {
            let parts = field.split(separator: "_")
            let camel = parts.enumerated().map { $0 == 0 ? String($1) : $1.prefix(1).uppercased() + $1.dropFirst() }.joined()
            #expect(UpdateMask.snakeCase(camel) == field)
            #expect(UpdateMask.snakeCase(field) == field)
        }
        var world = World()
        try world.createVehicle("car")
        let vehicle = try world.updateVehicle("car", ["vehicleState", "lastLocation", "remaining_time_seconds"]) {
            $0.vehicleState = .offline
            $0.lastLocation = .at(World.pickup)
        }
        #expect(vehicle.vehicleState == .offline && vehicle.lastLocation.location.coordinate == World.pickup)
    }

    @Test("only the fields in the mask change")
    func onlyNamed() throws {
        var world = try World.assigned()
        let trip = try world.updateTrip("t1", ["trip_status"]) {
            $0.tripStatus = .enrouteToPickup
            $0.vehicleID = ""
            $0.pickupPoint = .at(World.dropoff)
        }
        #expect(trip.vehicleID == "car" && trip.pickupPoint.point.coordinate == World.pickup)
    }

    @Test("a path that the server maintains changes nothing and is no error")
    func serverMaintained() throws {
        var world = try World.assigned()
        let before = try world.getTrip("t1")
        for path in TripField.serverMaintained {
            try world.updateTrip("t1", [path]) {
                $0.name = "x"
                $0.remainingDistanceMeters = Google_Protobuf_Int32Value(1)
                $0.currentRouteSegment = "x"
            }
        }
        #expect(try world.getTrip("t1") == before)
        let vehicle = try world.getVehicle("car")
        for path in VehicleField.serverMaintained { try world.updateVehicle("car", [path]) { $0.currentTrips = ["x"] } }
        #expect(try world.getVehicle("car") == vehicle)
    }

    @Test(
        "an unknown path is INVALID_ARGUMENT",
        arguments: ["", "*", "nothing", "last_location.location", "Vehicle_ID", "vehicle id", String(repeating: "x", count: 100_000)])
    func unknown(path: String) throws {
        var world = try World.assigned()
        for refused in [
            refusal(
                .invalidArgument, field: "update_mask", { try world.updateTrip("t1", ["trip_status", path]) { $0.tripStatus = .complete } }),
            refusal(.invalidArgument, field: "update_mask", { try world.updateVehicle("car", [path]) }),
        ] { #expect((refused?.message.count ?? 0) < 400) }
        #expect(try world.getTrip("t1").tripStatus == .new)
    }

    @Test("the number of passengers cannot change after creation")
    func passengers() throws {
        var world = try World.assigned()
        refusal(.invalidArgument, field: "trip.number_of_passengers") {
            try world.updateTrip("t1", ["number_of_passengers"]) { $0.numberOfPassengers = 3 }
        }
        try world.updateTrip("t1", ["number_of_passengers"]) { $0.numberOfPassengers = 1 }
    }

    @Test("required values cannot be cleared, and a request without its message is refused")
    func cleared() throws {
        var world = try World.assigned()
        refusal(.invalidArgument, field: "trip.pickup_point") { try world.updateTrip("t1", ["pickup_point"]) }
        refusal(.invalidArgument, field: "vehicle.last_location") { try world.updateVehicle("car", ["last_location"]) }
        refusal(.invalidArgument, field: "vehicle.vehicle_state") { try world.updateVehicle("car", ["vehicle_state"]) }
        refusal(.invalidArgument, field: "vehicle.vehicle_type") { try world.updateVehicle("car", ["vehicle_type"]) }
        var request = WireUpdateTripRequest()
        request.name = "providers/plain/trips/t1"
        request.updateMask.paths = ["vehicle_id"]
        refusal(.invalidArgument, field: "trip") { _ = try world.engine.updateTrip(request, now: world.now) }
    }

    @Test("a refused update changes nothing, not even its valid part")
    func atomic() throws {
        var world = try World.assigned()
        let (trip, vehicle) = (try world.getTrip("t1"), try world.getVehicle("car"))
        refusal(.invalidArgument) {
            try world.updateTrip("t1", ["trip_status", "dropoff_point"]) {
                $0.tripStatus = .enrouteToPickup
                $0.dropoffPoint = .at(Coordinate(latitude: 99, longitude: 0))
            }
        }
        refusal(.notFound) {
            try world.updateTrip("t1", ["trip_status", "vehicle_id"]) {
                $0.tripStatus = .enrouteToPickup
                $0.vehicleID = "nobody"
            }
        }
        refusal(.invalidArgument) {
            try world.updateVehicle("car", ["last_location", "current_route_segment"]) {
                $0.lastLocation = .at(World.pickup)
                $0.currentRouteSegment = "no route"
            }
        }
        #expect(try world.getTrip("t1") == trip)
        #expect(try world.getVehicle("car") == vehicle)
    }
}
