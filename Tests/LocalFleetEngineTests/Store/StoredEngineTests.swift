import EngineWorld
import FleetEngine
import FleetEngineAPI
import FoundationEssentials
import SQLiteFile
import SwiftProtobuf
import Synchronization
import Testing
import TripTesting

@testable import FleetEngineCore
@testable import LocalFleetEngine

@Suite("An engine with a store", .timeLimit(.minutes(2)))
struct StoredEngineTests {
    private let folder: StoreFolder
    private let time = ManualTimeSource()

    init() throws { folder = try StoreFolder() }

    private func engine() async throws -> LocalFleetEngine {
        let (store, state) = try await folder.openWhenFree()
        return LocalFleetEngine(state: state, time: time, store: store)
    }

    private static func tripRequest(_ id: String) -> WireGetTripRequest { .with { $0.name = "providers/plain/trips/\(id)" } }

    @Test("an engine continues where the last one stopped; trips that waited get their vehicle")
    func nextStart() async throws {
        let ids = IDs()
        let before: FleetEngineState
        do {
            let engine = try await engine()
            let desk = ProviderDesk(provider: "plain", engine: engine, time: time) { ids.next() }
            for _ in 1...3 { _ = try await desk.book(pickup: World.pickup, dropoff: World.dropoff, stops: [], type: .exclusive) }
            _ = try await desk.update("t1", status: .canceled, intermediateDestinationIndex: nil)
            before = await engine.snapshot
        }
        let engine = try await engine()
        #expect(await engine.snapshot == before)
        _ = try await engine.createVehicle(.new("car") { $0.parent = "providers/plain" })
        #expect(try await engine.getTrip(Self.tripRequest("t2")).vehicleID == "car")
    }

    @Test("neither the caller nor a reader learns of a change before it is on disk; other requests are answered at once")
    func order() async throws {
        let engine = try await engine()
        _ = try await engine.createTrip(.new("old"))
        // Another program holds the write lock, so the next transaction has to wait.
        let other = try SQLiteDatabase(path: folder.file)
        try other.run("BEGIN IMMEDIATE")
        let lock = Lock()
        async let write = lock.isFree(after: { _ = try await engine.createTrip(.new("new")) })
        while await engine.snapshot.tripCount < 2 { await Task.yield() }
        async let read = lock.isFree(after: { _ = try await engine.getTrip(Self.tripRequest("new")) })
        async let search = lock.isFree(after: { _ = try await engine.searchTrips(.with { $0.parent = World.provider }) })
        #expect(try await engine.getTrip(Self.tripRequest("old")).name == "providers/plain/trips/old")
        lock.free.store(true, ordering: .sequentiallyConsistent)
        try other.run("COMMIT")
        #expect(try await write)
        #expect(try await read)
        #expect(try await search)
    }

    @Test("a vehicle's report gets the same answer from outside as in this process, and not before it is on disk")
    func report() async throws {
        let engine = try await engine()
        _ = try await engine.createVehicle(.new("car"))
        let other = try SQLiteDatabase(path: folder.file)
        try other.run("BEGIN IMMEDIATE")
        let lock = Lock()
        let answers = Mutex<[WireVehicle]>([])
        async let write = lock.isFree(after: {
            let answer = try await engine.answer(grant: { _ in nil }) { (Self.report { $0.maximumCapacity = 7 }, nil) }
            answers.withLock { $0.append(answer) }
        })
        while await engine.snapshot.vehicles.values.first?.vehicle.maximumCapacity != 7 { await Task.yield() }
        lock.free.store(true, ordering: .sequentiallyConsistent)
        try other.run("COMMIT")
        #expect(try await write)
        let answer = try #require(answers.withLock { $0.first })
        let vehicle = try await engine.getVehicle(.with { $0.name = Self.car })
        #expect(answer == vehicle)
        #expect(vehicle.maximumCapacity == 7)
        #expect(try await engine.updateVehicle(Self.report { $0.maximumCapacity = 7 }) == vehicle)
    }

    @Test("if there is no room for a vehicle's report, it is refused, and no part of it is kept")
    func fullReport() async throws {
        let (store, state) = try folder.open()
        let engine = LocalFleetEngine(state: state, time: time, store: store)
        let cars = (0..<30).map { "car-\($0)" }
        for car in cars { _ = try await engine.createVehicle(.new(car)) }
        guard case .integer(let count)? = try store.database.rows("PRAGMA page_count").first?.first else { throw CancellationError() }
        try store.database.run("PRAGMA max_page_count = \(count)")
        let wide: @Sendable (String) -> WireUpdateVehicleRequest = { car in
            Self.report(car, "attributes") { $0.attributes = Self.manyAttributes }
        }
        var refused: String?
        // The database has free pages, but not enough for the changes of all cars.
        for car in cars where refused == nil {
            let before = await engine.snapshot
            do {
                let vehicle = try await engine.answer(grant: { _ in nil }) { (wide(car), nil) }
                #expect(vehicle.attributes.count == Self.manyAttributes.count)
            } catch let error as FleetEngineError {
                #expect(error.code == .resourceExhausted && error.message == Self.fullWords)
                #expect(await engine.snapshot.vehicles == before.vehicles)
                refused = car
            }
        }
        let last = try #require(refused)
        try store.database.run("PRAGMA max_page_count = 1000000")
        while !engine.isStoreWritable { await Task.yield() }
        let vehicle = try await engine.answer(grant: { _ in nil }) { (wide(last), nil) }
        #expect(vehicle.attributes.count == Self.manyAttributes.count)
    }

    private static let car = "providers/plain/vehicles/car"

    private static func report(
        _ car: String = "car", _ field: String = "maximum_capacity", _ values: (inout WireVehicle) -> Void
    ) -> WireUpdateVehicleRequest {
        .with {
            $0.name = "providers/plain/vehicles/\(car)"
            values(&$0.vehicle)
            $0.updateMask.paths = [field]
        }
    }

    private final class Lock: Sendable {
        let free = Atomic(false)

        /// Returns whether the lock has been released when `work` ends.
        func isFree(after work: @Sendable () async throws -> Void) async throws -> Bool {
            try await work()
            return free.load(ordering: .sequentiallyConsistent)
        }
    }

    @Test("with a full store, writes are refused and change nothing, reads go on, and writes work again when there is room")
    func full() async throws {
        let (store, state) = try folder.open()
        let engine = LocalFleetEngine(state: state, time: time, store: store)
        let events = Mutex<[String]>([])
        engine.observeStore { event in
            switch event {
            case .stored: break
            case .failed: events.withLock { $0.append("failed") }
            case .recovered: events.withLock { $0.append("recovered") }
            }
        }
        _ = try await engine.createTrip(.new("first"))
        let pages = try store.database.rows("PRAGMA page_count").first?.first
        guard case .integer(let count) = pages else { throw CancellationError() }
        try store.database.run("PRAGMA max_page_count = \(count)")
        let heard = Mutex<[Change]>([])
        var (copy, _) = await engine.observe { changes in heard.withLock { $0 += changes } }
        var (before, refused) = (await engine.snapshot, 0)
        while refused == 0 {
            before = await engine.snapshot
            do {
                _ = try await engine.createVehicle(.new("car-\(before.vehicleCount)") { $0.vehicle.attributes = Self.manyAttributes })
            } catch {
                #expect(error.code == .resourceExhausted && error.message == Self.fullWords)
                refused += 1
            }
        }
        #expect(!engine.isStoreWritable)
        #expect(await engine.snapshot.vehicles == before.vehicles)
        #expect(try await engine.getTrip(Self.tripRequest("first")).name == "providers/plain/trips/first")
        for change in heard.withLock({ $0 }) { copy.apply(change) }
        #expect(await copy == engine.snapshot)
        try store.database.run("PRAGMA max_page_count = 1000000")
        while !engine.isStoreWritable { await Task.yield() }
        _ = try await engine.createVehicle(.new("last"))
        #expect(events.withLock { $0.first == "failed" && $0.last == "recovered" })
        #expect(await engine.snapshot.vehicleCount == before.vehicleCount + 1)
    }

    private static let fullWords = "the database cannot be written (database or disk is full)"

    private static let manyAttributes: [WireVehicleAttribute] = (0..<90).map { number in
        .with { ($0.key, $0.value) = ("key-\(number)", String(repeating: "x", count: 200)) }
    }

    @Test("a call that another program's lock keeps from being stored is refused with this reason")
    func locked() async throws {
        let (store, state) = try folder.open()
        try store.database.run("PRAGMA busy_timeout = 0")
        let engine = LocalFleetEngine(state: state, time: time, store: store)
        let other = try SQLiteDatabase(path: folder.file)
        try other.run("BEGIN IMMEDIATE")
        let error = await #expect(throws: FleetEngineError.self) { _ = try await engine.createTrip(.new("trip")) }
        #expect(error?.code == .resourceExhausted && error?.message == "the database cannot be written (database is locked)")
        try other.run("COMMIT")
    }

    @Test("many callers at once share transactions, and each is answered when its own is on disk")
    func group() async throws {
        let transactions = Mutex(0)
        do {
            let engine = try await engine()
            engine.observeStore { if case .stored = $0 { transactions.withLock { $0 += 1 } } }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<300 { group.addTask { _ = try await engine.createTrip(.new("t\(number)")) } }
                try await group.waitForAll()
            }
            #expect(transactions.withLock { $0 } < 300)
        }
        #expect(try await folder.openWhenFree().state.tripCount == 300)
    }
}
