import Geo
import Testing

@Suite("Web Mercator")
struct WebMercatorTests {
    /// Coordinates and their points on the unit square. They were computed with PROJ (EPSG:4326 to EPSG:3857) and then scaled.
    static let vectors: [(Coordinate, MercatorPoint)] = [
        (Coordinate(0, 0), MercatorPoint(x: 0.5, y: 0.5)),
        (Coordinate(47.6062, -122.3321), MercatorPoint(x: 0.1601886111111111, y: 0.3492430118043245)),
        (Coordinate(-33.8688, 151.2093), MercatorPoint(x: 0.9200258333333333, y: 0.6000922514587761)),
        (Coordinate(85, -179.5), MercatorPoint(x: 0.001388888888888884, y: 0.0016379147860541843)),
        (Coordinate(-84.9, 12), MercatorPoint(x: 0.5333333333333333, y: 0.9952063149767323)),
        (Coordinate(1e-6, -1e-6), MercatorPoint(x: 0.4999999972222222, y: 0.4999999972222222)),
        (Coordinate(60, 180), MercatorPoint(x: 1, y: 0.29039964086050873)),
    ]

    @Test("known places are projected to known points and back", arguments: vectors)
    func known(coordinate: Coordinate, point: MercatorPoint) {
        let projected = WebMercator.project(coordinate)
        #expect(abs(projected.x - point.x) < 1e-13 && abs(projected.y - point.y) < 1e-13)
        let back = WebMercator.unproject(point)
        #expect(abs(back.latitude - coordinate.latitude) < 1e-10 && abs(back.longitude - coordinate.longitude) < 1e-10)
    }

    @Test("beyond the last latitude, everything is on the edge")
    func edges() {
        #expect(abs(WebMercator.project(Coordinate(WebMercator.maximumLatitude, 0)).y) < 1e-12)
        #expect(WebMercator.project(Coordinate(90, -180)) == MercatorPoint(x: 0, y: 0))
        #expect(WebMercator.project(Coordinate(-90, 180)) == MercatorPoint(x: 1, y: 1))
        #expect(abs(WebMercator.unproject(MercatorPoint(x: 0.5, y: -3)).latitude - WebMercator.maximumLatitude) < 1e-9)
        #expect(abs(WebMercator.unproject(MercatorPoint(x: 1.25, y: 0.5)).longitude + 90) < 1e-9)
    }

    @Test("longitudes beyond 180 continue to the right of the square")
    func beyondTheSquare() {
        #expect(WebMercator.project(Coordinate(0, 190)).x > 1)
    }

    @Test("the length of the square's side in metres decreases with the latitude")
    func scale() {
        #expect(abs(WebMercator.metersPerUnit(atLatitude: 0) - 40_075_016.685578) < 1e-5)
        #expect(abs(WebMercator.metersPerUnit(atLatitude: -60) - 20_037_508.342789) < 1e-5)
        let (here, there) = (Coordinate(47.6, -122.3), Coordinate(47.601, -122.302))
        let (from, to) = (WebMercator.project(here), WebMercator.project(there))
        let side = ((to.x - from.x) * (to.x - from.x) + (to.y - from.y) * (to.y - from.y)).squareRoot()
        let meters = side * WebMercator.metersPerUnit(atLatitude: 47.6)
        #expect(abs(meters / here.distanceMeters(to: there) - 1) < 7e-3)
    }

    @Test("unusual numbers never trap")
    func oddNumbersNeverTrap() {
        for first in oddNumbers {
            for second in oddNumbers {
                _ = WebMercator.project(Coordinate(first, second))
                _ = WebMercator.unproject(MercatorPoint(x: first, y: second))
            }
            _ = WebMercator.metersPerUnit(atLatitude: first)
        }
    }
}
