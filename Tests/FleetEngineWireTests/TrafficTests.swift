import FleetEngineAPI
import Geo
import SwiftProtobuf
import Testing

@testable import FleetEngineWire

@Suite("Traffic: metres in the domain, indices on the wire")
struct TrafficTests {
    private static func place(_ meters: Double) -> Coordinate {
        Coordinate(latitude: -47, longitude: -20).offset(eastMeters: meters, northMeters: 0)
    }

    /// A line of 1 km, with a point every 100 m.
    private static let line = Polyline((0...10).map { place(Double($0) * 100) })

    private func stretch(_ start: Double, _ end: Double, _ speed: TrafficSpeed) -> TrafficStretch {
        TrafficStretch(startMeters: start, endMeters: end, speed: speed)
    }

    private func consumable(_ stretches: [TrafficStretch]) -> WireConsumableTrafficPolyline {
        WireConsumableTrafficPolyline(RouteLine(Self.line, slower: stretches), encoded: "own")
    }

    private func read(_ line: Polyline, _ wire: WireConsumableTrafficPolyline, knownRoute: Polyline? = nil) -> RouteLine {
        var paths = PathReader()
        let list = line.coordinates.map { WireLatLng($0) }
        return RouteLine(encoded: "", list: list, traffic: wire, knownRoute: knownRoute, paths: &paths)
    }

    private func interval(_ start: Int32, _ end: Int32, _ speed: WireSpeedReadingInterval.Speed) -> WireSpeedReadingInterval {
        .with {
            $0.startPolylinePointIndex = start
            $0.endPolylinePointIndex = end
            $0.speed = speed
        }
    }

    private func brief(_ traffic: WireConsumableTrafficPolyline) -> [String] {
        traffic.speedReadingInterval.map { "\($0.startPolylinePointIndex)-\($0.endPolylinePointIndex) \($0.speed)" }
    }

    @Test("without stretches, traffic is normal from end to end, on exactly the line of the route")
    func none() {
        let traffic = consumable([])
        #expect(brief(traffic) == ["0-10 normal"])
        #expect(traffic.encodedPathToWaypoint == "own")
    }

    @Test("the line gets points where stretches start and end")
    func inserted() throws {
        let traffic = consumable([stretch(250, 430, .slow), stretch(700, 900, .trafficJam)])
        #expect(brief(traffic) == ["0-3 normal", "3-6 slow", "6-9 normal", "9-11 trafficJam", "11-12 normal"])
        let points = try S2Polyline.decode(traffic.encodedPathToWaypoint)
        #expect(points.count == 13)
        #expect(points[3].distanceMeters(to: Self.place(250)) < 2)
        #expect(points[6].distanceMeters(to: Self.place(430)) < 2)
    }

    @Test("where stretches overlap, the worse one counts; parts beyond the end are cut off; empty ones have no effect")
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

    @Test("degenerate lines do no harm", arguments: [0, 1, 2])
    func degenerate(count: Int) {
        let line = Polyline((0..<count).map { _ in Self.place(0) })
        let traffic = WireConsumableTrafficPolyline(RouteLine(line, slower: [stretch(0, 10, .slow)]), encoded: "own")
        #expect(traffic.speedReadingInterval.allSatisfy { $0.startPolylinePointIndex < $0.endPolylinePointIndex })
    }

    @Test("for any stretches, the intervals cover the line without gap or overlap, and each place has the worst speed stated for it")
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
                    #expect(TrafficSpeed(interval.speed) == said.max() ?? .normal)
                }
            }
            #expect(next == Int32(path.count - 1))
        }
    }

    @Test("traffic that was written is read again, up to the snap of half a metre and the rounding of places on the wire")
    func roundTrip() {
        var random = SeededRandom(seed: 11)
        for _ in 0..<100 {
            let stretches = (0..<random.int(in: 0...6)).map { _ in
                let start = random.double(in: 0...900)
                return stretch(start, start + random.double(in: 5...300), random.chance(0.5) ? .slow : .trafficJam)
            }
            let route = RouteLine(Self.line, slower: stretches)
            var wire = consumable(stretches)
            if wire.encodedPathToWaypoint == "own" { wire.encodedPathToWaypoint = "" }
            let read = read(Self.line, wire)
            for meters in stride(from: 3.0, to: 1_000, by: 7) {
                let near = route.traffic.contains { abs($0.startMeters - meters) < 2 || abs($0.endMeters - meters) < 2 }
                func speed(_ route: RouteLine) -> TrafficSpeed? {
                    route.traffic.first { $0.startMeters <= meters && meters < $0.endMeters }?.speed
                }
                if !near { #expect(speed(read) == speed(route), "\(meters)") }
            }
        }
    }

    @Test("only intervals that run forwards are read, cut to their path; where they overlap, the worse one counts")
    func hostileIntervals() {
        var wire = WireConsumableTrafficPolyline()
        wire.speedReadingInterval = [
            interval(0, 2, .slow), interval(2, 2, .slow), interval(-1, 3, .trafficJam), interval(5, 4, .normal),
            interval(.min, .max, .slow), interval(1, 3, .trafficJam), interval(3, .max, .UNRECOGNIZED(9)),
        ]
        wire.encodedPathToWaypoint = S2Polyline.encode(Self.line.coordinates)
        let route = read(Polyline([]), wire, knownRoute: Self.line)
        #expect(route.isEmpty && route.traffic.map(\.speed) == [.slow, .trafficJam, .noData])
        for (meters, expected) in zip(route.traffic.map(\.endMeters), [100.0, 300, 1_000]) { #expect(abs(meters - expected) < 3) }
    }

    @Test("traffic without a path applies to the answer's route, or else to the route that the caller has, if its indices fit")
    func pathless() {
        var wire = WireConsumableTrafficPolyline()
        wire.speedReadingInterval = [interval(2, 4, .trafficJam)]
        let jam = [stretch(Self.line.cumulativeMeters[2], Self.line.cumulativeMeters[4], .trafficJam)]
        for broken in ["", "no route"] {
            wire.encodedPathToWaypoint = broken
            #expect(read(Self.line, wire).traffic == jam)
            #expect(read(Polyline([]), wire, knownRoute: Self.line).traffic == jam)
            #expect(read(Polyline([]), wire).traffic.isEmpty)
            #expect(read(Polyline(Array(Self.line.coordinates.prefix(4))), wire).traffic.isEmpty)
        }
    }
}
