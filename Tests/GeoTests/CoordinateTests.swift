import Geo
import Testing

@Suite("Distances and bearings")
struct CoordinateTests {
    @Test("up to 20 km the distance is within 1e-7 of the geodesic", arguments: GeodesicVector.short + GeodesicVector.edge)
    func shortDistance(vector: GeodesicVector) {
        let distance = vector.from.distanceMeters(to: vector.to)
        #expect(abs(distance - vector.meters) <= 1e-7 * vector.meters)
    }

    @Test("beyond 20 km the distance stays within 1e-7", arguments: GeodesicVector.long)
    func longDistance(vector: GeodesicVector) {
        #expect(abs(vector.from.distanceMeters(to: vector.to) - vector.meters) <= 1e-7 * vector.meters)
    }

    @Test("nearly antipodal places get a distance within 0.6 %", arguments: GeodesicVector.antipodal)
    func antipodalDistance(vector: GeodesicVector) {
        #expect(abs(vector.from.distanceMeters(to: vector.to) - vector.meters) <= 6e-3 * vector.meters)
    }

    @Test("the bearing is the initial direction of the geodesic, within 0.01°", arguments: GeodesicVector.short + GeodesicVector.long)
    func bearing(vector: GeodesicVector) {
        #expect(angleBetween(vector.from.bearingDegrees(to: vector.to), vector.azimuth) < 0.01)
    }

    @Test("distance is symmetric, zero for the same place, and never negative")
    func symmetry() {
        var random = SeededRandom(seed: 1)
        for _ in 0..<2_000 {
            let from = random.coordinate()
            let near = from.offset(eastMeters: random.double(in: -2e4...2e4), northMeters: random.double(in: -2e4...2e4))
            for to in [near, random.coordinate(latitudes: -90...90)] {
                let there = from.distanceMeters(to: to)
                #expect(abs(there - to.distanceMeters(to: from)) <= 1e-9 * there + 1e-9)
                #expect(there >= 0)
            }
            #expect(from.distanceMeters(to: from) == 0)
            #expect(from.bearingDegrees(to: from) == 0)
        }
    }

    @Test("a bearing is in [0, 360) for all places")
    func bearingRange() {
        var random = SeededRandom(seed: 2)
        for _ in 0..<2_000 {
            let bearing = random.coordinate(latitudes: -90...90).bearingDegrees(to: random.coordinate(latitudes: -90...90))
            #expect(bearing >= 0 && bearing < 360)
        }
        let origin = Coordinate(0, 0)
        #expect(origin.bearingDegrees(to: Coordinate(0.01, 0)) == 0)
        #expect(origin.bearingDegrees(to: Coordinate(0, 0.01)) == 90)
        #expect(origin.bearingDegrees(to: Coordinate(-0.01, 0)) == 180)
        #expect(origin.bearingDegrees(to: Coordinate(0, -0.01)) == 270)
        #expect(origin.bearingDegrees(to: Coordinate(0.01, -1e-18)) < 360)
    }

    @Test("the short and the long formula agree where they meet", arguments: [-80.0, -45, 0, 30, 60, 80])
    func formulasMeet(latitude: Double) {
        let from = Coordinate(latitude, 10)
        for (below, above) in [
            (Coordinate(latitude + 0.2699999, 10.5), Coordinate(latitude + 0.2700001, 10.5)),
            (Coordinate(latitude, 12.0999999), Coordinate(latitude, 12.1000001)),
        ] {
            let step = from.distanceMeters(to: above) - from.distanceMeters(to: below)
            #expect(abs(step) < 0.06)
        }
    }

    @Test("the antimeridian is crossed by the shorter way")
    func antimeridian() {
        let west = Coordinate(-17.8, 179.999)
        let east = Coordinate(-17.8, -179.999)
        #expect(west.distanceMeters(to: east) < 215)
        #expect(abs(west.bearingDegrees(to: east) - 90) < 0.01)
        #expect(Coordinate(5, 180).distanceMeters(to: Coordinate(5, -180)) == 0)
    }

    @Test("an offset has the requested distance and direction")
    func offset() {
        var random = SeededRandom(seed: 3)
        for _ in 0..<2_000 {
            let from = random.coordinate(latitudes: -75...75)
            let (east, north) = (random.double(in: -1e4...1e4), random.double(in: -1e4...1e4))
            let to = from.offset(eastMeters: east, northMeters: north)
            let distance = (east * east + north * north).squareRoot()
            #expect(to.isValid)
            #expect(abs(from.distanceMeters(to: to) - distance) <= 2e-5 * distance)
            let back = LocalFrame(latitude: (from.latitude + to.latitude) / 2).offsetMeters(from: from, to: to)
            #expect(abs(back.east - east) < 1e-3 && abs(back.north - north) < 1e-3)
        }
    }

    @Test("an offset over a pole or the antimeridian stays on the globe")
    func offsetAtTheEdges() {
        #expect(Coordinate(89.9, 0).offset(eastMeters: 0, northMeters: 1e6).latitude == 90)
        #expect(Coordinate(90, 0).offset(eastMeters: 1e6, northMeters: 0).isValid)
        let over = Coordinate(0, 179.999).offset(eastMeters: 1_000, northMeters: 0)
        #expect(over.isValid && over.longitude < -179.9)
        #expect(Coordinate(1, 2).offset(eastMeters: .nan, northMeters: 1) == Coordinate(1, 2))
    }

    @Test("isValid requires finite numbers in range")
    func validity() {
        #expect(Coordinate(90, -180).isValid && Coordinate(-90, 180).isValid && Coordinate(0, 0).isValid)
        for bad in [Double.nan, .infinity, -.infinity, 180.0000001, -1e300] {
            #expect(!Coordinate(0, bad).isValid)
            #expect(!Coordinate(bad, 0).isValid)
        }
        #expect(!Coordinate(90.0000001, 0).isValid)
    }

    @Test("exactly 0,0 is not accepted as a device's position; a place beside it is")
    func zero() {
        #expect(!Coordinate(0, 0).isBelievablePosition && !Coordinate(-0.0, 0).isBelievablePosition)
        #expect(!Coordinate(.nan, 0).isBelievablePosition && !Coordinate(0, 181).isBelievablePosition)
        #expect(Coordinate(0, 0.000001).isBelievablePosition && Coordinate(-0.000001, 0).isBelievablePosition)
    }

    @Test("no pair of unusual numbers traps")
    func oddNumbersNeverTrap() {
        let places = oddNumbers.flatMap { latitude in oddNumbers.map { Coordinate(latitude, $0) } }
        for from in places {
            for to in [places[0], Coordinate(1, 2), Coordinate(-from.latitude, from.longitude + 180)] {
                _ = from.distanceMeters(to: to)
                _ = from.bearingDegrees(to: to)
                _ = from.offset(eastMeters: to.latitude, northMeters: to.longitude)
                _ = from.interpolated(to: to, fraction: to.latitude)
            }
        }
    }

    @Test("interpolation reaches both ends exactly and takes the shorter way round")
    func interpolation() {
        let (west, east) = (Coordinate(0.1, 179.7), Coordinate(0.3, -179.9))
        #expect(west.interpolated(to: east, fraction: 0) == west && west.interpolated(to: east, fraction: 1) == east)
        #expect(west.interpolated(to: east, fraction: -2) == west && west.interpolated(to: east, fraction: 7) == east)
        let middle = west.interpolated(to: east, fraction: 0.5)
        #expect(abs(middle.latitude - 0.2) < 1e-12 && abs(middle.longitude - 179.9) < 1e-9)
        #expect(west.interpolated(to: east, fraction: 0.9).longitude < -179)
    }

    @Test("a longitude is wrapped into -180...180")
    func wrapping() {
        for (degrees, wrapped) in [(0.0, 0.0), (180, 180), (-180, -180), (181, -179), (-190, 170), (540, 180), (725, 5)] {
            #expect(abs(Coordinate.wrappedLongitude(degrees)) == abs(wrapped))
            #expect((Coordinate.wrappedLongitude(degrees) - wrapped).truncatingRemainder(dividingBy: 360) == 0)
        }
    }
}

@Suite("Local frame")
struct LocalFrameTests {
    @Test(
        "the length of a degree", arguments: [(0.0, 110_574.276, 111_319.491), (45, 111_131.778, 78_846.806), (60, 111_412.273, 55_799.98)])
    func degreeLengths(latitude: Double, meridian: Double, parallel: Double) {
        for sign in [1.0, -1] {
            let frame = LocalFrame(latitude: sign * latitude)
            #expect(abs(frame.metersPerDegreeLatitude - meridian) < 0.05)
            #expect(abs(frame.metersPerDegreeLongitude - parallel) < 0.05)
        }
    }

    @Test("a frame at the middle latitude is exact within 4e-6 up to 20 km and 70°", arguments: GeodesicVector.short)
    func middleLatitude(vector: GeodesicVector) {
        guard abs(vector.from.latitude) < 70 else { return }
        let frame = LocalFrame(latitude: (vector.from.latitude + vector.to.latitude) / 2)
        let offset = frame.offsetMeters(from: vector.from, to: vector.to)
        let length = (offset.east * offset.east + offset.north * offset.north).squareRoot()
        #expect(abs(length - vector.meters) <= 4e-6 * vector.meters)
    }

    @Test("poles and impossible values give finite, non-negative scales", arguments: [90, -90, 1e300, -Double.infinity])
    func poles(latitude: Double) {
        let frame = LocalFrame(latitude: latitude)
        #expect(frame.metersPerDegreeLongitude >= 0 && frame.metersPerDegreeLongitude < 1e-6)
        #expect(abs(frame.metersPerDegreeLatitude - 111_693.98) < 0.05)
    }
}
