import FleetEngine
import FoundationEssentials
import Synchronization
import Testing
import TripTesting

@Suite("Manual clock", .timeLimit(.minutes(1)))
struct ManualTimeSourceTests {
    private let clock = ManualTimeSource()
    private let log = Log()

    /// A log of events. Each has its time in seconds since the clock's start.
    private final class Log: Sendable {
        private let lines = Mutex<[String]>([])
        func note(_ line: String) { lines.withLock { $0.append(line) } }
        var all: [String] { lines.withLock { $0 } }
    }

    @Test("Sleepers wake in the order of their deadlines, and the clock shows the deadline")
    func order() async {
        let (clock, log, start) = (clock, log, clock.now())
        await withTaskGroup { group in
            for (name, seconds) in [("c", 30.0), ("a", 10), ("b", 20)] {
                group.addTask {
                    try? await clock.sleep(until: start + seconds)
                    log.note("\(name) \(clock.now().timeIntervalSince(start))")
                    // The clock waits for three sleepers before it wakes the next task, so this task sleeps again.
                    try? await clock.sleep(until: start + 1_000)
                }
            }
            await clock.advance(to: start + 25, parties: 3)
            #expect(log.all == ["a 10.0", "b 20.0"])
            #expect(clock.now() == start + 25)
            await clock.advance(to: start + 30, parties: 3)
            #expect(log.all == ["a 10.0", "b 20.0", "c 30.0"])
            clock.advance(to: start + 1_000)
        }
    }

    @Test("A task that sleeps again is woken at each of its deadlines on the way")
    func periodic() async throws {
        let (clock, log, start) = (clock, log, clock.now())
        let task = Task {
            while !Task.isCancelled {
                do { try await clock.sleep(seconds: 7) } catch { break }
                log.note("\(Int(clock.now().timeIntervalSince(start)))")
            }
        }
        await clock.advance(by: 30, parties: 1)
        #expect(log.all == ["7", "14", "21", "28"])
        #expect(clock.deadlines == [start + 35])
        task.cancel()
        await task.value
        #expect(clock.deadlines.isEmpty)
    }

    @Test("Without waiting for anyone, the clock wakes only those who are due, and never runs backwards")
    func advance() async throws {
        let (clock, start) = (clock, clock.now())
        let sleeping = [5.0, 50, 20].map { seconds in Task { try await clock.sleep(until: start + seconds) } }
        await clock.waitForSleepers(3)
        #expect(clock.deadlines == [5, 20, 50].map { start + $0 })
        clock.advance(by: 20)
        #expect(clock.deadlines == [start + 50])
        try await sleeping[0].value
        try await sleeping[2].value
        clock.advance(to: start)
        #expect(clock.now() == start + 20)
        clock.advance(to: start + 50)
        try await sleeping[1].value
    }

    @Test("A deadline in the past does not sleep; a cancelled task wakes with an error, also before it sleeps")
    func edges() async {
        let clock = clock
        await #expect(throws: Never.self) { try await clock.sleep(until: clock.now() - 1) }
        let sleeping = Task { try await clock.sleep(seconds: 5) }
        await clock.waitForSleepers()
        sleeping.cancel()
        await #expect(throws: CancellationError.self) { try await sleeping.value }
        let early = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            try await clock.sleep(seconds: 5)
        }
        await #expect(throws: CancellationError.self) { try await early.value }
        #expect(clock.deadlines.isEmpty)
    }

    @Test("A run goes to its end, is cancelled in time, or hits its limit")
    func run() async throws {
        let (clock, start) = (clock, clock.now())
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
        await #expect(throws: ManualTimeSource.Failure.limitReached(start + 3_760)) {
            try await clock.run(parties: 1, limit: 60) { while (try? await clock.sleep(seconds: 30)) != nil {} }
        }
    }

    @Test("The end of a run is forgotten afterwards: waiting for sleepers works as usual")
    func afterARun() async throws {
        let clock = clock
        try await clock.run(parties: 1) { try? await clock.sleep(seconds: 1) }
        let sleeping = Task { try await clock.sleep(seconds: 5) }
        await clock.waitForSleepers()
        #expect(clock.deadlines == [clock.now() + 5])
        clock.advance(by: 5)
        try await sleeping.value
    }

    @Test("A cancelled test does not wait for sleepers that never come")
    func cancelledWaits() async {
        let clock = clock
        let waiting = Task { await clock.waitForSleepers(2) }
        let running = Task { try await clock.run(parties: 2) { try? await clock.sleep(until: .distantFuture) } }
        await clock.waitForSleepers()
        waiting.cancel()
        await waiting.value
        running.cancel()
        await #expect(throws: CancellationError.self) { try await running.value }
    }
}
