import Synchronization
import Testing

@testable import TripWatchRuntime

@Suite("Changes that are written later", .timeLimit(.minutes(1)))
@MainActor
struct DelayedWriterTests {
    @Test("the end waits for a write in progress, and writes the rest")
    func close() async {
        let (begins, begin) = AsyncStream.makeStream(of: Void.self)
        let (permits, permit) = AsyncStream.makeStream(of: Void.self)
        let finished = Atomic(0)
        let writer = DelayedWriter {
            begin.yield()
            for await _ in permits { break }
            finished.add(1, ordering: .relaxed)
        }
        writer.write(within: 0)
        for await _ in begins { break }
        let closing = Task {
            await writer.close()
            return finished.load(ordering: .relaxed)
        }
        for _ in 0..<2 { permit.yield() }
        #expect(await closing.value == 2)
    }

    @Test("changes that come before a write is due are written with it")
    func together() async {
        let writes = Atomic(0)
        let writer = DelayedWriter { writes.add(1, ordering: .relaxed) }
        for _ in 0..<3 { writer.write(within: 3_600) }
        #expect(writes.load(ordering: .relaxed) == 0)
        await writer.close()
        #expect(writes.load(ordering: .relaxed) == 1)
    }
}
