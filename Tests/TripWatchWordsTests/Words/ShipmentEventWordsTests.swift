import FleetEngine
import Foundation
import JourneySharing
import Testing
import TripWatchWords

@Suite("The events of a shipment")
struct ShipmentEventWordsTests {
    /// The moment 2031-05-06T15:07:00Z.
    private static let now = Date(timeIntervalSince1970: 1_935_846_420)

    private func words(_ fact: ShipmentFact, after before: SharedParts? = []) throws -> String? {
        let tracker = ShipmentTracker(name: try TaskTrackingName("providers/demo/taskTrackingInfo/P-1"))
        return ShipmentEventWords { _ in 0 }.words(fact, tracker, after: before, now: Self.now)
    }

    @Test("a state is first seen, or changes")
    func states() throws {
        #expect(try words(.state(.open), after: nil) == "Shipment open")
        #expect(try words(.state(.closed), after: nil) == "Shipment already closed")
        #expect(try words(.state(.closed)) == "Closed")
    }

    @Test("shared parts are listed, and then those that are no longer shared")
    func shared() throws {
        func words(_ parts: SharedParts, after before: SharedParts?) throws -> String? {
            try self.words(.shared(parts, intervalSeconds: 5), after: before)
        }
        #expect(try words([], after: nil) == nil)
        #expect(try words([.stops, .eta], after: nil) == "Shared: arrival and stop count")
        #expect(try words(.location, after: []) == "Now shared: position")
        #expect(try words(.stops, after: .stops) == nil)
        let both = "Now shared: position; No longer shared: route and stop count"
        #expect(try words(.location, after: [.route, .stops]) == both)
    }

    @Test("an outcome has its time, and an end without an outcome is reported")
    func ends() throws {
        #expect(try words(.outcome(.succeeded, time: Self.now)) == "Done at 15:07")
        #expect(try words(.outcome(.succeeded, time: Self.now.addingTimeInterval(-86_400))) == "Done at 5 May 15:07")
        #expect(try words(.outcome(.failed, time: nil)) == "Not completed: the attempt failed")
        #expect(try words(.end(.closed, outcome: nil)) == "No longer planned")
        #expect(try words(.end(.closed, outcome: .succeeded)) == nil)
        #expect(try words(.window(nil), after: nil) == nil)
        #expect(try words(.window(nil)) == "The planned time is no longer shared")
    }
}
