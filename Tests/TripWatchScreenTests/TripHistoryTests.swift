import FleetEngine
import FoundationEssentials
import JourneySharing
import Testing

@testable import TripWatchWords

@Suite("When things happened on a trip")
struct TripHistoryTests {
    /// Returns the history of a trip that changes its status at the given minutes.
    private func history(_ steps: [(minute: Double, status: TripStatus, dropoffMinute: Double)]) throws -> (TripHistory, Trip) {
        var trip = MadeUpTrip.new(try #require(MadeUpTrip.name()))
        var history = TripHistory()
        var previous: TripStatus?
        for step in steps {
            trip.status = step.status
            trip.dropoffTime = at(step.dropoffMinute)
            if step.status != previous {
                history.observe(.status(step.status, previous: previous), trip: trip, drivenMeters: 0, at: at(step.minute))
            }
            history.observe(trip, at: at(step.minute))
            previous = step.status
        }
        return (history, trip)
    }

    private func at(_ minute: Double) -> Date { MadeUpTrip.time("14:00:00").addingTimeInterval(minute * 60) }

    @Test("the arrival counts as moved only if an event reported it")
    func moved() throws {
        var (late, trip) = try history([
            (0, .enrouteToPickup, 20), (8, .arrivedAtPickup, 20), (10, .enrouteToDropoff, 22), (22, .complete, 22),
        ])
        #expect(late.droppedOffAt(trip) == at(22) && late.moves == 0)
        late.observe(.promise(.dropoff, arrival: at(22), previous: at(20)), trip: trip, drivenMeters: 0, at: at(11))
        #expect(late.moves == 1)
    }

    @Test("a pickup or drop-off that the server dates before an event seen earlier has the time at which this program saw it")
    func datedTooEarly() throws {
        let (seen, steps) = try history([
            (0, .enrouteToPickup, 20), (8, .arrivedAtPickup, 20), (10, .enrouteToIntermediateDestination, 22),
            (15, .enrouteToDropoff, 22), (16, .complete, 14),
        ])
        var trip = steps
        trip.pickupTime = at(7)
        #expect(seen.pickedUpAt(trip) == at(10) && seen.droppedOffAt(trip) == at(16))
        trip.pickupTime = at(9)
        trip.dropoffTime = at(15.5)
        #expect(seen.pickedUpAt(trip) == at(9) && seen.droppedOffAt(trip) == at(15.5))
    }

    @Test("the last stop has its time, although the number of the next stop does not increase after it")
    func lastStop() throws {
        let waited = try history([
            (0, .enrouteToIntermediateDestination, 20), (5, .arrivedAtIntermediateDestination, 20), (7, .enrouteToDropoff, 20),
        ])
        #expect(waited.0.leftStopAt == [0: at(7)])
        let passed = try history([(0, .enrouteToIntermediateDestination, 20), (6, .enrouteToDropoff, 20)])
        #expect(passed.0.leftStopAt == [0: at(6)])
    }

    @Test("a stop that was passed before the first answer has no time, and the drop-off keeps the server's time")
    func lateFollower() throws {
        let trip = MadeUpTrip.complete(try #require(MadeUpTrip.name()))
        var history = TripHistory()
        history.observe(trip, at: at(40))
        #expect(history.leftStopAt.isEmpty && history.droppedOffAt(trip) == MadeUpTrip.time("14:31:06"))
    }
}
