import FleetEngine
import FleetEngineAPI
import FleetEngineWire
import Geo
import SwiftProtobuf
import Testing

@testable import LocalFleetEngine

@Suite("Traffic: metres from the driver, indices to the consumer")
struct TrafficTests {
    /// Points every 100 m, 1 km long.
    static let line = Polyline((0...10).map { World.place(east: Double($0) * 100) })

    private func stretch(_ start: Double, _ end: Double, _ speed: WireSpeedReadingInterval.Speed) -> TrafficStretch {
        TrafficStretch(startMeters: start, endMeters: end, speed: speed)
    }

    private func consumable(_ stretches: [TrafficStretch]) -> WireConsumableTrafficPolyline {
        TrafficIntervals.consumable(line: Self.line, encoded: "own", stretches: stretches)
    }

    private func brief(_ traffic: WireConsumableTrafficPolyline) -> [String] {
        traffic.speedReadingInterval.map { "\($0.startPolylinePointIndex)-\($0.endPolylinePointIndex) \($0.speed)" }
    }

    @Test("no stretches: normal from end to end, on the very line of the route")
    func none() {
        let traffic = consumable([])
        #expect(brief(traffic) == ["0-10 normal"])
        #expect(traffic.encodedPathToWaypoint == "own")
    }

    @Test("the line gets points where stretches begin and end")
    func inserted() throws {
        let traffic = consumable([stretch(250, 430, .slow), stretch(700, 900, .trafficJam)])
        #expect(brief(traffic) == ["0-3 normal", "3-6 slow", "6-9 normal", "9-11 trafficJam", "11-12 normal"])
        let points = try S2Polyline.decode(traffic.encodedPathToWaypoint)
        #expect(points.count == 13)
        #expect(points[3].distanceMeters(to: World.place(east: 250)) < 2)
        #expect(points[6].distanceMeters(to: World.place(east: 430)) < 2)
    }

    @Test("overlaps: the worse one counts; what lies beyond the end is cut off; nothing is left over from empty ones")
    func overlaps() {
        #expect(
            brief(consumable([stretch(0, 400, .slow), stretch(200, 300, .trafficJam)])) == [
                "0-2 slow", "2-3 trafficJam", "3-4 slow", "4-10 normal",
            ])
        #expect(
            brief(consumable([stretch(0, 300, .trafficJam), stretch(200, 500, .slow)])) == ["0-3 trafficJam", "3-5 slow", "5-10 normal"])
        #expect(brief(consumable([stretch(800, 99_999, .slow)])) == ["0-8 normal", "8-10 slow"])
        #expect(brief(consumable([stretch(5_000, 9_000, .slow)])) == ["0-10 normal"])
        #expect(brief(consumable([stretch(0, 1e9, .trafficJam)])) == ["0-10 trafficJam"])
        #expect(brief(consumable([stretch(300, 300, .slow)])) == ["0-10 normal"])
        #expect(brief(consumable([stretch(100, 200, .slow), stretch(200, 300, .slow)])) == ["0-1 normal", "1-3 slow", "3-10 normal"])
        #expect(brief(consumable([stretch(100.2, 200.3, .slow)])) == ["0-1 normal", "1-2 slow", "2-10 normal"])
    }

    @Test("degenerate lines", arguments: [0, 1, 2])
    func degenerate(count: Int) {
        let line = Polyline((0..<count).map { _ in World.centre })
        let traffic = TrafficIntervals.consumable(line: line, encoded: "own", stretches: [stretch(0, 10, .slow)])
        #expect(traffic.speedReadingInterval.allSatisfy { $0.startPolylinePointIndex < $0.endPolylinePointIndex })
    }

    @Test("whatever the stretches, the intervals cover the line without gap or overlap, and every place has the worst speed said of it")
    func property() throws {
        var random = SeededRandom(seed: 7)
        for _ in 0..<300 {
            let stretches = (0..<random.int(in: 0...12)).map { _ in
                let start = random.double(in: -200...1_200)
                return stretch(start, start + random.double(in: -50...500), random.chance(0.5) ? .slow : .trafficJam)
            }
            let traffic = consumable(stretches)
            let path = traffic.encodedPathToWaypoint == "own" ? Self.line.coordinates : try S2Polyline.decode(traffic.encodedPathToWaypoint)
            let line = Polyline(path)
            var next: Int32 = 0
            for interval in traffic.speedReadingInterval {
                #expect(interval.startPolylinePointIndex == next && interval.endPolylinePointIndex > next)
                next = interval.endPolylinePointIndex
                let start = line.cumulativeMeters[Int(interval.startPolylinePointIndex)]
                let end = line.cumulativeMeters[Int(next)]
                guard end - start > 8 else { continue }
                let middle = (start + end) / 2
                let said = stretches.filter { $0.startMeters + 4 < middle && middle < $0.endMeters - 4 }.map(\.speed)
                let maybe = stretches.filter { $0.startMeters - 4 < middle && middle < $0.endMeters + 4 }.map(\.speed)
                if said.count == maybe.count {
                    #expect(interval.speed == (said.contains(.trafficJam) ? .trafficJam : said.isEmpty ? .normal : .slow))
                }
            }
            #expect(next == Int32(path.count - 1))
        }
    }

    @Test("a driver's traffic reaches the trip and its first waypoint; without a new route it belongs to the old one")
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
}
