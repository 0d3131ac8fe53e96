import FleetEngine
import FoundationEssentials
import Synchronization
import Testing

@Suite("Manual clock", .timeLimit(.minutes(1)))
struct ManualTimeSourceTests {
    /// What happened when, in seconds since the clock's start.
    private final class Log: Sendable {
        private let lines = Mutex<[String]>([])
        func note(_ line: String) { lines.withLock { $0.append(line) } }
        var all: [String] { lines.withLock { $0 } }
    }

    @Test("Sleepers wake in the order of their deadlines, and the clock shows the deadline")
    func order() async {
        let clock = ManualTimeSource()
        let start = clock.now()
        let log = Log()
        await withTaskGroup { group in
            for (name, seconds) in [("c", 30.0), ("a", 10), ("b", 20)] {
                group.addTask {
                    try? await clock.sleep(until: start + seconds)
                    log.note("\(name) \(clock.now().timeIntervalSince(start))")
                    // Holds the count up so that the next one is woken after this line.
                    try? await clock.sleep(until: start + 1_000)
                }
            }
            await clock.advance(to: start + 25, parties: 3)
            #expect(log.all == ["a 10.0", "b 20.0"])
            #expect(clock.now() == start + 25)
            await clock.advance(to: start + 30, parties: 3)
            #expect(log.all == ["a 10.0", "b 20.0", "c 30.0"])
            await clock.advance(to: start + 1_000)
        }
    }

    @Test("A sleeper that sleeps again is woken at each of its deadlines on the way")
    func periodic() async throws {
        let clock = ManualTimeSource()
        let start = clock.now()
        let log = Log()
        let task = Task {
            while !Task.isCancelled {
                do { try await clock.sleep(seconds: 7) } catch { break }
                log.note("\(Int(clock.now().timeIntervalSince(start)))")
            }
        }
        await clock.advance(seconds: 30, parties: 1)
        #expect(log.all == ["7", "14", "21", "28"])
        task.cancel()
        await task.value
        #expect(clock.sleeperCount == 0)
    }

    @Test("A deadline in the past does not sleep; a cancelled task wakes with an error, also before it sleeps")
    func edges() async {
        let clock = ManualTimeSource()
        await #expect(throws: Never.self) { try await clock.sleep(until: clock.now() - 1) }
        let sleeping = Task { try await clock.sleep(seconds: 5) }
        await clock.sleepers(atLeast: 1)
        sleeping.cancel()
        await #expect(throws: CancellationError.self) { try await sleeping.value }
        let early = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            try await clock.sleep(seconds: 5)
        }
        await #expect(throws: CancellationError.self) { try await early.value }
        #expect(clock.sleeperCount == 0)
    }

    @Test("A run goes to its end, is cancelled in time, or hits its limit")
    func run() async throws {
        let clock = ManualTimeSource()
        let start = clock.now()
        let hours = try await clock.run(parties: 1) {
            for _ in 0..<100 { try? await clock.sleep(seconds: 36) }
            return clock.now().timeIntervalSince(start) / 3_600
        }
        #expect(hours == 1)
        let stopped = try await clock.run(parties: 1, cancelAt: clock.now() + 100) {
            while (try? await clock.sleep(seconds: 30)) != nil {}
            return clock.now()
        }
        #expect(stopped == start + 3_700)
        await #expect(throws: ManualTimeSource.Failure.self) {
            try await clock.run(parties: 1, limit: 60) { while (try? await clock.sleep(seconds: 30)) != nil {} }
        }
    }
}
