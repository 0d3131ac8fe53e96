import Geo
import Testing

@testable import DemoTown

@Suite("Finding roads")
struct RoadSearchTests {
    @Test("The nearest road is the one that looking at all of them finds", arguments: 1...8 as ClosedRange<UInt64>)
    func nearest(seed: UInt64) {
        let roads = StreetPatch(seed: seed).roads
        let segments = roads.segments()
        var random = SeededRandom(seed: seed)
        for _ in 0..<40 {
            let place = StreetPatch.randomPlace(&random)
            let radius = random.double(in: 5...200)
            check(roads.nearestRoad(to: place, withinMeters: radius), Spot(place), radius, segments)
        }
    }

    @Test("So it is in a whole town and far outside of it")
    func nearestInTown() {
        let town = Towns.standard
        let segments = town.roads.segments()
        var random = SeededRandom(seed: 1)
        for _ in 0..<Towns.tries {
            let place = town.center.offset(eastMeters: random.double(in: -5200...5200), northMeters: random.double(in: -4600...4600))
            let radius = random.double(in: 5...700)
            check(town.roads.nearestRoad(to: place, withinMeters: radius), Spot(place), radius, segments)
        }
    }

    private func check(_ found: RoadPosition?, _ spot: Spot, _ radius: Double, _ segments: [Segment]) {
        let expected = segments.reduce(Double.infinity) { min($0, spot.distance(toSegment: $1.start, $1.end)) }
        #expect((found != nil) == (expected <= radius))
        if let found { #expect(abs(found.distanceMeters - expected) < 0.02 + expected * 0.001) }
    }

    @Test("The place found lies on its edge")
    func position() throws {
        let town = Towns.standard
        var random = SeededRandom(seed: 5)
        for _ in 0..<Towns.tries {
            let place = town.center.offset(eastMeters: random.double(in: -1500...1500), northMeters: random.double(in: -1500...1500))
            let found = try #require(town.roads.nearestRoad(to: place, withinMeters: 700))
            let line = Polyline(town.roads.geometry(ofEdge: found.edge))
            let there = try #require(line.coordinate(atMeters: found.alongMeters))
            #expect(there.distanceMeters(to: found.coordinate) < 0.02)
            #expect(found.name == town.roads.edges[found.edge].name)
        }
    }

    @Test("Nonsense finds nothing and does no harm")
    func hostile() {
        let roads = Towns.standard.roads
        let places = [
            Coordinate(latitude: .nan, longitude: 0), Coordinate(latitude: 0, longitude: .infinity),
            Coordinate(latitude: 1e300, longitude: -1e300),
            Coordinate(latitude: 90, longitude: 180), Coordinate(latitude: -90, longitude: -180),
        ]
        for place in places {
            for radius in [300.0, .infinity, .nan, -1, 0] where !(place.isValid && radius == .infinity) {
                #expect(roads.nearestRoad(to: place, withinMeters: radius) == nil)
            }
        }
        let center = Towns.standard.center
        #expect(roads.nearestRoad(to: center, withinMeters: .nan) == nil)
        #expect(roads.nearestRoad(to: center, withinMeters: -5) == nil)
        #expect(roads.nearestRoad(to: center, withinMeters: .infinity) != nil)
    }
}
