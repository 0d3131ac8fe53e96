import FleetEngineAPI
import Geo
import Testing

@testable import FleetEngineCore

@Suite("The order of shared stops")
struct PooledStopTests {
    private func stop(_ trip: String, _ type: WireWaypointType, _ passengers: Int = 1) -> PooledStop {
        PooledStop(tripID: trip, type: type, passengers: passengers)
    }

    private func trip(_ id: String, _ passengers: Int = 1) -> [PooledStop] {
        [stop(id, .pickupWaypointType, passengers), stop(id, .dropOffWaypointType, passengers)]
    }

    @Test("the new pickup comes before the last drop-off with enough seats; the new drop-off comes right after it")
    func order() {
        let order = PooledStop.order(trip("a"), taking: trip("b"), capacity: 2)
        #expect(order == [trip("a")[0], trip("b")[0], trip("a")[1], trip("b")[1]])
        #expect(PooledStop.order(trip("a"), taking: trip("b"), capacity: 1) == nil)
        #expect(PooledStop.order([trip("a")[1]], taking: trip("b"), capacity: 2) == [trip("b")[0], trip("a")[1], trip("b")[1]])
        #expect(
            PooledStop.order([trip("a", 2)[1]] + trip("c"), taking: trip("b"), capacity: 2) == [
                trip("a", 2)[1], trip("c")[0], trip("b")[0], trip("c")[1], trip("b")[1],
            ])
        #expect(PooledStop.order([], taking: trip("b"), capacity: 4) == nil)
        #expect(PooledStop.order(trip("a"), taking: [], capacity: 4) == nil)
    }

    @Test("whatever stops there are already, no rider is lost and no seat is given twice")
    func loads() {
        var random = SeededRandom(seed: 3)
        for _ in 0..<500 {
            let capacity = random.int(in: 1...5)
            var stops: [PooledStop] = []
            for number in 0..<8 {
                let party = random.int(in: 1...3)
                guard
                    let next = stops.isEmpty
                        ? (party <= capacity ? trip("p\(number)", party) : nil)
                        : PooledStop.order(stops, taking: trip("p\(number)", party), capacity: capacity)
                else { continue }
                #expect(next.count == stops.count + 2)
                stops = next
            }
            var load = 0
            var aboard: Set<String> = []
            for stop in stops {
                load += stop.type == .pickupWaypointType ? stop.passengers : -stop.passengers
                #expect(load >= 0 && load <= capacity)
                if stop.type == .pickupWaypointType { aboard.insert(stop.tripID) } else { #expect(aboard.remove(stop.tripID) != nil) }
            }
            #expect(aboard.isEmpty)
        }
    }
}
