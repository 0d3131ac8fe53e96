import FleetEngine
import Foundation
import JourneySharing
import ProgramSurroundings
import Testing
import TripTesting
import TripWatchRuntime
import TripWatchWords

@testable import ProgramHarness

@Suite("The state of a followed trip on disk", .timeLimit(.minutes(2)))
@MainActor
struct TripKeeperTests {
    @Test("that a car was taken off is soon on disk, even if the server keeps the status")
    func carTakenOff() async throws {
        let folder = try Folder()
        let file = try #require(Surroundings(environment: ["XDG_STATE_HOME": folder.path]).stateFile)
        let clock = ManualTimeSource()
        let name = try TripName(provider: "demo", trip: "ride-1")
        let server = KnownTrip.Server(endpoint: "127.0.0.1:50051", isPlaintext: true, caFile: nil)
        let keeper = TripKeeper(file: file, server: server, title: nil, time: clock)
        for car in ["car-1", nil] {
            let trip = Trip(name: name, vehicleID: car, status: .enrouteToPickup)
            var journey = JourneyTracker(tripName: name)
            journey.observe(TripUpdate(name: name, time: clock.now(), kind: .trip(trip, changed: [])))
            keeper.note(journey)
            func written() -> Bool? { file.trips(now: clock.now(), isLookOnly: true)[name]?.hasCar }
            let deadline = ContinuousClock.now + .seconds(30)
            while written() != (car != nil), ContinuousClock.now < deadline { await Task.yield() }
            #expect(written() == (car != nil))
        }
        await keeper.close()
    }
}
