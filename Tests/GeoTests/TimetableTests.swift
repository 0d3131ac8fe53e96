import Geo
import Testing

@Suite("Times along a line")
struct TimetableTests {
    private static let line = Polyline(
        (0...20).map { Coordinate(latitude: -47, longitude: -20).offset(eastMeters: Double($0) * 50, northMeters: 0) })

    private func mark(_ meters: Double, _ seconds: Double) -> Timetable.Mark { Timetable.Mark(meters: meters, seconds: seconds) }

    /// Returns random times for the coordinates of the line, in ascending order. If two times are equal, the car jumps.
    private func randomTimes(_ generator: inout SeededRandom) -> [Double] {
        Self.line.coordinates.indices.dropFirst().reduce(into: [0.0]) { times, _ in
            times.append((times.last ?? 0) + Double(Int.random(in: 0...12, using: &generator)))
        }
    }

    @Test("between two marks time is linear; before the first and after the last it is constant")
    func between() {
        let times = Timetable([mark(0, 0), mark(100, 10), mark(100, 30), mark(300, 40)])
        #expect([-5, 0, 50, 100, 200, 300, 400].map(times.seconds) == [0, 0, 5, 30, 35, 40, 40])
        #expect(times.seconds(atMeters: .nan) == 0 && times.seconds(atMeters: .infinity) == 40 && times.durationSeconds == 40)
        #expect(Timetable([]).seconds(atMeters: 3) == 0 && Timetable([]).durationSeconds == 0)
    }

    @Test("invalid or decreasing marks are left out, and times that do not fit a line give no timetable")
    func hostile() {
        let times = Timetable([mark(0, 0), mark(.nan, 1), mark(5, .infinity), mark(10, 5), mark(8, 6), mark(12, 4), mark(20, 9)])
        #expect(times.marks == [mark(0, 0), mark(10, 5), mark(20, 9)])
        #expect(Timetable(Self.line, cumulativeSeconds: [0, 1]) == nil && Timetable(Polyline([]), cumulativeSeconds: []) == nil)
        #expect(Timetable(Self.line, cumulativeSeconds: Self.line.cumulativeMeters.map { -$0 }) == nil)
        #expect(Timetable(Self.line, cumulativeSeconds: Self.line.cumulativeMeters) != nil)
    }

    @Test("a route that is cut and joined again has the times of its parts", arguments: 0..<100)
    func parts(seed: Int) throws {
        var generator = SeededRandom(seed: UInt64(seed))
        let times = try #require(Timetable(Self.line, cumulativeSeconds: randomTimes(&generator)))
        let route = RouteLine(Self.line, times: times)
        // The cut lies between two coordinates of the line, because the car may stand at a coordinate for some time.
        let cut = Double.random(in: 0..<20, using: &generator).rounded(.down) * 50 + Double.random(in: 5...45, using: &generator)
        let (head, tail) = (route.slice(fromMeters: 0, toMeters: cut), route.slice(fromMeters: cut, toMeters: .infinity))
        let sum = (head.times?.durationSeconds ?? 0) + (tail.times?.durationSeconds ?? 0)
        #expect(abs(sum - times.durationSeconds) < 1e-6)
        let whole = try #require(head.appending(tail).times)
        for meters in stride(from: 3.0, to: 1_000, by: 10) {
            #expect(abs(whole.seconds(atMeters: meters) - times.seconds(atMeters: meters)) < 1e-4, "\(meters)")
        }
        let part = try #require(route.slice(fromMeters: 123, toMeters: 456).times)
        #expect(abs(part.durationSeconds - (times.seconds(atMeters: 456) - times.seconds(atMeters: 123))) < 1e-6)
    }

    @Test("if two routes do not meet, the time between them is unknown")
    func apart() {
        let route = RouteLine(Self.line, times: Timetable(Self.line, cumulativeSeconds: Self.line.cumulativeMeters))
        #expect(route.appending(route).times == nil && route.appending(RouteLine()).times == route.times)
        #expect(RouteLine().appending(route).times == route.times && RouteLine(Self.line).appending(route).times == nil)
    }
}
