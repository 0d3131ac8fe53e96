import Geo
import Navigation
import Testing

@Suite("Navigator: a vehicle without a route")
struct NearestRoadTests {
    private let road = Fixture.place(8, 10)

    private func reported(_ navigator: inout NavigatorState, accuracy: Double? = 5, road: Coordinate?) -> RoadSnappedLocation? {
        var fix = LocationFix(coordinate: Fixture.place(0, 10), time: Fixture.start, accuracyMeters: accuracy)
        fix.nearestRoad = road
        for case .didUpdateLocation(let location) in navigator.apply(fix, at: Fixture.start) { return location }
        return nil
    }

    @Test("the vehicle is on the nearest road that its fix states, and the sensor's position is kept")
    func nearest() throws {
        var navigator = NavigatorState()
        let location = try #require(reported(&navigator, road: road))
        #expect(location.isSnapped && location.coordinate == road && location.rawCoordinate == Fixture.place(0, 10))
    }

    @Test("a fix without a road, with an impossible road, or without accuracy keeps the sensor's position")
    func raw() throws {
        for (accuracy, place) in [(5, nil), (5, Coordinate(latitude: .nan, longitude: 0)), (500, road)] as [(Double, Coordinate?)] {
            var navigator = NavigatorState()
            let location = try #require(reported(&navigator, accuracy: accuracy, road: place))
            #expect(!location.isSnapped && location.coordinate == Fixture.place(0, 10))
        }
    }

    @Test("with a route, the route's road is used")
    func route() throws {
        var navigator = NavigatorState()
        navigator.reset(to: try Fixture.route([(3, 0), (3, 1_000)]))
        let location = try #require(reported(&navigator, road: road))
        #expect(location.isSnapped && location.coordinate.distanceMeters(to: Fixture.place(3, 10)) < 0.1)
    }
}
