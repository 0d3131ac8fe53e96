import DemoTown
import Geo
import Testing

@Suite("The demo's ride")
struct DemoRideTests {
    @Test("the standard town has a ride of some minutes between named places that can be driven")
    func ride() throws {
        let town = DemoTown()
        let ride = try #require(town.ride)
        #expect((240...480).contains(ride.drivingSeconds))
        #expect(Set([ride.pickup.name, ride.stop.name, ride.dropoff.name]).count == 3)
        let ways = [(ride.start, ride.pickup), (ride.pickup.coordinate, ride.stop), (ride.stop.coordinate, ride.dropoff)]
        var seconds = 0.0
        for (from, to) in ways {
            let route = try #require(town.roads.route(from: from, to: to.coordinate))
            #expect(route.polyline.lengthMeters > 100)
            seconds += route.durationSeconds
        }
        #expect(abs(seconds - ride.drivingSeconds) < 1)
    }

    @Test("the same seed gives the same ride, for ever the same start")
    func deterministic() throws {
        #expect(DemoTown(seed: 3).ride == DemoTown(seed: 3).ride)
    }
}
