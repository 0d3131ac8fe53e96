import Geo
import Testing

@Suite("The nearest point on a line")
struct PolylineNearestTests {
    @Test("it lies on the line at the stated distance, and no sampled point is nearer")
    func staysOnTheLine() throws {
        var random = SeededRandom(seed: 30)
        for _ in 0..<150 {
            let start = random.coordinate(latitudes: -75...75)
            let line = Polyline(random.walk(from: start, count: random.int(in: 2...60), step: 200))
            let point = start.offset(eastMeters: random.double(in: -3_000...9_000), northMeters: random.double(in: -3_000...9_000))
            let found = try #require(line.nearest(to: point))
            let place = try #require(line.coordinate(atMeters: found.alongMeters))
            #expect(place.distanceMeters(to: found.coordinate) < 1e-6)
            #expect(abs(point.distanceMeters(to: found.coordinate) - found.distanceMeters) < 1e-9)
            #expect(line.cumulativeMeters[found.segmentIndex] <= found.alongMeters + 1e-9)
            #expect(line.cumulativeMeters[found.segmentIndex + 1] >= found.alongMeters - 1e-9)
            for share in stride(from: 0.0, through: 1, by: 0.01) {
                let other = try #require(line.coordinate(atMeters: line.lengthMeters * share))
                #expect(point.distanceMeters(to: other) >= found.distanceMeters * 0.997 - 0.01)
            }
        }
    }

    @Test("a point moved to the side of the line is found again")
    func beside() throws {
        let line = PolylineTests.hook
        for (meters, index) in [(300.0, 0), (1_400, 1), (2_600, 2)] {
            let on = try #require(line.coordinate(atMeters: meters))
            let found = try #require(line.nearest(to: on.offset(eastMeters: 3, northMeters: 3)))
            #expect(abs(found.alongMeters - meters) < 3.1 && abs(found.distanceMeters - 3) < 0.01 && found.segmentIndex == index)
        }
    }

    @Test("before the start and after the end, the ends are nearest")
    func ends() throws {
        let line = PolylineTests.hook
        let before = try #require(line.nearest(to: Coordinate(44.9, 6.99)))
        #expect(before.alongMeters == 0 && before.coordinate == line.coordinates[0] && before.segmentIndex == 0)
        let behind = try #require(line.nearest(to: Coordinate(44.99, 7.011)))
        #expect(abs(behind.alongMeters - line.lengthMeters) < 1e-9 && behind.coordinate == line.coordinates[3] && behind.segmentIndex == 2)
    }

    @Test("out and back: of two points at the same distance the first is chosen, unless the window excludes it")
    func outAndBack() throws {
        var random = SeededRandom(seed: 31)
        let out = random.walk(from: Coordinate(51.3, -0.7), count: 80)
        let line = Polyline(out + out.reversed().dropFirst())
        let half = line.lengthMeters / 2
        for _ in 0..<500 {
            let along = random.double(in: 0...half)
            let on = try #require(line.coordinate(atMeters: along))
            let point = on.offset(eastMeters: random.double(in: -60...60), northMeters: random.double(in: -60...60))
            let first = try #require(line.nearest(to: point))
            #expect(first.alongMeters <= half + 1e-6)
            let back = try #require(line.nearest(to: point, alongMeters: half...line.lengthMeters))
            #expect(back.alongMeters >= half)
            #expect(abs(back.distanceMeters - first.distanceMeters) < 1e-5)
        }
    }

    @Test("the result is in the window, which is clamped to the line")
    func windows() throws {
        var random = SeededRandom(seed: 32)
        let line = Polyline(random.walk(from: Coordinate(-8, 115), count: 200))
        for _ in 0..<1_000 {
            let (one, two) = (random.double(in: -500...line.lengthMeters + 500), random.double(in: -500...line.lengthMeters + 500))
            let window = min(one, two)...max(one, two)
            let point = Coordinate(-8, 115).offset(eastMeters: random.double(in: 0...2_000), northMeters: random.double(in: 0...2_000))
            let found = try #require(line.nearest(to: point, alongMeters: window))
            let inside = window.clamped(to: 0...line.lengthMeters)
            #expect(inside.contains(found.alongMeters))
            let part = line.slice(fromMeters: inside.lowerBound, toMeters: inside.upperBound)
            let same = try #require(part.nearest(to: point))
            #expect(abs(same.distanceMeters - found.distanceMeters) < 1e-5)
            #expect(abs(inside.lowerBound + same.alongMeters - found.alongMeters) < 0.01)
        }
        #expect(try #require(line.nearest(to: Coordinate(-8, 115), alongMeters: 1e9 ... .infinity)).coordinate == line.coordinates.last)
        #expect(try #require(line.nearest(to: Coordinate(-8, 115), alongMeters: -9 ... -3)).coordinate == line.coordinates.first)
    }

    @Test("a window of length zero gives its only point")
    func pointWindow() throws {
        let line = PolylineTests.hook
        for meters in [0, 500, line.cumulativeMeters[1], line.cumulativeMeters[2], line.lengthMeters] {
            let found = try #require(line.nearest(to: Coordinate(45.02, 7.02), alongMeters: meters...meters))
            #expect(found.alongMeters == meters)
            #expect(found.coordinate.distanceMeters(to: try #require(line.coordinate(atMeters: meters))) < 1e-6)
        }
    }

    @Test("repeated coordinates, poles and far points give finite figures")
    func odd() throws {
        let repeated = Polyline([Coordinate(1, 1), Coordinate(1, 1), Coordinate(1, 1.01), Coordinate(1, 1.01)])
        #expect(try #require(repeated.nearest(to: Coordinate(1, 0.9))).alongMeters == 0)
        #expect(try #require(repeated.nearest(to: Coordinate(1, 2))).coordinate == Coordinate(1, 1.01))
        let polar = Polyline([Coordinate(89.9, 0), Coordinate(90, 0), Coordinate(89.9, 180)])
        for latitude in oddNumbers {
            for longitude in oddNumbers {
                for line in [repeated, polar, PolylineTests.hook] {
                    guard let found = line.nearest(to: Coordinate(latitude, longitude)) else { continue }
                    #expect(found.distanceMeters.isFinite && found.alongMeters.isFinite && found.coordinate.isValid)
                }
            }
        }
    }
}
