import GRPCCore
import NIOCore
import Testing

@testable import FleetEngineGRPC

@Suite("Calls on the event loop of their connection")
struct ConnectionTasksTests {
    private let tasks = ConnectionTasks()

    /// A call that nobody answers: it ends when it is cancelled.
    private static func unanswered() async throws -> Int {
        let (never, _) = AsyncStream.makeStream(of: Int.self)
        for await answer in never { return answer }
        throw CancellationError()
    }

    @Test("what a call gives and what it throws come through")
    func outcome() async throws {
        #expect(try await tasks.perform(withinSeconds: 60) { 7 } == 7)
        await #expect(throws: RPCError(code: .notFound, message: "no such trip")) {
            try await tasks.perform(withinSeconds: 60) { throw RPCError(code: .notFound, message: "no such trip") }
        }
    }

    @Test("a call whose time is over is given up, as DEADLINE_EXCEEDED")
    func late() async {
        let failure = await #expect(throws: RPCError.self) { try await tasks.perform(withinSeconds: 0) { try await Self.unanswered() } }
        #expect(failure?.code == .deadlineExceeded)
    }

    @Test("a call of a task that is cancelled ends with it, and is not called late")
    func canceled() async {
        let call = Task { [tasks] in try await tasks.perform(withinSeconds: 3_600) { try await Self.unanswered() } }
        call.cancel()
        await #expect(throws: CancellationError.self) { try await call.value }
    }
}
