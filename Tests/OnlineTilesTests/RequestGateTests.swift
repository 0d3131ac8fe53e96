import Testing

@testable import OnlineTiles

@Suite("Requests that wait for others", .timeLimit(.minutes(1)))
struct RequestGateTests {
    private let gate = RequestGate(limit: 2, hostLimit: 1)

    @Test("a request of a cancelled task is not sent and takes no place, whether the task was cancelled before or during the wait")
    func cancelled() async {
        #expect(await gate.enter("a.example"))
        let waiting = Task { await gate.enter("a.example") }
        waiting.cancel()
        #expect(await waiting.value == false)
        gate.leave("a.example")
        let next = Task { await gate.enter("a.example") }
        #expect(await next.value)
    }

    @Test("after many requests, half of them cancelled at any moment, all places are free")
    func manyCancelled() async {
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<300 {
                let host = "\(number % 3).example"
                let request = Task {
                    guard await gate.enter(host) else { return }
                    gate.leave(host)
                }
                group.addTask {
                    if number.isMultiple(of: 2) { request.cancel() }
                    await request.value
                }
            }
        }
        #expect(await gate.enter("0.example"))
        #expect(await gate.enter("1.example"))
    }
}
