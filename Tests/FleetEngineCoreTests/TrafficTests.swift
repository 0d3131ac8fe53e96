import EngineWorld
import FleetEngine
import FleetEngineAPI
import FleetEngineWire
import Geo
import SwiftProtobuf
import Testing

@testable import FleetEngineCore

@Suite("Traffic data in the engine")
struct TrafficTests {
    private func brief(_ traffic: WireConsumableTrafficPolyline) -> [String] {
        traffic.speedReadingInterval.map { "\($0.startPolylinePointIndex)-\($0.endPolylinePointIndex) \($0.speed)" }
    }

    @Test("a driver's traffic reaches the trip and its first waypoint; without a new route it applies to the old one")
    func throughTheEngine() throws {
        var world = try World.assigned()
        func report(_ paths: [String], _ stretches: [(Int32, Int32, WireVisualTrafficReportPolylineRendering.RoadStretch.Style)]) throws
            -> WireTrip
        {
            world.wait(1)
            try world.updateVehicle("car", paths) {
                $0.currentRouteSegment = RouteTests.detour
                $0.currentRouteSegmentTraffic.trafficRendering.roadStretch = stretches.map { offset, length, style in
                    var stretch = WireVisualTrafficReportPolylineRendering.RoadStretch()
                    (stretch.offsetMeters, stretch.lengthMeters, stretch.style) = (offset, length, style)
                    return stretch
                }
            }
            return try world.getTrip("t1")
        }
        let first = try report(["current_route_segment", "current_route_segment_traffic"], [(300, 200, .slowerTraffic)])
        #expect(brief(first.currentRouteSegmentTraffic) == ["0-2 normal", "2-3 slow", "3-5 normal"])
        #expect(first.remainingWaypoints.first?.trafficToWaypoint == first.currentRouteSegmentTraffic)
        let second = try report(["current_route_segment_traffic"], [(300, 200, .trafficJam)])
        #expect(brief(second.currentRouteSegmentTraffic) == ["0-2 normal", "2-3 trafficJam", "3-5 normal"])
        #expect(second.currentRouteSegmentVersion == first.currentRouteSegmentVersion)
        #expect(second.currentRouteSegmentTrafficVersion.moment > first.currentRouteSegmentTrafficVersion.moment)
        #expect(second.remainingWaypointsRouteVersion.moment > first.remainingWaypointsRouteVersion.moment)
        let third = try report(["current_route_segment"], [(300, 200, .trafficJam)])
        #expect(brief(third.currentRouteSegmentTraffic) == ["0-3 normal"])
        let later = try report(["current_route_segment", "current_route_segment_traffic"], [(300, 200, .UNRECOGNIZED(8))])
        #expect(brief(later.currentRouteSegmentTraffic) == ["0-3 normal"])
        refusal(.invalidArgument) { _ = try report(["current_route_segment_traffic"], [(-1, 200, .trafficJam)]) }
        #expect(
            brief(try report(["current_route_segment_traffic"], [(.max, .max, .trafficJam)]).currentRouteSegmentTraffic) == ["0-3 normal"])
        #expect(try !world.getVehicle("car").hasCurrentRouteSegmentTraffic)
    }

    @Test("an answer to a position update has each path once, encoded, and no traffic line; GetVehicle returns the traffic")
    func leanReports() throws {
        var world = try World.assigned()
        let points = (0...1_000).map { World.place(east: Double($0), north: $0.isMultiple(of: 2) ? 0 : 3) }
        let route = S2Polyline.encode(points)
        try world.updateVehicle("car", ["current_route_segment"]) { $0.currentRouteSegment = route }
        let answer = try world.move("car", to: World.centre)
        #expect(answer.currentRouteSegment == route)
        #expect(answer.waypoints.first?.encodedPathToWaypoint == route)
        #expect(answer.waypoints.allSatisfy { $0.pathToWaypoint.isEmpty && !$0.encodedPathToWaypoint.isEmpty && !$0.hasTrafficToWaypoint })
        let size = try answer.serializedBytes() as [UInt8]
        #expect(size.count < 2 * route.utf8.count + 1_000)
        let asked = try world.getVehicle("car")
        #expect(asked.waypoints.first?.trafficToWaypoint.encodedPathToWaypoint == route)
    }
}
