import EngineWorld
import FleetEngine
import FleetEngineAPI
import FoundationEssentials
import Geo
import Glibc
import SQLiteFile
import SwiftProtobuf
import Testing

@testable import FleetEngineCore
@testable import LocalFleetEngine

@Suite("The file of a store", .timeLimit(.minutes(2)))
struct StoreFileTests {
    private static let damaged =
        "engine.db is damaged: run 'tripwatch serve restore BACKUP --database FILE' with a copy made by 'serve backup'"

    private let folder: StoreFolder

    init() throws { folder = try StoreFolder() }

    @Test("the result of random calls is the same after each restart", arguments: 0..<4 as Range<UInt64>)
    func roundTrip(seed: UInt64) throws {
        var caller = RandomCaller(seed: seed)
        let options = caller.world.engine.options
        for _ in 0..<12 {
            var (store, state) = try folder.open(options)
            #expect(state == caller.world.engine)
            caller.world.engine = state
            for _ in 0..<40 {
                caller.step()
                guard caller.accepted % 3 == 0 else { continue }
                try store.write(caller.world.engine)
                caller.world.engine.forgetChanges()
            }
            try store.write(caller.world.engine)
            state = caller.world.engine
        }
        #expect(caller.accepted > 100)
        #expect(caller.faults.isEmpty, "\(caller.faults)")
    }

    @Test("a file whose vehicles have their paths in their own rows is upgraded to the current form", arguments: 0..<4 as Range<UInt64>)
    func olderVersion(seed: UInt64) throws {
        var caller = RandomCaller(seed: seed)
        let options = caller.world.engine.options
        do {
            let (store, _) = try folder.open(options)
            caller.world.engine.recordsChanges = true
            while caller.accepted < 200 { caller.step() }
            try store.write(caller.world.engine)
            caller.world.engine.forgetChanges()
        }
        #expect(try folder.bringToVersion1() > 0)
        for _ in 0..<2 {
            let (store, state) = try folder.open(options)
            #expect(state == caller.world.engine)
            for _ in 0..<20 { caller.step() }
            try store.write(caller.world.engine)
            caller.world.engine.forgetChanges()
        }
        #expect(try folder.open(options).state == caller.world.engine)
    }

    @Test("the account behind each record survives a restart; records from before accounts belong to callers without a token")
    func accounts() throws {
        do {
            let (store, empty) = try folder.open()
            var state = empty
            for (id, account) in [("a", "red"), ("b", "red"), ("c", "blue")] {
                _ = try state.createTrip(.new(id), account: account, now: World.start)
                _ = try state.createVehicle(.new(id), account: account, now: World.start)
            }
            try store.write(state)
        }
        let known = try folder.open().state
        #expect(known.tripHoldings["red"] == 2 && known.tripHoldings["blue"] == 1)
        #expect(known.vehicleHoldings["red"] == 2 && known.vehicleHoldings["blue"] == 1)
        #expect(try folder.forgetAccounts() == 6)
        let older = try folder.open().state
        #expect(older.tripHoldings[EngineAccount.anonymous] == 3 && older.vehicleHoldings[EngineAccount.anonymous] == 3)
        #expect(older.tripHoldings["red"] == 0)
    }

    @Test("a vehicle's report does not write its paths again; they are deleted with the vehicle")
    func ways() throws {
        var world = World()
        let (store, _) = try folder.open(world.engine.options)
        world.engine.recordsChanges = true
        try world.createVehicle("car")
        try world.createTrip("t1")
        try world.assign("t1", to: "car")
        func report(metersEast: Double) throws {
            try world.move("car", to: World.place(east: metersEast))
            try store.write(world.engine)
            world.engine.forgetChanges()
        }
        try report(metersEast: 0)
        let reading = try SQLiteDatabase(path: folder.file)
        try reading.run("UPDATE ways SET sum = sum + 1")
        try report(metersEast: 5)
        #expect(folder.refusal() == "engine.db is in use by another server")
        let sums = try reading.rows("SELECT sum, record FROM ways", columns: 2)
        #expect(sums.count == 1)
        guard case .integer(let sum)? = sums.first?.first, case .blob(let bytes)? = sums.first?.last else { throw DamagedRecordError() }
        #expect(sum == StoreSchema.sum(bytes) &+ 1, "it was written again")
        world.engine.apply(.vehicleRemoved(try VehicleName(provider: "plain", vehicle: "car")))
        try store.write(world.engine)
        #expect(try reading.rows("SELECT serial FROM ways").isEmpty)
    }

    @Test(
        "a report writes only its vehicle's row; after a restart, the last stamp comes from the records, or else the counters"
    )
    func stamps() throws {
        var world = World()
        world.engine.recordsChanges = true
        func counters() throws -> [SQLiteValue]? {
            try SQLiteDatabase(path: folder.file).rows("SELECT serial, stamp FROM counters", columns: 2).first
        }
        func store(_ work: (inout World) throws -> Void) throws {
            let (store, state) = try folder.open(world.engine.options)
            #expect(state.lastStamp == world.engine.lastStamp && state.lastSerial == world.engine.lastSerial)
            try work(&world)
            try store.write(world.engine)
            world.engine.forgetChanges()
        }
        try store { world in
            try world.createVehicle("car")
            try world.createTrip("t1")
        }
        let before = try counters()
        try store { try $0.move("car", to: World.place(east: 5)) }
        try store { try $0.move("car", to: World.place(east: 10)) }
        #expect(try counters() == before)
        try store { $0.engine.apply(.vehicleRemoved(try VehicleName(provider: "plain", vehicle: "car"))) }
        #expect(try counters() == [.integer(Int64(world.engine.lastSerial)), .integer(world.engine.lastStamp.microseconds)])
        try store { _ in }
    }

    @Test("changes that are undone leave the engine as it was before", arguments: 0..<4 as Range<UInt64>)
    func undoing(seed: UInt64) {
        var caller = RandomCaller(seed: seed)
        caller.world.engine.recordsChanges = true
        for step in 0..<400 {
            var before = caller.world.engine
            for _ in 0..<5 { caller.step() }
            if step.isMultiple(of: 2) {
                for change in caller.world.engine.changed.undoing { caller.world.engine.apply(change) }
                before.resume(lastSerial: caller.world.engine.lastSerial, lastStamp: caller.world.engine.lastStamp)
                #expect(caller.world.engine == before)
            }
            caller.world.engine.forgetChanges()
        }
    }

    @Test("a serial number is never used twice, even if its record is gone; bookings keep their places")
    func counters() throws {
        do {
            var (store, state) = try folder.open()
            _ = state.createdBookings(3)
            _ = try state.createVehicle(.new("gone"), now: World.start)
            let late = try TripName(provider: "plain", trip: "b1")
            _ = try state.deleteVehicle(.with { $0.name = "providers/plain/vehicles/gone" }, now: World.start)
            state.apply(.bookingTaken(late))
            try store.write(state)
        }
        let (_, state) = try folder.open()
        #expect(state.lastSerial == 4 && state.vehicleCount == 0 && state.tripCount == 3)
        #expect(state.bookings.count(of: "plain") == 2 && state.bookings.first(of: "plain", type: .exclusive)?.trip.trip == "b0")
    }

    @Test("a second server, and a file that is not a store, are refused with a message, and nothing is touched")
    func refusals() throws {
        do {
            let first = try folder.open()
            #expect(folder.refusal() == "engine.db is in use by another server")
            withExtendedLifetime(first) {}
        }
        #expect(folder.refusal() == nil)
        func refused(_ bytes: Data, _ words: String) throws {
            try bytes.write(to: URL(filePath: folder.file))
            #expect(folder.refusal() == words)
            #expect(try folder.contents == ["engine.db": bytes])
        }
        let whole = try #require(try folder.contents["engine.db"])
        try refused(Data("a letter\n".utf8), "engine.db is not a tripwatch database")
        let restoring = "run 'tripwatch serve restore BACKUP --database FILE'"
        try refused(Data(), "engine.db is empty: delete it to start without data, or \(restoring)")
        var foreign = whole
        foreign[71] = 0
        try refused(foreign, "engine.db is not a tripwatch database")
        var newer = whole
        newer[63] = 9
        try refused(newer, "engine.db was written by a newer tripwatch: use that version to read it")
        try refused(whole.prefix(5_000), Self.damaged)
        try whole.write(to: URL(filePath: folder.file))
        #expect(chmod(folder.file, 0o444) == 0)
        #expect(folder.refusal() == "engine.db cannot be written: the file, or its folder, is read-only")
        #expect(try folder.contents == ["engine.db": whole])
    }

    @Test("a log without its file is refused with a message that says what to do, and nothing is touched; an empty log is no reason")
    func logAlone() throws {
        let log = Data(repeating: 7, count: 5_000)
        try log.write(to: URL(filePath: folder.file + "-wal"))
        let words =
            "engine.db is missing, but its log engine.db-wal still exists and contains changes: put the file back, run "
            + "'tripwatch serve restore BACKUP --database FILE', or move the log away to start without these changes"
        #expect(folder.refusal() == words)
        #expect(try folder.contents == ["engine.db-wal": log])
        try Data().write(to: URL(filePath: folder.file + "-wal"))
        #expect(folder.refusal() == nil)
    }

    @Test("an empty file with a log that contains changes is refused with both names, and nothing is touched")
    func emptyFileWithLog() throws {
        let files = ["engine.db": Data(), "engine.db-wal": Data(repeating: 7, count: 5_000)]
        for (name, bytes) in files { try bytes.write(to: URL(filePath: folder.path + "/" + name)) }
        let words =
            "engine.db is empty, but its log engine.db-wal contains changes: run 'tripwatch serve restore BACKUP --database FILE', "
            + "or move both files away to start without these changes"
        #expect(folder.refusal() == words)
        #expect(try folder.contents == files)
    }

    @Test("whichever byte is changed, the store is refused and not touched, or gives what was written")
    func damage() throws {
        var state: FleetEngineState
        do {
            let (store, empty) = try folder.open()
            state = empty
            for number in 0..<40 { _ = try state.createVehicle(.new("car-\(number)"), now: World.start) }
            _ = state.createdBookings(40)
            try store.write(state)
        }
        let whole = try #require(try folder.contents["engine.db"])
        #expect(whole.count > 20_000)
        var random = SeededRandom(seed: 7)
        var refusals = 0
        for _ in 0..<150 {
            var bytes = whole
            bytes[random.int(in: 100...whole.count - 1)] ^= UInt8(random.int(in: 1...255))
            try bytes.write(to: URL(filePath: folder.file))
            do {
                let (_, found) = try folder.open()
                #expect(found == state)
            } catch let error as StoreError {
                refusals += 1
                #expect(error.description.contains("is damaged"), "\(error)")
                #expect(try folder.contents == ["engine.db": bytes])
            }
        }
        #expect(refusals > 10)
    }

    @Test("a copy can be made while the store is in use; it is complete, and replaces no file")
    func backUp() throws {
        let copy = try StoreFolder()
        var (store, state) = try folder.open()
        _ = state.createdBookings(5)
        try store.write(state)
        try EngineStore.backUp(folder.file, to: copy.file)
        #expect(try copy.open().state == state)
        let bytes = try copy.contents
        #expect(throws: StoreError.self) { try EngineStore.backUp(folder.file, to: copy.file) }
        #expect(try copy.contents == bytes && bytes.count == 1)
        #expect(throws: StoreError.self) { try EngineStore.backUp(copy.path + "/none", to: copy.path + "/other") }
        try Data("a letter".utf8).write(to: URL(filePath: copy.path + "/letter"))
        #expect(throws: StoreError.self) { try EngineStore.backUp(copy.path + "/letter", to: copy.path + "/other") }
        #expect(try copy.contents.count == 2)
    }
}

extension FleetEngineState {
    /// Books the trips b0, b1 and so on. No vehicle can take them, so they wait.
    fileprivate mutating func createdBookings(_ count: Int) -> [Change] {
        (0..<count).flatMap { number in
            (try? bookTrip(.new("b\(number)"), waitingLimit: 1_000, now: World.start))?.changes ?? []
        }
    }
}
