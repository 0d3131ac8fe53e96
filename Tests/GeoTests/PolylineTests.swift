import Geo
import Testing

@Suite("Polylines")
struct PolylineTests {
    /// A line that runs about 1.1 km to the north, 0.8 km to the east, and 1.1 km to the south.
    static let hook = Polyline([Coordinate(45, 7), Coordinate(45.01, 7), Coordinate(45.01, 7.01), Coordinate(45, 7.01)])

    @Test("metres are summed from coordinate to coordinate")
    func cumulative() {
        var random = SeededRandom(seed: 20)
        let places = random.walk(from: Coordinate(-33, 151), count: 500)
        let line = Polyline(places)
        #expect(line.coordinates == places && line.cumulativeMeters.count == 500 && line.cumulativeMeters.first == 0)
        var total = 0.0
        for (index, (from, to)) in zip(places, places.dropFirst()).enumerated() {
            total += from.distanceMeters(to: to)
            #expect(abs(line.cumulativeMeters[index + 1] - total) < 1e-9)
        }
        #expect(line.lengthMeters == line.cumulativeMeters.last)
    }

    @Test("no coordinate, one coordinate, and the same coordinate twice")
    func small() {
        let empty = Polyline([])
        #expect(empty.isEmpty && empty.lengthMeters == 0 && empty.cumulativeMeters == [] && empty.boundingBox == nil)
        #expect(
            empty.nearest(to: Coordinate(0, 0)) == nil && empty.coordinate(atMeters: 0) == nil && empty.bearingDegrees(atMeters: 0) == nil)
        #expect(empty.slice(fromMeters: 0, toMeters: 9).isEmpty)
        let place = Coordinate(1, 2)
        for line in [Polyline([place]), Polyline([place, place])] {
            #expect(!line.isEmpty && line.lengthMeters == 0)
            #expect(line.coordinate(atMeters: 5) == place && line.coordinate(atMeters: -5) == place)
            #expect(line.bearingDegrees(atMeters: 0) == nil)
            #expect(line.slice(fromMeters: 0, toMeters: 9).coordinates == [place])
            let projection = line.nearest(to: Coordinate(1, 2.001))
            #expect(projection?.coordinate == place && projection?.alongMeters == 0 && projection?.segmentIndex == 0)
        }
    }

    @Test("invalid coordinates are left out, and all values remain finite")
    func invalid() {
        let line = Polyline([Coordinate(.nan, 0), Coordinate(1, 1), Coordinate(95, 0), Coordinate(1, 1.01), Coordinate(0, .infinity)])
        #expect(line == Polyline([Coordinate(1, 1), Coordinate(1, 1.01)]))
        #expect(line.cumulativeMeters.allSatisfy(\.isFinite) && line.cumulativeMeters.count == 2)
        #expect(line.nearest(to: Coordinate(.nan, 1)) == nil && line.nearest(to: Coordinate(1, 999)) == nil)
        #expect(Polyline([Coordinate(0, 200)]).isEmpty)
    }

    @Test("a line of unusual numbers has finite values and does not trap")
    func oddCoordinates() {
        let line = Polyline(oddNumbers.flatMap { latitude in oddNumbers.map { Coordinate(latitude, $0) } })
        #expect(!line.isEmpty && line.coordinates.allSatisfy(\.isValid) && line.lengthMeters.isFinite)
        #expect(zip(line.cumulativeMeters, line.cumulativeMeters.dropFirst()).allSatisfy { $0 <= $1 })
        for start in oddNumbers {
            _ = line.coordinate(atMeters: start)
            for end in oddNumbers {
                #expect(line.slice(fromMeters: start, toMeters: end).lengthMeters.isFinite)
                #expect(line.bearingDegrees(atMeters: start, averagingOverMeters: end)?.isFinite ?? true)
            }
        }
    }

    @Test("the point at a distance is at that distance along the line, and is clamped to the ends")
    func coordinateAtMeters() throws {
        let line = Self.hook
        for index in line.coordinates.indices {
            let place = try #require(line.coordinate(atMeters: line.cumulativeMeters[index]))
            #expect(place.distanceMeters(to: line.coordinates[index]) < 1e-6)
        }
        #expect(line.coordinate(atMeters: -1) == line.coordinates.first && line.coordinate(atMeters: 1e9) == line.coordinates.last)
        #expect(line.coordinate(atMeters: .infinity) == line.coordinates.last && line.coordinate(atMeters: .nan) == nil)
        let half = try #require(line.coordinate(atMeters: line.cumulativeMeters[1] / 2))
        #expect(abs(half.latitude - 45.005) < 1e-9 && half.longitude == 7)
    }

    @Test("joining keeps every coordinate and adds the length of the gap")
    func appending() {
        let first = Polyline([Coordinate(45, 7), Coordinate(45.01, 7)])
        let second = Polyline([Coordinate(45.01, 7), Coordinate(45.01, 7.01)])
        let joined = first.appending(second)
        #expect(joined.coordinates == first.coordinates + second.coordinates)
        #expect(abs(joined.lengthMeters - first.lengthMeters - second.lengthMeters) < 1e-9)
        let apart = second.appending(first)
        let fresh = Polyline(second.coordinates + first.coordinates)
        #expect(apart == fresh && zip(apart.cumulativeMeters, fresh.cumulativeMeters).allSatisfy { abs($0 - $1) < 1e-9 })
        #expect(first.appending(Polyline([])) == first && Polyline([]).appending(first) == first)
    }

    @Test("the slices of a line add up to it")
    func slices() {
        var random = SeededRandom(seed: 21)
        let line = Polyline(random.walk(from: Coordinate(60, 179.99), count: 300))
        for _ in 0..<500 {
            let cut = random.double(in: 0...line.lengthMeters)
            let (before, after) = (line.slice(fromMeters: 0, toMeters: cut), line.slice(fromMeters: cut, toMeters: line.lengthMeters))
            #expect(abs(before.lengthMeters + after.lengthMeters - line.lengthMeters) < 1e-6)
            #expect(before.coordinates.last == after.coordinates.first)
            #expect(abs(Polyline(before.coordinates).lengthMeters - before.lengthMeters) < 1e-3)
            #expect(before.cumulativeMeters.count == before.coordinates.count && before.coordinates.allSatisfy(\.isValid))
            #expect(zip(after.cumulativeMeters, after.cumulativeMeters.dropFirst()).allSatisfy { $0 <= $1 })
        }
    }

    @Test("a slice is clamped, may be a single point, and is empty if its ends are reversed")
    func sliceEdges() {
        let line = Self.hook
        #expect(line.slice(fromMeters: -5, toMeters: .infinity) == line)
        #expect(line.slice(fromMeters: 100, toMeters: 100).coordinates.count == 1)
        #expect(line.slice(fromMeters: 1e9, toMeters: 2e9).coordinates == [line.coordinates[3]])
        #expect(line.slice(fromMeters: 200, toMeters: 100).isEmpty)
        #expect(line.slice(fromMeters: .nan, toMeters: 100).isEmpty && line.slice(fromMeters: 0, toMeters: .nan).isEmpty)
        let middle = line.slice(fromMeters: line.cumulativeMeters[1], toMeters: line.cumulativeMeters[2])
        #expect(middle.coordinates == [line.coordinates[1], line.coordinates[2]])
    }

    @Test("over the antimeridian, a line has its true short length")
    func antimeridian() throws {
        let line = Polyline([Coordinate(-17, 179.99), Coordinate(-17, -179.99)])
        #expect(line.lengthMeters < 2_200)
        let middle = try #require(line.coordinate(atMeters: line.lengthMeters / 2))
        #expect(abs(abs(middle.longitude) - 180) < 1e-9)
        #expect(try #require(line.nearest(to: Coordinate(-17.001, -179.995))).distanceMeters < 112)
    }

    @Test("100,000 coordinates work")
    func large() throws {
        var random = SeededRandom(seed: 22)
        let places = random.walk(from: Coordinate(10, 10), count: 100_000)
        let line = Polyline(places)
        for index in stride(from: 0, to: 100_000, by: 9_999) {
            let along = line.cumulativeMeters[index]
            let found = try #require(line.nearest(to: places[index], alongMeters: max(0, along - 30)...along + 150))
            #expect(found.distanceMeters < 1e-6)
            #expect(
                abs(line.slice(fromMeters: along, toMeters: along + 500).lengthMeters - min(500, line.lengthMeters - along)) < 1e-6)
        }
        #expect(try #require(line.boundingBox).contains(places[50_000]))
    }
}

@Suite("The direction of a line")
struct PolylineBearingTests {
    @Test("on a straight section it is the direction of the section")
    func straight() throws {
        let line = PolylineTests.hook
        for (meters, expected) in [(0.0, 0.0), (500, 0), (1_500, 90), (2_500, 180), (1e9, 180), (-4, 0)] {
            #expect(angleBetween(try #require(line.bearingDegrees(atMeters: meters)), expected) < 0.02)
        }
    }

    @Test("at a corner it is the mean of both sides, weighted by their lengths")
    func corner() throws {
        let line = PolylineTests.hook
        let corner = line.cumulativeMeters[1]
        #expect(angleBetween(try #require(line.bearingDegrees(atMeters: corner)), 45) < 0.1)
        #expect(angleBetween(try #require(line.bearingDegrees(atMeters: corner - 7.4)), 0) < 1)
        #expect(angleBetween(try #require(line.bearingDegrees(atMeters: corner + 7.4)), 90) < 1)
        #expect(angleBetween(try #require(line.bearingDegrees(atMeters: corner - 1, averagingOverMeters: 0)), 0) < 0.02)
        #expect(angleBetween(try #require(line.bearingDegrees(atMeters: corner + 1, averagingOverMeters: -3)), 90) < 0.02)
    }

    @Test("where the line turns back, the direction ahead counts")
    func hairpin() throws {
        let line = Polyline([Coordinate(45, 7), Coordinate(45.01, 7), Coordinate(45, 7)])
        let turn = line.lengthMeters / 2
        #expect(angleBetween(try #require(line.bearingDegrees(atMeters: turn)), 180) < 0.02)
        #expect(angleBetween(try #require(line.bearingDegrees(atMeters: turn - 0.2)), 180) < 0.02)
        #expect(angleBetween(try #require(line.bearingDegrees(atMeters: turn - 20)), 0) < 0.02)
    }

    @Test("repeated coordinates at the ends do not hide the direction")
    func repeated() throws {
        let (start, end) = (Coordinate(45, 7), Coordinate(45, 7.01))
        let line = Polyline([start, start, start, end, end, end])
        for meters in [0.0, 1, line.lengthMeters - 1, line.lengthMeters] {
            for window in [15.0, 0, .nan, .infinity] {
                #expect(angleBetween(try #require(line.bearingDegrees(atMeters: meters, averagingOverMeters: window)), 90) < 0.02)
            }
        }
        #expect(line.bearingDegrees(atMeters: .nan) == nil)
    }
}
