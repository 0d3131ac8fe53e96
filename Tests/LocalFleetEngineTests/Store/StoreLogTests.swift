import EngineWorld
import FleetEngineAPI
import FoundationEssentials
import Geo
import Testing

@testable import FleetEngineCore
@testable import LocalFleetEngine

@Suite("The log of a store", .timeLimit(.minutes(2)))
struct StoreLogTests {
    private static let frameBytes = 24 + 4_096
    private let folder: StoreFolder
    /// The file and its log after a crash. The log has ten transactions, each of which adds a vehicle.
    private let file: Data
    private let log: Data
    private let state: FleetEngineState

    init() throws {
        let first = try StoreFolder()
        var (store, state) = try first.open()
        for number in 0..<10 {
            _ = try state.createVehicle(.new("car-\(number)"), now: World.start)
            try store.write(state)
            state.forgetChanges()
        }
        let contents = try first.contents
        file = try #require(contents["engine.db"])
        log = try #require(contents["engine.db-wal"])
        self.state = state
        folder = try StoreFolder()
        withExtendedLifetime(store) {}
    }

    private func open(log: Data) throws -> (unread: Int, state: FleetEngineState) {
        for (name, bytes) in [("", file), ("-wal", log)] { try bytes.write(to: URL(filePath: folder.file + name)) }
        let (store, state) = try folder.open()
        return (store.unreadFrames, state)
    }

    @Test("a complete log is read without a warning")
    func whole() throws {
        let opened = try open(log: log)
        #expect(opened.unread == 0 && opened.state == state)
        #expect((log.count - 32) % Self.frameBytes == 0 && log.count / Self.frameBytes >= 10)
    }

    @Test("a frame with a flipped bit, and all frames after it, are counted as unread", arguments: 0..<10 as Range<UInt64>)
    func flipped(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let count = (log.count - 32) / Self.frameBytes
        let frame = random.int(in: 0...count - 1)
        var bytes = log
        bytes[32 + frame * Self.frameBytes + random.int(in: 24...Self.frameBytes - 1)] ^= 1 << UInt8(random.int(in: 0...7))
        let opened = try open(log: bytes)
        // SQLite reads whole transactions only, so earlier frames of the same transaction are unread too.
        #expect(opened.unread >= count - frame && opened.state.vehicleCount < 10)
    }

    @Test("if the header of the log is damaged, all its frames are counted as unread", arguments: [0, 8, 16, 20, 24, 31])
    func header(offset: Int) throws {
        var bytes = log
        bytes[offset] ^= 4
        let opened = try open(log: bytes)
        #expect(opened.unread == (log.count - 32) / Self.frameBytes && opened.state.vehicleCount == 0)
    }

    @Test("a transaction that a kill has left incomplete is not a loss")
    func tornTransaction() throws {
        // A frame as SQLite writes it in the middle of a transaction: it has no commit mark.
        let last = log.suffix(Self.frameBytes)
        var torn = Array(last)
        for index in 4..<8 { torn[index] = 0 }
        #expect(try open(log: log + Data(torn)).unread == 0)
        // An incomplete frame at the end is not counted either.
        #expect(try open(log: log + Data(torn.prefix(2_000))).state == state)
    }

    @Test("frames of an older log after those of the current one are not a loss")
    func olderFrames() throws {
        var stale = Array(log.dropFirst(32))
        for start in stride(from: 0, to: stale.count, by: Self.frameBytes) {
            for index in start + 8..<start + 16 { stale[index] ^= 0x55 }
        }
        let opened = try open(log: log + Data(stale))
        #expect(opened.unread == 0 && opened.state == state)
    }

    @Test("the log is found through a symbolic link, and reported missing there when it is moved")
    func symbolicLink() throws {
        var bytes = log
        bytes[bytes.count - 100] ^= 1
        for (name, bytes) in [("", file), ("-wal", bytes)] { try bytes.write(to: URL(filePath: folder.path + "/real.db" + name)) }
        try FileManager.default.createSymbolicLink(atPath: folder.file, withDestinationPath: folder.path + "/real.db")
        let (store, _) = try folder.open()
        #expect(store.unreadFrames > 0 && store.isInPlace)
        try FileManager.default.moveItem(atPath: folder.path + "/real.db-wal", toPath: folder.path + "/aside")
        #expect(!store.isInPlace)
        try FileManager.default.moveItem(atPath: folder.path + "/aside", toPath: folder.path + "/real.db-wal")
        #expect(store.isInPlace)
    }
}
