import FleetEngine
import Foundation
import Testing

@Suite("The computer's clock", .timeLimit(.minutes(1)))
struct SystemTimeSourceTests {
    private let time = SystemTimeSource(speed: 1_000)

    @Test("a sleep ends when the clock has reached its time, and not before")
    func waits() async throws {
        let deadlines = [5.0, 60, 20, 0, -3].map { time.now().addingTimeInterval($0) }
        for deadline in deadlines {
            try await time.sleep(until: deadline)
            #expect(time.now() >= deadline)
        }
        // The clock is a thousand times as fast as real time. The sleeps must take less than 30 s of real time.
        #expect(time.now() < deadlines[1].addingTimeInterval(30_000))
    }

    @Test("the longest sleep ends with its task, whether the task is cancelled before it, at once or later", arguments: [0, 1, 2])
    func cancelled(kind: Int) async throws {
        let (begun, begin) = AsyncStream.makeStream(of: Void.self)
        let task = Task {
            if kind == 0 { while !Task.isCancelled { await Task.yield() } }
            begin.yield()
            try await SystemTimeSource().sleep(until: .distantFuture)
        }
        if kind == 0 { task.cancel() }
        for await _ in begun { break }
        if kind == 2 { try await time.sleep(seconds: 20) }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test("among many simultaneous sleeps, none ends early")
    func many() async throws {
        let time = time
        let start = time.now()
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
}
