import EngineWorld
import FleetEngine
import FleetEngineAPI
import FleetEngineWire
import FoundationEssentials
import Geo
import SwiftProtobuf
import Testing

@testable import FleetEngineCore

@Suite("Limits")
struct BoundsTests {
    private static var small: EngineLimits {
        var limits = EngineLimits()
        limits.trips = 3
        limits.vehicles = 2
        limits.tripsPerVehicle = 2
        limits.waypointsPerVehicle = 5
        limits.pointsPerRoute = 50
        limits.routePoints = 80
        limits.trafficStretches = 2
        return limits
    }

    @Test("the number of trips and vehicles is limited, and removed ones make room for new ones")
    func counts() throws {
        var world = World(limits: Self.small)
        for id in ["a", "b", "c"] { try world.createTrip(id) }
        refusal(.resourceExhausted) { try world.createTrip("d") }
        try world.deleteTrip("a")
        try world.createTrip("d")
        for id in ["a", "b"] { try world.createVehicle(id) }
        refusal(.resourceExhausted) { try world.createVehicle("c") }
    }

    @Test("the number of trips and stops of a vehicle is limited")
    func perVehicle() throws {
        var world = World(limits: Self.small)
        try world.createVehicle("car")
        for id in ["a", "b"] { try world.createTrip(id) { $0.trip.vehicleID = "car" } }
        refusal(.resourceExhausted) { try world.createTrip("c") { $0.trip.vehicleID = "car" } }
        refusal(.resourceExhausted) {
            try world.updateTrip("a", ["intermediate_destinations"]) {
                $0.intermediateDestinations = [.at(World.centre), .at(World.centre)]
            }
        }
        #expect(try world.getTrip("a").intermediateDestinations.isEmpty)
        #expect(try world.getVehicle("car").waypoints.count == 4)
    }

    @Test("the number of points is limited, for a route and for all routes together")
    func routePoints() throws {
        var world = World(limits: Self.small)
        func upload(_ vehicle: String, _ count: Int) throws {
            let route = S2Polyline.encode((0..<count).map { World.place(east: Double($0) * 20) })
            try world.updateVehicle(vehicle, ["current_route_segment"]) { $0.currentRouteSegment = route }
        }
        for id in ["a", "b"] { try world.createVehicle(id) }
        refusal(.invalidArgument, field: "vehicle.current_route_segment") { try upload("a", 51) }
        try upload("a", 50)
        refusal(.resourceExhausted) { try upload("b", 31) }
        try upload("b", 30)
        try upload("a", 50)
        #expect(world.engine.routePoints == 80)
        try world.deleteVehicle("a")
        try upload("b", 50)
    }

    @Test("a route of 200,000 points is accepted, one more point is refused")
    func longRoute() throws {
        var world = try World.assigned()
        let points = (0...200_000).map { Coordinate(latitude: 10 + Double($0) * 1e-5, longitude: 20) }
        let longest = S2Polyline.encode(Array(points.dropLast()))
        try world.updateVehicle("car", ["current_route_segment"]) { $0.currentRouteSegment = longest }
        try world.move("car", to: Coordinate(latitude: 11, longitude: 20))
        #expect(try world.getTrip("t1").route.count == 200_000)
        let beyond = S2Polyline.encode(points)
        refusal(.invalidArgument, field: "vehicle.current_route_segment") {
            try world.updateVehicle("car", ["current_route_segment"]) { $0.currentRouteSegment = beyond }
        }
        #expect(try world.getTrip("t1").route.count == 200_000)
    }

    @Test("lists of a hundred thousand entries are refused at once, with an explanation")
    func longLists() throws {
        var world = try World.assigned()
        let places = Array(repeating: WireTerminalLocation.at(World.centre), count: 100_000)
        let waypoints = Array(repeating: WireTripWaypoint.of("t1", .pickupWaypointType), count: 100_000)
        refusal(.invalidArgument) { try world.createTrip("big") { $0.trip.intermediateDestinations = places } }
        refusal(.invalidArgument) { try world.updateTrip("t1", ["intermediate_destinations"]) { $0.intermediateDestinations = places } }
        refusal(.invalidArgument) { try world.updateTrip("t1", ["vehicle_waypoints"]) { $0.vehicleWaypoints = waypoints } }
        refusal(.invalidArgument) { try world.updateVehicle("car", ["waypoints"]) { $0.waypoints = waypoints } }
        refusal(.invalidArgument) { try world.updateVehicle("car", ["route"]) { $0.route = places } }
        refusal(.invalidArgument) { try world.updateTrip("t1", Array(repeating: "vehicle_id", count: 100_000)) }
        let stretches = Array(repeating: WireVisualTrafficReportPolylineRendering.RoadStretch(), count: 100_000)
        refusal(.invalidArgument) {
            try world.updateVehicle("car", ["current_route_segment_traffic"]) {
                $0.currentRouteSegmentTraffic.trafficRendering.roadStretch = stretches
            }
        }
        let stops = Array(repeating: WireStopLocation(), count: 100_000)
        refusal(.invalidArgument) {
            try world.updateTrip("t1", ["actual_intermediate_destinations"]) { $0.actualIntermediateDestinations = stops }
        }
    }

    @Test("huge texts and unknown fields are refused, and no error message repeats them")
    func hugeTexts() throws {
        var world = try World.assigned()
        let huge = String(repeating: "\u{1B}[2Jx", count: 300_000)
        var refusals: [FleetEngineError?] = []
        refusals.append(refusal(.invalidArgument) { try world.createTrip(huge) })
        refusals.append(refusal(.invalidArgument) { try world.createTrip("t2") { $0.parent = huge } })
        refusals.append(refusal(.invalidArgument) { try world.assign("t1", to: huge) })
        refusals.append(refusal(.invalidArgument) { try world.createTrip("t2") { $0.trip.pickupPoint.accessPointID = huge } })
        refusals.append(refusal(.invalidArgument) { try world.createTrip("t2") { $0.trip.unknownFields = .large } })
        refusals.append(refusal(.invalidArgument) { try world.createVehicle("c2") { $0.vehicle.unknownFields = .large } })
        refusals.append(
            refusal(.invalidArgument) {
                try world.updateTrip("t1", ["pickup_point"]) {
                    $0.pickupPoint = .at(World.centre)
                    $0.pickupPoint.unknownFields = .large
                }
            })
        refusals.append(refusal(.invalidArgument) { try world.updateVehicle("car", [huge]) })
        refusals.append(
            refusal(.invalidArgument) {
                try world.updateVehicle("car", ["current_route_segment", "current_route_segment_end_point"]) {
                    $0.currentRouteSegment = RouteTests.detour
                    $0.currentRouteSegmentEndPoint.tripID = huge
                }
            })
        for case let refused? in refusals {
            #expect(refused.message.utf8.count < 1_500)
            #expect(!refused.message.unicodeScalars.contains("\u{1B}"))
        }
    }

    @Test("extreme clock values neither trap nor stop the engine", arguments: [-1e18, -6.2e10, 0, 2.5e11, 1e18, .infinity, .nan])
    func clocks(seconds: Double) throws {
        var world = World()
        world.now = Date(timeIntervalSince1970: seconds)
        try world.createVehicle("car")
        try world.createTrip("t1") { $0.trip.vehicleID = "car" }
        try world.updateVehicle("car", ["last_location", "remaining_time_seconds"]) {
            $0.lastLocation = .at(World.pickup)
            $0.remainingTimeSeconds = Google_Protobuf_Int32Value(.max)
        }
        let trip = try world.setStatus("t1", .enrouteToDropoff)
        #expect(trip.pickupTime.isInRange && trip.dropoffTime.isInRange)
    }
}

@Suite("Conversions")
struct ConversionTests {
    @Test(
        "times keep microseconds, including those before 1970",
        arguments: [-1_500_000, -1, 0, 1, 999_999, 1_000_000, 1_738_774_951_483_732] as [Int64])
    func stamps(microseconds: Int64) {
        let time = Google_Protobuf_Timestamp(stamp: ChangeStamp(microseconds: microseconds))
        #expect(time.isInRange)
        #expect(time.seconds * 1_000_000 + Int64(time.nanos) / 1_000 == microseconds)
        #expect(time.moment.microsecondsSince1970 == microseconds)
    }

    @Test("durations and numbers are clamped")
    func clamping() {
        #expect(Google_Protobuf_Duration(lengthSeconds: 1.5).nanos == 500_000_000)
        #expect(Google_Protobuf_Duration(lengthSeconds: -1.5).nanos == -500_000_000)
        #expect(Google_Protobuf_Duration(lengthSeconds: .nan).seconds == 0)
        #expect(Google_Protobuf_Duration(lengthSeconds: .infinity).seconds == 315_576_000_000)
        #expect(Google_Protobuf_Int32Value(rounding: 1e30).value == .max)
        #expect(Google_Protobuf_Int32Value(rounding: -.infinity).value == .min)
        #expect(Google_Protobuf_Int32Value(rounding: .nan).value == 0)
        #expect(Google_Protobuf_Int32Value(rounding: 2.5).value == 3)
    }
}
