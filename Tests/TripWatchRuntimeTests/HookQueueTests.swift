import FleetEngine
import Foundation
import Glibc
import ProgramSurroundings
import Synchronization
import Testing
import TripTesting

@testable import ProgramHarness
@testable import TripWatchRuntime
@testable import TripWatchSettings
@testable import TripWatchWords

/// Counts the events that a queue has lost.
private final class LostEvents: Sendable {
    private let number = Atomic(0)

    var count: Int { number.load(ordering: .relaxed) }

    func add(_ more: Int) { number.add(more, ordering: .relaxed) }
}

@Suite("Events that wait for a receiver", .timeLimit(.minutes(1)))
struct HookQueueTests {
    private let time = ManualTimeSource()

    private func event() throws -> HookEvent {
        let trip = try TripName(provider: "p", trip: "t")
        return HookEvent(
            Moment(
                event: .status, trip: trip, time: time.now(), status: .complete, arrival: nil, remainingSeconds: nil, remainingMeters: nil))
    }

    /// Runs `body` with a queue of events for the receiver at an address.
    /// - Returns: the messages that were printed.
    @MainActor
    private func withQueue(
        to address: String, noteLost: @escaping @Sendable (Int) -> Void = { _ in }, _ body: @MainActor (HookQueue) async throws -> Void
    ) async throws -> [String] {
        try await withQueue(to: try #require(Hook(address: address)), noteLost: noteLost, body)
    }

    @MainActor
    private func withQueue(
        to hook: Hook, noteLost: @escaping @Sendable (Int) -> Void = { _ in }, _ body: @MainActor (HookQueue) async throws -> Void
    ) async throws -> [String] {
        let errors = Pipe()
        let time = time
        let surroundings = Surroundings(
            environment: ["PATH": "/usr/bin:/bin"], streams: StandardStreams(error: errors.fileHandleForWriting.fileDescriptor),
            clock: { _ in time })
        let receiver = try HookReceiver(hook, version: "1", caFile: nil, in: surroundings)
        try await body(HookQueue(receiver, in: surroundings, noteLost: noteLost))
        try errors.fileHandleForWriting.close()
        let text = String(decoding: try errors.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        return text.split(separator: "\n").map(String.init)
    }

    @Test("receivers with the same name have numbers, in the order of all hooks")
    func names() throws {
        let time = time
        let surroundings = Surroundings(environment: [:], clock: { _ in time })
        let hooks = [
            Hook(address: "http://a.example/one"), Hook(address: "http://b.example/one"), Hook(address: "http://a.example/two"),
            Hook(command: "notify"),
        ]
        let receivers = try hooks.map { try HookReceiver(try #require($0), version: "1", caFile: nil, in: surroundings) }
        let names = HookReceiver.numbered(receivers).map(\.name)
        #expect(
            names == [
                "the hook at http://a.example (hook 1)", "the hook at http://b.example", "the hook at http://a.example (hook 3)",
                "the command notify",
            ])
    }

    @Test("a hanging receiver is named one second after the end, and given up after its time limit")
    func hanging() async throws {
        try await ScriptedHTTPServer.with { _, _ in
            .stall("HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\n")
        } _: { receiver in
            let lines = try await withQueue(to: receiver.address) { queue in
                queue.add(try event())
                queue.add(try event())
                await receiver.waitForRequests()
                let end = Task { await queue.finish(within: 30) }
                await time.waitForSleepers()
                time.advance(by: 1)
                await time.waitForSleepers()
                #expect(time.deadlines == [time.now().addingTimeInterval(29)])
                time.advance(by: 29)
                await end.value
            }
            let name = "the hook at \(receiver.address)"
            let told = "tripwatch: 2 events are still to be sent to \(name); waiting at most 30 s."
            #expect(lines == [told, "tripwatch: 2 events were not sent to \(name)."])
            #expect(receiver.requests.count == 1)
        }
    }

    @Test("a command that does not end is killed with its children after ten seconds, and then the next one runs")
    func endlessCommand() async throws {
        let folder = try Folder()
        let file = folder.path + "/groups"
        let script = "trap \"\" TERM; sleep 600 & echo $$ >> \(file); sleep 600"
        let hook = try #require(Hook(command: "sh -c '\(script)'"))
        let lines = try await withQueue(to: hook) { queue in
            for _ in 0..<2 { queue.add(try event()) }
            for count in 1...2 {
                await time.waitForSleepers()
                #expect(time.deadlines == [time.now().addingTimeInterval(10)])
                let started = await groups(in: file, count: count)
                #expect(started.count == count)
                let group = try #require(started.last)
                time.advance(by: 10)
                // A killed process exists until its parent process has read its exit status.
                while kill(-group, 0) == 0, !Task.isCancelled { await Task.yield() }
            }
            await queue.finish(within: 30)
        }
        #expect(lines == ["tripwatch: the command sh took longer than 10 s and was stopped."])
        withExtendedLifetime(folder) {}
    }

    /// Waits until a file lists `count` process groups. Returns them.
    private func groups(in file: String, count: Int) async -> [pid_t] {
        while !Task.isCancelled {
            let text = (try? String(contentsOfFile: file, encoding: .utf8)) ?? ""
            let groups = text.split(separator: "\n").compactMap { pid_t($0) }
            if groups.count >= count, text.hasSuffix("\n") { return groups }
            await Task.yield()
        }
        return []
    }

    /// Sends `count` events to a receiver. The receiver answers with these statuses in turn, and then always with 200.
    /// - Returns: the number of requests, the printed lines, and the receiver's name.
    private func tell(_ count: Int, answers: [Int]) async throws -> (requests: Int, lines: [String], name: String) {
        try await ScriptedHTTPServer.with { _, number in
            .reply(number < answers.count ? answers[number] : 200, "")
        } _: { receiver in
            let lines = try await withQueue(to: receiver.address) { queue in
                for _ in 0..<count { queue.add(try event()) }
                await queue.finish(within: 30)
            }
            return (receiver.requests.count, lines, "the hook at \(receiver.address)")
        }
    }

    @Test(
        "an event that is refused as wrong, or redirected, is dropped, and later ones are delivered", arguments: [302, 400, 401, 404])
    func refused(status: Int) async throws {
        let (requests, lines, name) = try await tell(4, answers: [200, status, status])
        #expect(requests == 4)
        #expect(
            lines == [
                "tripwatch: \(name) answers with HTTP \(status): events that get this answer are dropped.",
                "tripwatch: \(name) accepts events again.",
                "tripwatch: 2 events were not sent to \(name).",
            ])
    }

    @Test("a receiver that says that it is gone gets no more events")
    func gone() async throws {
        let (requests, lines, name) = try await tell(3, answers: [200, 410])
        #expect(requests == 2)
        #expect(
            lines == [
                "tripwatch: \(name) answers with HTTP 410: it gets no more events.", "tripwatch: 2 events were not sent to \(name).",
            ])
    }

    @Test("dropped events of a busy receiver are reported at once, then once a minute with their number, and all are counted")
    func busy() async throws {
        let lost = LostEvents()
        try await ScriptedHTTPServer.with { _, _ in
            .stall("HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\n")
        } _: { receiver in
            let lines = try await withQueue(to: receiver.address, noteLost: { lost.add($0) }) { queue in
                for _ in 0..<HookQueue.largestCount { queue.add(try event()) }
                #expect(lost.count == 0)
                for _ in 0..<3 { queue.add(try event()) }
                time.advance(by: 59)
                queue.add(try event())
                time.advance(by: 1)
                queue.add(try event())
                let end = Task { await queue.finish(within: 1) }
                await time.waitForSleepers()
                time.advance(by: 1)
                await end.value
            }
            let name = "the hook at \(receiver.address)"
            let words = "tripwatch: \(name) cannot keep up: "
            #expect(
                lines == [
                    words + "1 event has been dropped so far.", words + "5 events have been dropped so far.",
                    "tripwatch: 1005 events were not sent to \(name).",
                ])
            #expect(lost.count == 5)
        }
    }

    @Test("the answers after which an event waits")
    func outcomes() {
        let again = [408, 429, 500, 502, 503, 504, 100]
        #expect(again.allSatisfy { HookTrouble.answer($0)?.outcome == .again })
        #expect([301, 307, 400, 403, 404, 413, 422].allSatisfy { HookTrouble.answer($0)?.outcome == .dropped })
        #expect(HookTrouble.answer(410)?.outcome == .gone && HookTrouble.answer(204) == nil)
    }

    @Test("a refused event is sent again after 1, 2, 4 s and so on, up to a minute, and at once at the end")
    func pauses() async throws {
        try await ScriptedHTTPServer.with { _, count in
            .reply(count < 9 ? 500 : 200, "")
        } _: { receiver in
            let lines = try await withQueue(to: receiver.address) { queue in
                queue.add(try event())
                for pause in [1.0, 2, 4, 8, 16, 32, 60, 60] {
                    await time.waitForSleepers()
                    #expect(time.deadlines == [time.now().addingTimeInterval(pause)])
                    time.advance(by: pause)
                }
                await time.waitForSleepers()
                await queue.finish(within: 30)
            }
            let name = "the hook at \(receiver.address)"
            #expect(lines == ["tripwatch: \(name) answers with HTTP 500; retrying.", "tripwatch: \(name) accepts events again."])
            #expect(receiver.requests.count == 10 && Set(receiver.requests.map(\.body)).count == 1)
        }
    }
}
