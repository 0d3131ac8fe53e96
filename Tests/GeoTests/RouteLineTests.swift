import Geo
import Testing

@Suite("Traffic in metres")
struct RouteLineTests {
    private static let line = Polyline(
        (0...20).map { Coordinate(latitude: -47, longitude: -20).offset(eastMeters: Double($0) * 50, northMeters: 0) })

    private func stretch(_ start: Double, _ end: Double, _ speed: TrafficSpeed) -> TrafficStretch {
        TrafficStretch(startMeters: start, endMeters: end, speed: speed)
    }

    /// Returns traffic stretches whose ends are at whole metres. Many stretches overlap, are empty, run backwards, or lie outside the
    /// route.
    private func randomStretches(_ generator: inout SeededRandom) -> [TrafficStretch] {
        (0..<Int.random(in: 0...12, using: &generator)).map { _ in
            let start = Double(Int.random(in: -50...250, using: &generator))
            let length = Double(Int.random(in: -5...120, using: &generator))
            return stretch(start, start + length, TrafficSpeed.allCases.randomElement(using: &generator) ?? .slow)
        }
    }

    @Test("every point has the worst speed that was stated for it, and is covered once", arguments: 0..<200)
    func sweep(seed: Int) {
        var generator = SeededRandom(seed: UInt64(seed))
        let stretches = randomStretches(&generator)
        let swept = stretches.swept(withinMeters: 200)
        for place in stride(from: -60.5, to: 320, by: 1) {
            let said = stretches.filter { $0.startMeters < place && place < $0.endMeters }.map(\.speed).max()
            let found = swept.filter { $0.startMeters < place && place < $0.endMeters }
            #expect(found.count <= 1 && found.first?.speed == (0...200 ~= place ? said : nil), "\(place)")
        }
        #expect(swept.allSatisfy { $0.lengthMeters > 0 })
        for (one, next) in zip(swept, swept.dropFirst()) {
            #expect(one.endMeters <= next.startMeters && (one.endMeters < next.startMeters || one.speed != next.speed))
        }
        #expect(swept.swept(withinMeters: 200) == swept && stretches.shuffled(using: &generator).swept(withinMeters: 200) == swept)
    }

    @Test("stretches with NaN or infinite ends give no traffic")
    func hostile() {
        let odd: [Double] = [.nan, .infinity, -.infinity, -0.0, 1e300, -1e300, 5]
        for start in odd {
            for end in odd {
                let swept = [stretch(start, end, .slow)].swept(withinMeters: 100)
                #expect(swept.allSatisfy { 0...100 ~= $0.startMeters && 0...100 ~= $0.endMeters }, "\(start) \(end)")
                #expect(swept.isEmpty == !(start < end && max(start, 0) < min(end, 100)), "\(start) \(end)")
            }
        }
        #expect([stretch(0, 5, .slow)].swept(withinMeters: .nan).isEmpty && [stretch(0, 5, .slow)].swept(withinMeters: -1).isEmpty)
    }

    @Test("a part of a route has the traffic of that part, and joined parts have all of it again")
    func parts() {
        let route = RouteLine(Self.line, traffic: [stretch(100, 300, .slow), stretch(250, 400, .trafficJam), stretch(900, 5_000, .normal)])
        #expect(route.traffic.map(\.startMeters) == [100, 250, 900])
        let (head, tail) = (route.slice(fromMeters: -9, toMeters: 275), route.slice(fromMeters: 275, toMeters: .infinity))
        #expect(head.traffic == [stretch(100, 250, .slow), stretch(250, 275, .trafficJam)])
        #expect(tail.traffic.first == stretch(0, 125, .trafficJam) && tail.traffic.last?.speed == .normal)
        let whole = head.appending(tail)
        for place in stride(from: 5.0, to: 995, by: 10) {
            func speed(_ route: RouteLine) -> TrafficSpeed? {
                route.traffic.first { $0.startMeters <= place && place < $0.endMeters }?.speed
            }
            #expect(speed(whole) == speed(route), "\(place)")
        }
        #expect(route.slice(fromMeters: 9, toMeters: 5) == RouteLine())
    }

    @Test("runs of the same speed leave no gap", arguments: 0..<50)
    func runs(seed: Int) {
        var generator = SeededRandom(seed: UInt64(seed))
        let route = RouteLine(Self.line, traffic: randomStretches(&generator))
        let start = Double.random(in: 0...500, using: &generator), end = start + .random(in: 1...500, using: &generator)
        let runs = route.runs(fromMeters: start, toMeters: end)
        #expect(runs.first?.startMeters == start && runs.last?.endMeters == end && runs.allSatisfy { $0.lengthMeters > 0 })
        #expect(zip(runs, runs.dropFirst()).allSatisfy { $0.endMeters == $1.startMeters })
    }

    @Test("a route with traffic but without a line keeps the traffic until the line is known")
    func trafficAlone() {
        let told = RouteLine(traffic: [stretch(900, 5_000, .slow)])
        #expect(told.isEmpty && told.traffic == [stretch(900, 5_000, .slow)])
        let length = Self.line.lengthMeters
        #expect(RouteLine(Self.line, traffic: told.traffic).traffic == [stretch(900, length, .slow)])
    }
}
