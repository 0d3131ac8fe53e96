import FleetEngine
import Foundation
import Testing

@testable import TripWatchRuntime

@Suite("The program's own way to wait", .timeLimit(.minutes(1)))
struct PauseTests {
    private let time = Surroundings(environment: [:]).clock(1_000)

    @MainActor
    @Test("a wait is over when the clock is there, and whoever waits goes on where he was")
    func waits() async throws {
        let deadlines = [5.0, 60, 20, 0, -3].map { time.now().addingTimeInterval($0) }
        for deadline in deadlines {
            try await time.sleep(until: deadline)
            MainActor.preconditionIsolated()
            #expect(time.now() >= deadline)
        }
        // Not as late as the wait before or after it would make it.
        #expect(time.now() < deadlines[1].addingTimeInterval(30_000))
    }

    @Test("a wait ends with its task, whether that is cancelled before, at once or later", arguments: [0, 1, 2])
    func cancelled(kind: Int) async throws {
        let time = time
        let (begun, begin) = AsyncStream.makeStream(of: Void.self)
        let task = Task {
            if kind == 0 { while !Task.isCancelled { await Task.yield() } }
            begin.yield()
            try await time.sleep(seconds: 366 * 86_400)
        }
        if kind == 0 { task.cancel() }
        for await _ in begun { break }
        if kind == 2 { try await time.sleep(seconds: 20) }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test("many waits at once end in the order of their times")
    func many() async throws {
        let (time, start) = (time, time.now())
        let ends = try await withThrowingTaskGroup(of: Double.self) { group in
            for number in 1...200 {
                group.addTask {
                    try await time.sleep(until: start.addingTimeInterval(Double(number)))
                    return time.now().timeIntervalSince(start) - Double(number)
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(ends.count == 200 && ends.allSatisfy { $0 >= 0 })
    }

    @MainActor
    @Test("naps end in the order of their times, no earlier, and on the actor of whoever naps")
    func order() async throws {
        var ended: [Int] = []
        let start = ContinuousClock.now
        let naps = [40, 10, 30, 20, 0].map { milliseconds in
            Task {
                try await PauseClock.sleep(for: .milliseconds(milliseconds), isolation: #isolation)
                MainActor.assertIsolated()
                #expect(.now - start >= .milliseconds(milliseconds))
                ended.append(milliseconds)
            }
        }
        for nap in naps { try await nap.value }
        #expect(ended == [0, 10, 20, 30, 40])
        // Whoever has no actor naps too.
        let nap = Task.detached { try await PauseClock.sleep(for: .milliseconds(5), isolation: nil) }
        try await nap.value
    }

    @MainActor
    @Test("a nap that is cancelled ends at once, before it begins, while it lasts and among thousands")
    func cancelledAmongMany() async {
        let anHour = Duration.seconds(3_600)
        let early = Task { try await PauseClock.sleep(for: anHour, isolation: #isolation) }
        early.cancel()
        await #expect(throws: CancellationError.self) { try await early.value }
        var begun = 0
        let naps = (0..<2_000).map { index in
            Task {
                begun += 1
                try await PauseClock.sleep(for: index % 2 == 0 ? anHour : .milliseconds(1), isolation: #isolation)
            }
        }
        while begun < naps.count { await Task.yield() }
        for (index, nap) in naps.enumerated() where index % 2 == 0 { nap.cancel() }
        for (index, nap) in naps.enumerated() {
            let outcome = await nap.result
            if index % 2 == 0 {
                #expect(throws: CancellationError.self) { try outcome.get() }
            } else {
                #expect(throws: Never.self) { try outcome.get() }
            }
        }
    }
}
