import EngineWorld
import FleetEngine
import FleetEngineAPI
import FleetEngineWire
import FoundationEssentials
import Geo
import SwiftProtobuf
import Testing

@testable import FleetEngineCore

@Suite("Routes: formats, versions, uploads and estimates")
struct RouteTests {
    /// A route from the vehicle around two corners to the pickup. It is 200 m longer than the straight line.
    static let detour = S2Polyline.encode([
        World.centre, World.place(east: 0, north: 100), World.place(east: 1_000, north: 100), World.pickup,
    ])

    @Test("the route format decides which of the two fields is set, including those in the waypoints")
    func formats() throws {
        let world = try World.assigned()
        for format in [WirePolylineFormatType.unknownFormatType, .latLngListType, .UNRECOGNIZED(9)] {
            let trip = try world.getTrip("t1") { $0.routeFormatType = format }
            #expect(trip.route.count == 2 && trip.currentRouteSegment.isEmpty)
            #expect(trip.remainingWaypoints.allSatisfy { $0.pathToWaypoint.count == 2 && $0.encodedPathToWaypoint.isEmpty })
        }
        let trip = try world.getTrip("t1") { $0.routeFormatType = .encodedPolylineType }
        #expect(trip.route.isEmpty)
        #expect(try S2Polyline.decode(trip.currentRouteSegment).count == 2)
        #expect(trip.remainingWaypoints.allSatisfy { $0.pathToWaypoint.isEmpty && !$0.encodedPathToWaypoint.isEmpty })
        #expect(trip.remainingWaypoints.first?.encodedPathToWaypoint == trip.currentRouteSegment)
    }

    @Test(
        "the view is returned",
        arguments: [(WireTripView.unspecified, WireTripView.sdk), (.sdk, .sdk), (.journeySharingV1S, .journeySharingV1S)])
    func views(asked: WireTripView, answered: WireTripView) throws {
        #expect(try World.assigned().getTrip("t1") { $0.view = asked }.view == answered)
    }

    @Test("fields that have not changed since the version in the request are left out")
    func incremental() throws {
        var world = try World.assigned()
        let first = try world.getTrip("t1")
        func again(_ change: (inout WireGetTripRequest) -> Void) throws -> WireTrip { try world.getTrip("t1", change) }
        let known = try again { $0.currentRouteSegmentVersion = first.currentRouteSegmentVersion }
        #expect(known.route.isEmpty && !known.hasCurrentRouteSegmentEndPoint && known.hasCurrentRouteSegmentTraffic)
        #expect(known.currentRouteSegmentVersion == first.currentRouteSegmentVersion)
        #expect(known.remainingWaypoints == first.remainingWaypoints)
        let traffic = try again { $0.currentRouteSegmentTrafficVersion = first.currentRouteSegmentTrafficVersion }
        #expect(!traffic.hasCurrentRouteSegmentTraffic && traffic.route == first.route)
        let waypoints = try again { $0.remainingWaypointsRouteVersion = first.remainingWaypointsRouteVersion }
        #expect(waypoints.remainingWaypoints.count == 2)
        #expect(waypoints.remainingWaypoints.allSatisfy { $0.pathToWaypoint.isEmpty && !$0.hasTrafficToWaypoint && $0.hasEta })
        let deprecated = try again { $0.remainingWaypointsVersion = first.remainingWaypointsVersion }
        #expect(deprecated.remainingWaypoints == first.remainingWaypoints)
        var older = first.currentRouteSegmentVersion
        older.nanos -= 1
        #expect(try again { $0.currentRouteSegmentVersion = older }.route == first.route)
        // If only the position changes, no version changes.
        world.wait(10)
        try world.move("car", to: World.place(east: 100))
        let moved = try world.getTrip("t1")
        #expect(moved.currentRouteSegmentVersion == first.currentRouteSegmentVersion)
        #expect(moved.remainingWaypointsRouteVersion == first.remainingWaypointsRouteVersion)
        #expect(moved.route == first.route)
    }

    @Test("an uploaded route is returned exactly, with a new version; the same route again changes nothing")
    func upload() throws {
        var world = try World.assigned()
        let planned = try world.getTrip("t1")
        world.wait(5)
        try world.updateVehicle("car", ["current_route_segment"]) { $0.currentRouteSegment = Self.detour }
        let trip = try world.getTrip("t1") {
            $0.routeFormatType = .encodedPolylineType
            $0.currentRouteSegmentVersion = planned.currentRouteSegmentVersion
        }
        #expect(trip.currentRouteSegment == Self.detour)
        #expect(trip.currentRouteSegmentVersion.moment > planned.currentRouteSegmentVersion.moment)
        #expect(trip.remainingWaypointsRouteVersion.moment > planned.remainingWaypointsRouteVersion.moment)
        #expect(trip.remainingWaypoints.first?.encodedPathToWaypoint == Self.detour)
        #expect(try world.getTrip("t1").route.map(\.coordinate) == (try S2Polyline.decode(Self.detour)))
        #expect(abs(Double(trip.remainingDistanceMeters.value) - 1_200) <= 3)
        #expect(try world.getVehicle("car").currentRouteSegment == Self.detour)
        world.wait(5)
        try world.updateVehicle("car", ["current_route_segment"]) { $0.currentRouteSegment = Self.detour }
        #expect(try world.getTrip("t1").currentRouteSegmentVersion == trip.currentRouteSegmentVersion)
        // The answer has the whole route even after the vehicle has driven a part of it.
        try world.move("car", to: World.place(east: 500, north: 100))
        let moved = try world.getTrip("t1") { $0.routeFormatType = .encodedPolylineType }
        #expect(moved.currentRouteSegment == Self.detour)
        #expect(abs(Double(moved.remainingDistanceMeters.value) - 600) <= 3)
    }

    @Test("an uploaded route that leads to the next stop remains after a change of status; other routes do not")
    func uploadAhead() throws {
        let ahead = S2Polyline.encode([World.centre, World.place(east: 2_000, north: 300), World.dropoff])
        for (route, endsAt, kept) in [
            (ahead, nil, true), (ahead, WireTripWaypoint.of("t1", .dropOffWaypointType), true),
            (ahead, .of("t1", .pickupWaypointType), false), (Self.detour, nil, false),
        ] as [(String, WireTripWaypoint?, Bool)] {
            var world = try World.assigned()
            try world.updateVehicle(
                "car", ["current_route_segment", "current_route_segment_end_point", "remaining_distance_meters", "remaining_time_seconds"]
            ) {
                $0.currentRouteSegment = route
                if let endsAt { $0.currentRouteSegmentEndPoint = endsAt }
                $0.remainingDistanceMeters = Google_Protobuf_Int32Value(4_321)
                $0.remainingTimeSeconds = Google_Protobuf_Int32Value(432)
            }
            let trip = try world.setStatus("t1", .enrouteToDropoff)
            #expect((trip.currentRouteSegment == route) == kept)
            #expect((trip.remainingDistanceMeters.value == 4_321) == kept)
            #expect(kept || trip.route.map(\.coordinate) == [World.centre, World.dropoff])
        }
    }

    @Test("the end point is ignored without a route, and added if the driver left it out")
    func endPoint() throws {
        var world = try World.assigned()
        try world.updateVehicle("car", ["current_route_segment_end_point"]) {
            $0.currentRouteSegmentEndPoint = .of("t1", .dropOffWaypointType)
        }
        #expect(try world.getTrip("t1").currentRouteSegmentEndPoint.waypointType == .pickupWaypointType)
        try world.updateVehicle("car", ["current_route_segment", "current_route_segment_end_point"]) {
            $0.currentRouteSegment = Self.detour
            $0.currentRouteSegmentEndPoint = .of("t1", .pickupWaypointType)
        }
        #expect(try world.getVehicle("car").currentRouteSegmentEndPoint.location.point.coordinate == World.pickup)
    }

    @Test("an empty route removes the driver's route and restores the planned one")
    func takenAway() throws {
        var world = try World.assigned()
        try world.updateVehicle("car", ["current_route_segment"]) { $0.currentRouteSegment = Self.detour }
        try world.updateVehicle("car", ["current_route_segment"])
        #expect(try world.getTrip("t1").route.count == 2)
    }

    @Test(
        "an invalid route is INVALID_ARGUMENT",
        arguments: ["no route", "_p~iF~ps|U_ulLnnqC", "AhYFIoF_XZ6GAPV1plu2AYQNA", "Ahb_____Dw==", "é", "huge"])
    func badRoute(name: String) throws {
        let text = name == "huge" ? String(repeating: "A", count: 9_000_000) : name
        var world = try World.assigned()
        refusal(.invalidArgument, field: "vehicle.current_route_segment") {
            try world.updateVehicle("car", ["current_route_segment"]) { $0.currentRouteSegment = text }
        }
    }

    @Test("GetVehicle omits an unchanged route and unchanged stops, too")
    func vehicleVersions() throws {
        var world = try World.assigned()
        let first = try world.getVehicle("car")
        #expect(!first.currentRouteSegment.isEmpty && first.waypoints.count == 2)
        let known = try world.getVehicle("car") {
            $0.currentRouteSegmentVersion = first.currentRouteSegmentVersion
            $0.waypointsVersion = first.waypointsVersion
        }
        #expect(known.currentRouteSegment.isEmpty && !known.hasCurrentRouteSegmentEndPoint && known.waypoints.isEmpty)
        #expect(known.currentRouteSegmentVersion == first.currentRouteSegmentVersion)
        world.wait(1)
        try world.setStatus("t1", .enrouteToDropoff)
        let changed = try world.getVehicle("car") {
            $0.currentRouteSegmentVersion = first.currentRouteSegmentVersion
            $0.waypointsVersion = first.waypointsVersion
        }
        #expect(!changed.currentRouteSegment.isEmpty && changed.waypoints.count == 1)
    }

    @Test("versions increase even when the clock stands still or goes back")
    func versionsRise() throws {
        var world = try World.assigned()
        var last = try world.getTrip("t1").currentRouteSegmentVersion.moment
        for step in 0..<5 {
            world.wait(step.isMultiple(of: 2) ? 0 : -3_600)
            let route = S2Polyline.encode([World.centre, World.place(east: 500, north: Double(50 * step)), World.pickup])
            try world.updateVehicle("car", ["current_route_segment"]) { $0.currentRouteSegment = route }
            let version = try world.getTrip("t1").currentRouteSegmentVersion.moment
            #expect(version > last)
            last = version
        }
    }

    // MARK: Estimates

    @Test("without a driver's figures, the engine follows the vehicle along the route, and counts down the time with each call")
    func estimates() throws {
        var world = try World.assigned()
        world.wait(30)
        try world.move("car", to: World.place(east: 400))
        let trip = try world.getTrip("t1")
        #expect(abs(Double(trip.remainingDistanceMeters.value) - 600) <= 1)
        #expect(abs(trip.remainingTimeToFirstWaypoint.lengthSeconds - 60) < 0.2)
        world.wait(20)
        let later = try world.getTrip("t1")
        #expect(later.etaToFirstWaypoint == trip.etaToFirstWaypoint)
        #expect(abs(later.remainingTimeToFirstWaypoint.lengthSeconds - 40) < 0.2)
        world.wait(3_600)
        let overdue = try world.getTrip("t1")
        #expect(overdue.remainingTimeToFirstWaypoint.lengthSeconds == 0)
        // The car has sent no new position, so the arrival times stay the same.
        #expect(overdue.etaToFirstWaypoint == trip.etaToFirstWaypoint && overdue.dropoffTime == trip.dropoffTime)
        try world.move("car", to: World.place(east: 400))
        #expect(try world.getTrip("t1").dropoffTime.moment >= world.now)
    }

    @Test("an engine with a stop duration adds it to the drop-off time, and changes that time only if the vehicle stays longer")
    func expectedStop() throws {
        var world = World(stopSeconds: 60)
        try world.createVehicle("car")
        try world.createTrip("t1")
        let promised = try world.assign("t1", to: "car").dropoffTime.moment
        #expect(abs(promised.timeIntervalSince(world.now) - 460) < 0.2)
        func dropoff() throws -> Double { try world.getTrip("t1").dropoffTime.moment.timeIntervalSince(promised) }
        try world.setStatus("t1", .enrouteToPickup)
        world.wait(100)
        try world.move("car", to: World.pickup)
        try world.setStatus("t1", .arrivedAtPickup)
        for _ in 0..<6 {
            #expect(try abs(dropoff()) < 1)
            world.wait(10)
            try world.move("car", to: World.pickup)
        }
        world.wait(30)
        #expect(try abs(dropoff() - 30) < 1)
        try world.setStatus("t1", .enrouteToDropoff)
        #expect(try abs(dropoff() - 30) < 1)
        #expect(try abs(world.getTrip("t1").pickupTime.moment.timeIntervalSince(world.now)) < 1)
        // Without `stopSeconds` the engine counts only the driving time, as Fleet Engine does.
        #expect(try abs(World.assigned().getTrip("t1").dropoffTime.moment.timeIntervalSince(World.start) - 400) < 0.2)
    }

    @Test("remaining_time_seconds counts from the report and overrides an absolute time")
    func reportedTime() throws {
        var world = try World.assigned()
        try world.updateVehicle("car", ["remaining_time_seconds", "eta_to_first_waypoint", "remaining_distance_meters"]) {
            $0.remainingTimeSeconds = Google_Protobuf_Int32Value(77)
            $0.etaToFirstWaypoint = Google_Protobuf_Timestamp(moment: World.start.addingTimeInterval(999))
            $0.remainingDistanceMeters = Google_Protobuf_Int32Value(1_234)
        }
        let reported = world.now
        world.wait(7)
        let trip = try world.getTrip("t1")
        #expect(trip.etaToFirstWaypoint == Google_Protobuf_Timestamp(moment: reported.addingTimeInterval(77)))
        #expect(trip.remainingTimeToFirstWaypoint.lengthSeconds == 70)
        #expect(trip.remainingDistanceMeters.value == 1_234)
        #expect(trip.remainingWaypoints.first?.distanceMeters.value == 1_234)
        #expect(try world.getVehicle("car").etaToFirstWaypoint == trip.etaToFirstWaypoint)
        #expect(try !world.getVehicle("car").hasRemainingTimeSeconds)
        try world.updateVehicle("car", ["eta_to_first_waypoint"]) {
            $0.etaToFirstWaypoint = Google_Protobuf_Timestamp(moment: World.start.addingTimeInterval(200))
        }
        #expect(try world.getTrip("t1").etaToFirstWaypoint.moment == World.start.addingTimeInterval(200))
    }

    @Test("a driver's figures are ignored without guidance")
    func withoutGuidance() throws {
        var world = try World.assigned()
        let paths = ["remaining_time_seconds", "remaining_distance_meters", "navigation_status"]
        func report(_ status: WireNavigationStatus) throws -> WireTrip {
            try world.updateVehicle("car", paths) {
                $0.remainingTimeSeconds = Google_Protobuf_Int32Value(150)
                $0.remainingDistanceMeters = Google_Protobuf_Int32Value(1_500)
                $0.navigationStatus = status
            }
            return try world.getTrip("t1")
        }
        #expect(try report(.enrouteToDestination).remainingDistanceMeters.value == 1_500)
        let idle = try report(.noGuidance)
        #expect(abs(Double(idle.remainingDistanceMeters.value) - 1_000) <= 1)
        #expect(abs(idle.remainingTimeToFirstWaypoint.lengthSeconds - 100) < 0.1)
        // Without guidance, the reported distance and time are neither returned to the driver nor kept for later.
        let car = try world.getVehicle("car")
        #expect(car.remainingDistanceMeters == idle.remainingDistanceMeters && car.etaToFirstWaypoint == idle.etaToFirstWaypoint)
        try world.updateVehicle("car", paths) {
            $0.remainingTimeSeconds = Google_Protobuf_Int32Value(9_999)
            $0.remainingDistanceMeters = Google_Protobuf_Int32Value(9_999)
            $0.navigationStatus = .noGuidance
        }
        try world.updateVehicle("car", ["navigation_status"]) { $0.navigationStatus = .enrouteToDestination }
        #expect(try world.getVehicle("car").remainingDistanceMeters.value == 1_500)
    }

    @Test("without guidance, the ETA stays while the car stands, and is computed again once it has moved")
    func standing() throws {
        var world = try World.assigned()
        let eta = try world.getTrip("t1").etaToFirstWaypoint
        func report(_ place: Coordinate, _ status: WireNavigationStatus, route: String = "") throws -> WireTrip {
            world.wait(10)
            var paths = ["last_location", "navigation_status", "remaining_time_seconds", "remaining_distance_meters"]
            if !route.isEmpty { paths.append("current_route_segment") }
            try world.updateVehicle("car", paths) {
                $0.lastLocation = .at(place)
                $0.navigationStatus = status
                $0.remainingTimeSeconds = Google_Protobuf_Int32Value(300)
                $0.remainingDistanceMeters = Google_Protobuf_Int32Value(1_400)
                $0.currentRouteSegment = route
            }
            return try world.getTrip("t1")
        }
        #expect(try report(World.centre, .noGuidance).etaToFirstWaypoint == eta)
        #expect(try report(World.place(east: 6), .enrouteToDestination, route: RouteTests.detour).etaToFirstWaypoint != eta)
        let still = try report(World.place(east: 3, north: 4), .noGuidance)
        #expect(still.etaToFirstWaypoint == eta && still.remainingTimeToFirstWaypoint.lengthSeconds < 71)
        #expect(try world.getVehicle("car").etaToFirstWaypoint == eta)
        #expect(try report(World.place(east: 40), .noGuidance).etaToFirstWaypoint != eta)
    }

    @Test(
        "after the trip, the vehicle's figures are removed until its driver reports again", arguments: [WireTripStatus.complete, .canceled])
    func overAndGone(status: WireTripStatus) throws {
        var world = try World.assigned { $0.trip.clearDropoffPoint() }
        func report() throws -> WireVehicle {
            try world.updateVehicle("car", ["remaining_time_seconds", "remaining_distance_meters"]) {
                $0.remainingTimeSeconds = Google_Protobuf_Int32Value(150)
                $0.remainingDistanceMeters = Google_Protobuf_Int32Value(1_500)
            }
        }
        #expect(try report().remainingDistanceMeters.value == 1_500)
        // The trip has no drop-off point. After the pickup the vehicle has no stop ahead, but it still has the trip.
        if status == .complete {
            try world.setStatus("t1", .enrouteToDropoff)
            #expect(try !world.getVehicle("car").hasRemainingDistanceMeters)
            #expect(try report().hasEtaToFirstWaypoint)
        }
        try world.setStatus("t1", status)
        let free = try world.getVehicle("car")
        #expect(!free.hasRemainingDistanceMeters && !free.hasEtaToFirstWaypoint && free.currentTrips.isEmpty)
        #expect(try report().remainingDistanceMeters.value == 1_500)
    }

    @Test("the driver's figures for the previous stop do not apply to the next one")
    func figuresOfTheStopBefore() throws {
        var world = try World.assigned()
        try world.updateVehicle("car", ["remaining_time_seconds", "remaining_distance_meters"]) {
            $0.remainingTimeSeconds = Google_Protobuf_Int32Value(3)
            $0.remainingDistanceMeters = Google_Protobuf_Int32Value(3)
        }
        let trip = try world.setStatus("t1", .enrouteToDropoff)
        #expect(abs(Double(trip.remainingDistanceMeters.value) - 4_000) <= 2)
    }

    @Test("if the vehicle leaves a planned route, a new one is planned; an uploaded route is kept")
    func leftTheRoute() throws {
        var world = try World.assigned()
        world.wait(30)
        try world.move("car", to: World.place(east: 0, north: 800))
        #expect(try world.getTrip("t1").route.first?.coordinate == World.place(east: 0, north: 800))
        try world.updateVehicle("car", ["current_route_segment"]) { $0.currentRouteSegment = Self.detour }
        world.wait(30)
        try world.move("car", to: World.place(east: 0, north: -800))
        let trip = try world.getTrip("t1") { $0.routeFormatType = .encodedPolylineType }
        #expect(trip.currentRouteSegment == Self.detour && !trip.lastLocationSnappable)
    }

    @Test("figures below zero and times beyond the calendar are INVALID_ARGUMENT")
    func badFigures() throws {
        var world = try World.assigned()
        refusal(.invalidArgument, field: "vehicle.remaining_time_seconds") {
            try world.updateVehicle("car", ["remaining_time_seconds"]) { $0.remainingTimeSeconds = Google_Protobuf_Int32Value(-1) }
        }
        refusal(.invalidArgument, field: "vehicle.remaining_distance_meters") {
            try world.updateVehicle("car", ["remaining_distance_meters"]) { $0.remainingDistanceMeters = Google_Protobuf_Int32Value(.min) }
        }
        for (seconds, nanos) in [(Int64.max, Int32(0)), (.min, 0), (0, -1), (0, 1_000_000_000)] {
            refusal(.invalidArgument, field: "vehicle.eta_to_first_waypoint") {
                try world.updateVehicle("car", ["eta_to_first_waypoint"]) {
                    $0.etaToFirstWaypoint.seconds = seconds
                    $0.etaToFirstWaypoint.nanos = nanos
                }
            }
        }
    }
}
