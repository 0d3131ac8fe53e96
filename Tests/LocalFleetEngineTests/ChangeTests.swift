import EngineWorld
import FleetEngine
import FleetEngineAPI
import FoundationEssentials
import Geo
import SwiftProtobuf
import Synchronization
import Testing
import TripTesting

@testable import FleetEngineCore
@testable import LocalFleetEngine

@Suite("The changes that an engine reports", .timeLimit(.minutes(1)))
struct ChangeTests {
    /// Returns a short description of a change.
    private func words(_ change: Change) -> String {
        switch change {
        case .tripPut(let record): "trip \(record.name.trip) \(record.status.name)"
        case .tripRemoved(let name): "no trip \(name.trip)"
        case .vehiclePut(let record): "vehicle \(record.name.vehicle) \(record.currentTrips)"
        case .vehicleRemoved(let name): "no vehicle \(name.vehicle)"
        case .bookingQueued(let booking): "\(booking.trip.trip) waits"
        case .bookingTaken(let name): "\(name.trip) waits no longer"
        case .delivery(let change): "delivery of \(change.provider)"
        }
    }

    @Test("each call reports what it wrote: the trip and its vehicle, deletions, and records removed for their age")
    func calls() throws {
        var world = try World.assigned()
        try world.setStatus("t1", .complete)
        try world.createTrip("t2") { $0.trip.vehicleID = "car" }
        let error = #expect(throws: FleetEngineError.self) { try world.deleteTrip("t2") }
        #expect(error?.code == .failedPrecondition)
        world.wait(8 * 86_400)
        _ = try world.move("car", to: World.pickup)
        try world.deleteVehicle("car")
        let told = world.changes.map(words)
        #expect(
            told == [
                "vehicle car []", "trip t1 NEW", "vehicle car [\"t1\"]", "trip t1 NEW", "vehicle car []", "trip t1 COMPLETE",
                "vehicle car [\"t2\"]", "trip t2 NEW", "no trip t1", "vehicle car []", "no trip t2", "vehicle car []", "no vehicle car",
            ])
        #expect(world.copy == world.engine)
    }

    @Test("an observer gets all changes, also of the booking queue; with them, another engine can continue from the same state")
    func observer() async throws {
        let time = ManualTimeSource()
        let engine = LocalFleetEngine(time: time)
        let ids = IDs()
        let heard = Mutex<[Change]>([])
        let (start, id) = await engine.observe { changes in heard.withLock { $0 += changes } }
        let desk = ProviderDesk(provider: "plain", engine: engine, time: time) { ids.next() }
        for _ in 1...3 { _ = try await desk.book(pickup: World.pickup, dropoff: World.dropoff, stops: [], type: .exclusive) }
        _ = try await desk.update("t1", status: .canceled, intermediateDestinationIndex: nil)
        _ = try await engine.createVehicle(.new("one") { $0.parent = "providers/plain" })
        await engine.removeObserver(id)
        #expect(
            heard.withLock { $0.map(words) } == [
                "trip t1 NEW", "t1 waits", "trip t2 NEW", "t2 waits", "trip t3 NEW", "t3 waits", "trip t1 CANCELED",
                "t1 waits no longer", "vehicle one []", "vehicle one [\"t2\"]", "trip t2 NEW", "t2 waits no longer",
            ])
        var copy = start
        for change in heard.withLock({ $0 }) { copy.apply(change) }
        #expect(await copy == engine.snapshot)
        let next = LocalFleetEngine(state: copy, time: time)
        _ = try await next.createVehicle(.new("two") { $0.parent = "providers/plain" })
        #expect(try await next.getTrip(.with { $0.name = "providers/plain/trips/t3" }).vehicleID == "two")
        #expect(try await desk.trip("t3").vehicleID.isEmpty)
    }

    @Test("bookings leave the queue in any order, and removed ones take no room")
    func queue() throws {
        var queue = BookingQueue()
        func booking(_ number: Int) throws -> Booking {
            Booking(trip: try TripName(provider: "p", trip: "t\(number)"), type: .shared, serial: UInt64(number))
        }
        for number in 0..<1_000 { queue.append(try booking(number)) }
        for number in stride(from: 999, to: 500, by: -1) { queue.remove(try booking(number).trip) }
        #expect(queue.count(of: "p") == 501 && Array(queue.providers) == ["p"])
        for number in 0..<500 {
            #expect(queue.first(of: "p", type: .shared) == (try booking(number)))
            queue.remove(try booking(number).trip)
        }
        #expect(queue.first(of: "p", type: .shared)?.serial == 500 && queue.first(of: "p", type: .exclusive) == nil)
        // If a trip with the same id is booked again, it goes to the end of the queue.
        queue.append(try booking(700))
        queue.append(Booking(trip: try booking(500).trip, type: .shared, serial: 1_001))
        #expect(queue.first(of: "p", type: .shared)?.serial == 700)
        for number in [700, 500] { queue.remove(try booking(number).trip) }
        #expect(queue == BookingQueue())
    }
}
