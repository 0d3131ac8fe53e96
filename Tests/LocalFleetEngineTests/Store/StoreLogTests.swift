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
        return (store.unreadTransactions, state)
    }

    @Test("a complete log is read without a warning")
    func whole() throws {
        let opened = try open(log: log)
        #expect(opened.unread == 0 && opened.state == state)
        #expect((log.count - 32) % Self.frameBytes == 0 && log.count / Self.frameBytes >= 10)
    }

    /// Returns the number of transactions that end at `frame` or later.
    private func transactions(from frame: Int) -> Int {
        stride(from: 32 + frame * Self.frameBytes, to: log.count, by: Self.frameBytes).count { start in
            log[start + 4..<start + 8].contains { $0 != 0 }
        }
    }

    @Test(
        "the transaction of a frame with a flipped bit, and all transactions after it, are counted as unread",
        arguments: 0..<10 as Range<UInt64>)
    func flipped(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let count = (log.count - 32) / Self.frameBytes
        let frame = random.int(in: 0...count - 1)
        var bytes = log
        bytes[32 + frame * Self.frameBytes + random.int(in: 24...Self.frameBytes - 1)] ^= 1 << UInt8(random.int(in: 0...7))
        let opened = try open(log: bytes)
        #expect(opened.unread == transactions(from: frame) && opened.unread > 0 && opened.state.vehicleCount < 10)
    }

    @Test("if the header of the log is damaged, all its transactions are counted as unread", arguments: [0, 8, 16, 20, 24, 31])
    func header(offset: Int) throws {
        var bytes = log
        bytes[offset] ^= 4
        let opened = try open(log: bytes)
        #expect(opened.unread == transactions(from: 0) && opened.unread >= 10 && opened.state.vehicleCount == 0)
    }

    @Test("a transaction that a kill has left incomplete is not a loss")
    func tornTransaction() throws {
        // A frame as SQLite writes it in the middle of a transaction: it has no commit mark.
        let last = log.suffix(Self.frameBytes)
        var torn = Array(last)
        for index in 4..<8 { torn[index] = 0 }
        #expect(try open(log: log + Data(torn)).unread == 0)
        // An incomplete frame at the end is not counted, even if it has a commit mark.
        for frame in [torn, Array(last)] {
            let opened = try open(log: log + Data(frame.prefix(2_000)))
            #expect(opened.unread == 0 && opened.state == state)
        }
    }

    @Test("a last frame whose page was not written yet counts as one transaction")
    func pageOfOlderLog() throws {
        // SQLite writes a frame's header before its page. In a reused log, an old page may follow the new header.
        let last = Array(log.suffix(Self.frameBytes))
        let opened = try open(log: log + Data(last.prefix(24)) + Data(repeating: 7, count: 4_096))
        #expect(opened.unread == 1 && opened.state == state)
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
        #expect(store.unreadTransactions > 0 && store.isInPlace)
        try FileManager.default.moveItem(atPath: folder.path + "/real.db-wal", toPath: folder.path + "/aside")
        #expect(!store.isInPlace)
        try FileManager.default.moveItem(atPath: folder.path + "/aside", toPath: folder.path + "/real.db-wal")
        #expect(store.isInPlace)
    }
}
