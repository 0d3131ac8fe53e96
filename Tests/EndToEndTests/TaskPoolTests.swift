import Foundation
import Synchronization
import Testing

@testable import TripWatchRuntime

@Suite("The threads on which tasks run", .timeLimit(.minutes(2)))
struct TaskPoolTests {
    @Test("what many threads add at once is run, each once, and what one adds in its order")
    func everything() async throws {
        let (adders, each) = (6, 4_000)
        let (done, finish) = AsyncStream.makeStream(of: Void.self)
        let runs = Mutex([[Int]](repeating: [], count: adders))
        let pool = try #require(
            ThreadPool<(adder: Int, number: Int)>(named: "test", width: 1) { work in
                let count = runs.withLock { runs in
                    runs[work.adder].append(work.number)
                    return runs.reduce(0) { $0 + $1.count }
                }
                if count == adders * each { finish.yield() }
            })
        for adder in 0..<adders {
            Thread.detachNewThread { for number in 0..<each { pool.add((adder, number)) } }
        }
        for await _ in done { break }
        #expect(runs.withLock { $0 } == Array(repeating: Array(0..<each), count: adders))
    }

    @Test("one that adds to an idle pool again and again wakes it each time", arguments: [1, 4])
    func wakes(width: Int) throws {
        let ran = DispatchSemaphore(value: 0)
        let pool = try #require(ThreadPool<Int>(named: "test", width: width) { _ in ran.signal() })
        for number in 0..<20_000 {
            pool.add(number)
            ran.wait()
        }
    }

    @Test("work that blocks leaves the other threads to what comes after it, and what then waits is run when one is free")
    func blocked() throws {
        let (ran, gate) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let pool = try #require(
            ThreadPool<Bool>(named: "test", width: 4) { blocks in
                if blocks { gate.wait() }
                ran.signal()
            })
        for _ in 1...3 { pool.add(true) }
        for _ in 1...100 {
            pool.add(false)
            ran.wait()
        }
        pool.add(true)
        pool.add(false)
        #expect(ran.wait(timeout: .now()) == .timedOut)
        for _ in 1...4 { gate.signal() }
        for _ in 1...5 { ran.wait() }
    }

    /// The names of a process's threads.
    private func threads(of process: Int32) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/task").compactMap { thread in
            // One that ends meanwhile has no name any more.
            (try? String(contentsOfFile: "/proc/\(process)/task/\(thread)/comm", encoding: .utf8))?.trimmingCharacters(in: .newlines)
        }
    }

    /// Dispatch's threads for its shared queues, which it counts each second, are named for the end of "com.apple.root.default-qos"; those for
    /// queues of one's own, which it does not count, for the end of "com.apple.root.default-qos.overcommit".
    private func expectNoCountedThread(of process: Int32) throws {
        let names = try threads(of: process)
        #expect(names.contains("tasks") && !names.contains { $0.hasSuffix("-qos") }, "\(names)")
    }

    @Test("a server that has answered a call leaves nothing behind that wakes each second")
    func server() async throws {
        let running = try Program().start(["serve", "--grpc-port", "0", "--http-port", "0"])
        defer { running.stop() }
        let line = try #require(running.line())
        let port = try #require(line.firstMatch(of: /http=127.0.0.1:([0-9]+)/).flatMap { Int($0.1) })
        let connection = try TCPConnection(port: port)
        let body = #"{"vehicleId":"car"}"#
        connection.send(
            "POST /vehicle/new HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)")
        #expect(connection.read().hasPrefix("HTTP/1.1 200"))
        try expectNoCountedThread(of: running.process.processIdentifier)
    }

    @Test("nor does a map that has been looked at", arguments: [(["map"], "invented town"), (["demo"], " min")])
    func screen(arguments: [String], first: String) throws {
        let program = try ProgramOnTerminal(arguments)
        try program.wait(for: first)
        program.press("+?")
        try program.wait(for: "KEYS")
        try expectNoCountedThread(of: program.process)
        program.signal(SIGTERM)
        #expect(try program.end() == 143)
    }
}
