import Foundation
import Glibc
import Synchronization
import Testing

/// The lines of a running command. A test can wait for a line.
final class LineWatch: Sendable {
    private struct State {
        var lines: [String] = []
        var openPipes: Int
        var isAtEnd: Bool { openPipes == 0 }
    }

    private let state: Mutex<State>
    private let news = DispatchSemaphore(value: 0)

    /// Reads each pipe on a thread of its own until the pipe's writers have closed it.
    init(_ pipes: Pipe...) {
        state = Mutex(State(openPipes: pipes.count))
        for pipe in pipes { read(pipe.fileHandleForReading) }
    }

    private func read(_ handle: FileHandle) {
        Thread.detachNewThread { [self] in
            var rest = Data()
            while true {
                let data = handle.availableData
                rest += data
                while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
                    let line = String(decoding: rest[rest.startIndex..<end], as: UTF8.self)
                    rest = rest[rest.index(after: end)...]
                    state.withLock { $0.lines.append(line) }
                    news.signal()
                }
                if data.isEmpty { break }
            }
            state.withLock { $0.openPipes -= 1 }
            news.signal()
        }
    }

    /// Waits until all pipes are closed, for at most `seconds`. Programs that the command has started may keep the pipes open.
    func waitForEnd(within seconds: Double = 5) {
        let deadline = DispatchTime.now() + seconds
        while !state.withLock({ $0.isAtEnd }), news.wait(timeout: deadline) == .success {}
    }

    var all: [String] { state.withLock { $0.lines } }

    /// Waits for a line that contains these words. Only one test at a time may wait.
    /// - Parameter start: the number of lines to skip at the beginning.
    /// - Returns: the line; nil if the command ends without it, or if `seconds` have passed.
    func line(with words: String, after start: Int = 0, within seconds: Double = 60) -> String? {
        let deadline = DispatchTime.now() + seconds
        while true {
            let (lines, isAtEnd) = state.withLock { ($0.lines.dropFirst(start), $0.isAtEnd) }
            if let found = lines.first(where: { $0.contains(words) }) { return found }
            if isAtEnd || news.wait(timeout: deadline) == .timedOut { return nil }
        }
    }
}

/// A server on this machine that can be stopped and started again at the same addresses.
struct LocalServer {
    let program = Program()
    let speed: Int
    private let options: [String]
    private(set) var running: Program.Running
    let grpc: String
    let http: String

    /// - Parameter restarts: whether the test will call ``restart()``. If so, no other program gets the server's ports while the
    ///   server is stopped.
    init(speed: Int = 10, options: [String] = [], restarts: Bool = false) throws {
        self.speed = speed
        self.options = options
        let ports = try (0..<2).map { _ in try restarts ? LoopbackPort.free(SOCK_STREAM) : 0 }
        running = try program.start(
            ["serve", "--grpc-port", "\(ports[0])", "--http-port", "\(ports[1])", "--speed", "\(speed)"] + options)
        let words = (running.line() ?? "").split(separator: " ")
        grpc = words.first { $0.hasPrefix("grpc=") }.map { String($0.dropFirst(5)) } ?? ""
        http = words.first { $0.hasPrefix("http") }?.split(separator: "=").last.map(String.init) ?? ""
    }

    var connection: [String] { ["--endpoint", grpc, "--plaintext", "--provider", "demo"] }
    var desk: String { "http://\(http)" }

    func stop() { running.stop() }

    mutating func restart() throws {
        running.stop()
        try startAgain()
    }

    /// Starts the server again after it has ended.
    mutating func startAgain() throws {
        func port(_ address: String) -> String { String(address.split(separator: ":").last ?? "0") }
        running = try program.start(["serve", "--grpc-port", port(grpc), "--http-port", port(http), "--speed", "\(speed)"] + options)
        _ = running.line()
    }

    /// Books a trip.
    /// - Returns: the trip's name.
    func book(from: String, to: String, _ more: String...) throws -> String? {
        try program.run(["book", "--from", from, "--to", to, "--provider-url", desk] + more).lines.first
    }

    /// Cancels a trip through the provider API, without running tripwatch.
    /// - Returns: the answer with its header.
    func cancel(_ trip: String) throws -> String {
        let id = trip.split(separator: "/").last.map(String.init) ?? ""
        return try put("/trip/\(id)", #"{"status":"CANCELED"}"#)
    }

    /// Sets the faults that the engine must produce.
    /// - Returns: the answer with its header.
    func plan(faults: String) throws -> String { try put("/_tripwatch/faults", faults) }

    private func put(_ path: String, _ body: String) throws -> String {
        let connection = try TCPConnection(port: try #require(desk.split(separator: ":").last.flatMap { Int($0) }))
        connection.send(
            "PUT \(path) HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n"
                + "Connection: close\r\n\r\n\(body)")
        return connection.read()
    }

    /// Starts a server with a car that drives north and serves trips by itself. Also books a trip.
    static func withRide<Result>(
        speed: Int = 60, to dropoff: String, _ body: (_ server: LocalServer, _ trip: String) throws -> Result
    ) throws -> Result {
        let server = try LocalServer(speed: speed)
        defer { server.stop() }
        let car = try server.drive("--create", "--auto", "--dwell", "5", "--route", "-36.0000,-20.0000;-35.9400,-20.0000")
        defer { car.stop() }
        #expect(LineWatch(car.output).line(with: "online") != nil)
        return try body(server, try #require(try server.book(from: "-35.9900,-20.0000", to: dropoff)))
    }

    func drive(_ more: String...) throws -> Program.Running { try drive(more) }

    func drive(_ more: [String]) throws -> Program.Running {
        try program.start(["drive", "--vehicle", "car-1", "--simulate", "--speed", "\(speed)"] + more + connection)
    }
}
