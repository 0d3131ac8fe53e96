import Geo
import Testing

@Suite("Bounding boxes")
struct BoundingBoxTests {
    @Test("the box around some places")
    func plain() throws {
        let box = try #require(BoundingBox([Coordinate(47.1, 9.5), Coordinate(47.2, 9.4), Coordinate(46.9, 9.6)]))
        #expect(box == BoundingBox(south: 46.9, west: 9.4, north: 47.2, east: 9.6))
        #expect(abs(box.center.latitude - 47.05) < 1e-12 && abs(box.center.longitude - 9.5) < 1e-12)
        #expect(box.contains(Coordinate(47, 9.5)) && !box.contains(Coordinate(47, 9.7)) && !box.contains(Coordinate(48, 9.5)))
    }

    @Test("without a valid place there is no box, and invalid places are ignored")
    func empty() {
        #expect(BoundingBox([]) == nil)
        #expect(BoundingBox([Coordinate(.nan, 0), Coordinate(0, 181)]) == nil)
        #expect(BoundingBox([Coordinate(.nan, 0), Coordinate(1, 2)]) == BoundingBox([Coordinate(1, 2)]))
    }

    @Test("over the antimeridian the box is narrow and its east edge is beyond 180")
    func antimeridian() throws {
        let box = try #require(BoundingBox([Coordinate(-17, 179.5), Coordinate(-18, -179.5)]))
        #expect(box.west == 179.5 && box.east == 180.5)
        #expect(BoundingBox(south: -18, west: 179.5, north: -17, east: -179.5) == box)
        #expect(abs(box.center.longitude) == 180)
        #expect(box.contains(Coordinate(-17.5, 179.9)) && box.contains(Coordinate(-17.5, -179.9)) && box.contains(Coordinate(-17.5, -180)))
        #expect(!box.contains(Coordinate(-17.5, 179)) && !box.contains(Coordinate(-17.5, 0)))
    }

    @Test("of all boxes around random places, the narrowest is chosen")
    func narrowest() throws {
        var random = SeededRandom(seed: 4)
        for _ in 0..<500 {
            let places = (0..<random.int(in: 1...6)).map { _ in random.coordinate(latitudes: -90...90) }
            let box = try #require(BoundingBox(places))
            #expect(places.allSatisfy(box.contains))
            let narrowest = places.map { west in
                places.map {
                    (($0.longitude - west.longitude).truncatingRemainder(dividingBy: 360) + 360).truncatingRemainder(dividingBy: 360)
                }
                .max() ?? 0
            }.min()
            #expect(abs(box.longitudeSpan - (narrowest ?? 0)) < 1e-9)
            #expect(box.west >= -180 && box.west <= 180 && box.center.isValid)
        }
    }

    @Test("a union contains both boxes, goes round the narrow way and does not depend on the order")
    func union() throws {
        var random = SeededRandom(seed: 5)
        for _ in 0..<500 {
            let first = try #require(BoundingBox([random.coordinate(), random.coordinate()]))
            let second = try #require(BoundingBox([random.coordinate(), random.coordinate()]))
            let both = first.union(second)
            for box in [first, second] {
                #expect(both.contains(box.center))
                #expect(both.south <= box.south && both.north >= box.north && both.longitudeSpan >= box.longitudeSpan - 1e-9)
            }
            #expect(abs(both.longitudeSpan - second.union(first).longitudeSpan) < 1e-9)
        }
        let fiji = BoundingBox(south: -18, west: 177, north: -17, east: 179)
        let samoa = BoundingBox(south: -14, west: -173, north: -13, east: -171)
        #expect(fiji.union(samoa) == BoundingBox(south: -18, west: 177, north: -13, east: 189))
    }

    @Test("padding by metres leaves that much space on each side")
    func paddingByMeters() {
        let box = BoundingBox(south: 47, west: 9, north: 47.1, east: 9.2)
        let padded = box.padded(byMeters: 500)
        #expect(abs(Coordinate(47.1, 9).distanceMeters(to: Coordinate(padded.north, 9)) - 500) < 1)
        #expect(abs(Coordinate(47.1, 9).distanceMeters(to: Coordinate(47.1, padded.west)) - 500) < 1)
        #expect(Coordinate(47, 9).distanceMeters(to: Coordinate(47, padded.west)) >= 499)
    }

    @Test("padding by a fraction keeps the middle; shrinking stops at the middle")
    func paddingByFraction() {
        let box = BoundingBox(south: -1, west: 179, north: 1, east: 181)
        #expect(box.padded(byFraction: 0.5) == BoundingBox(south: -2, west: 178, north: 2, east: 182))
        #expect(box.padded(byFraction: -3) == BoundingBox(south: 0, west: 180, north: 0, east: 180))
        #expect(box.padded(byFraction: 1e6).longitudeSpan == 360 && box.padded(byFraction: 1e6).latitudeSpan == 180)
        #expect(box.padded(byFraction: .nan) == box && box.padded(byMeters: .infinity) == box)
    }

    @Test("whatever the edges are, the box keeps its order")
    func oddEdges() {
        for first in oddNumbers {
            for second in oddNumbers {
                let box = BoundingBox(south: first, west: second, north: second, east: first).padded(byMeters: second).padded(
                    byFraction: first)
                #expect(box.south <= box.north && box.south >= -90 && box.north <= 90)
                #expect(box.west >= -180 && box.west <= 180 && box.east >= box.west && box.longitudeSpan <= 360.0000001)
            }
        }
    }
}
