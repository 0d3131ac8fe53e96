import Geo
import Testing

@testable import DemoTown

@Suite("The demo's rides")
struct DemoRideTests {
    @Test("The standard town's ride stays the same from one version to the next")
    func standardRide() throws {
        let rides = Towns.standard.rides
        let ride = try #require(rides.first)
        #expect([ride.pickup.name, ride.stop.name, ride.dropoff.name] == ["Old Market", "Theatre", "Public Library"])
        #expect(rides.count == 24 && rides.allSatisfy { (230...530).contains($0.drivingSeconds) })
        #expect(Set(rides.map { [$0.pickup.name, $0.dropoff.name] }).count == 24)
        for ride in rides { #expect(rides.count { $0.dropoff == ride.dropoff } <= 3) }
    }

    @Test("The best ride is the one nearest to what is wanted, and there is none without four places")
    func choice() throws {
        let places = (0..<5).map { number in
            DemoRide.Place(name: "Place \(number)", coordinate: Coordinate(latitude: -36, longitude: -20 + Double(number) / 100))
        }
        var seconds = [[Double?]](repeating: [Double?](repeating: 30, count: 5), count: 5)
        (seconds[4][2], seconds[2][0], seconds[0][3]) = (168, 103, 111)
        let best = try #require(DemoRide.best(places: places, seconds: seconds).first)
        #expect(best.start == places[4].coordinate && best.pickup == places[2] && best.stop == places[0] && best.dropoff == places[3])
        #expect(best.drivingSeconds == 382)
        let unreachable = [[Double?]](repeating: [Double?](repeating: nil, count: 5), count: 5)
        #expect(DemoRide.best(places: places, seconds: unreachable).isEmpty)
        #expect(DemoRide.best(places: [], seconds: []).isEmpty)
    }
}
