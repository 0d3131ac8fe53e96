import FleetEngineAPI
import Foundation
import SwiftProtobuf
import Synchronization
import Testing
import TripTesting

@testable import ProgramHarness

/// A queue of calls that wait for their answers. When more than `length` calls wait, the oldest call is answered.
private final class AnswerQueue: Sendable {
    private let waiting = Mutex<[CheckedContinuation<Void, Never>]?>([])
    private let length: Int

    init(length: Int) { self.length = length }

    func wait() async {
        await withCheckedContinuation { call in
            let next = waiting.withLock { waiting -> CheckedContinuation<Void, Never>? in
                waiting?.append(call)
                guard let count = waiting?.count else { return call }
                return count > length ? waiting?.removeFirst() : nil
            }
            next?.resume()
        }
    }

    /// Lets all waiting calls continue. Later calls do not wait.
    func end() {
        let left = waiting.withLock { waiting in
            defer { waiting = nil }
            return waiting
        }
        for call in left ?? [] { call.resume() }
    }
}

@Suite("follow with many trips", .timeLimit(.minutes(2)))
struct ManyTripsTests {
    @Test("64 are polled at first; the program says once that the interval cannot be kept, and reports every trip to its end")
    func slowServer() async throws {
        let waiting = Mutex(0)
        let first = Mutex<Int?>(nil)
        let engine = ScriptedFleetEngine { request, call, _ in
            if call <= 64 {
                // A client that does not wait for answers would make more than 64 calls before the end of this pause.
                waiting.withLock { $0 += 1 }
                while waiting.withLock({ $0 }) < 64 { await Task.yield() }
                for _ in 0..<500 { await Task.yield() }
                first.withLock { $0 = $0 ?? waiting.withLock { $0 } }
            } else if call <= 200 {
                waiting.withLock { $0 += 1 }
            } else {
                try await Task.sleep(for: .seconds(1.2))
            }
            return .with {
                $0.name = request.name
                $0.tripStatus = call <= 400 ? .new : .complete
            }
        }
        try await engine.serve { port in
            let names = (0..<200).map { "t\($0)" }
            let arguments = ["--provider", "demo", "--endpoint", "127.0.0.1:\(port)", "--plaintext", "--interval", "1", "--output", "json"]
            let result = try await background { try Program().run(["follow"] + names + arguments) }
            #expect(result.status == 0)
            #expect(first.withLock { $0 } == 64)
            let words = #/^tripwatch: 200 trips are polled only about every [0-9.]+ s, not every 1 s\.$/#
            #expect(result.errors.split(separator: "\n").count { $0.contains(words) } == 1, "\(result.errors)")
            #expect(result.lines.count { $0.contains("\"event\":\"end\"") } == 200)
        }
    }

    @Test("the screen says so too, where the user sees it")
    func slowServerOnScreen() async throws {
        // About half of the trips wait for an answer, and the others wait for their one-second interval to pass. Each trip is therefore
        // polled about every two seconds.
        let queue = AnswerQueue(length: 20)
        let engine = ScriptedFleetEngine { request, call, _ in
            if call > 40 { await queue.wait() }
            return .with { ($0.name, $0.tripStatus) = (request.name, .new) }
        }
        try await engine.serve { port in
            defer { queue.end() }
            let names = (0..<40).map { "t\($0)" }
            let flags = ["--provider", "demo", "--endpoint", "127.0.0.1:\(port)", "--plaintext", "--interval", "1"]
            try await background {
                let program = try ProgramOnTerminal(["follow"] + names + flags, columns: 120, rows: 40)
                try program.wait(for: "40 trips are polled only about every ")
                program.press("q")
                #expect(try program.end() == 0)
            }
        }
    }

    @Test("names may stand before, between and after options, and after --")
    func names() async throws {
        let asked = Mutex(Set<String>())
        let engine = ScriptedFleetEngine { request, _, _ in
            asked.withLock { _ = $0.insert(request.name) }
            return .with {
                $0.name = request.name
                $0.tripStatus = .complete
            }
        }
        try await engine.serve { port in
            let arguments = [
                "follow", "a", "b", "c", "--provider", "demo", "d", "e", "a", "--plaintext", "f", "g", "--endpoint", "127.0.0.1:\(port)",
                "--output", "json", "--", "h", "i", "-j", "k", "l",
            ]
            let result = try await background { try Program().run(arguments) }
            #expect(result.status == 0)
            let expected = ["a", "b", "c", "d", "e", "f", "g", "h", "i", "-j", "k", "l"].map { "providers/demo/trips/\($0)" }
            #expect(asked.withLock { $0 } == Set(expected))
        }
    }
}
