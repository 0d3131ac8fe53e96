import Foundation
import Testing

@testable import ProgramHarness

/// A client that is written in Go. It is available if `.ci/go-peer` has built it.
private enum GoPeer {
    static let path = Program.package.appending(path: ".build/go-peer").path

    static var isThere: Bool { FileManager.default.isExecutableFile(atPath: path) }

    static func run(_ arguments: [String]) throws -> (status: Int32, output: String) {
        let process = Process()
        let pipe = Pipe()
        process.executableURL = URL(filePath: path)
        process.arguments = arguments
        process.standardOutput = pipe
        process.standardError = pipe
        try process.run()
        let data = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return (process.terminationStatus, String(decoding: data, as: UTF8.self))
    }
}

@Suite(
    "With a Go client", .enabled(if: GoPeer.isThere || ProcessInfo.processInfo.environment["CI"] != nil), .timeLimit(.minutes(5)))
struct GoClientTests {
    @Test("10,000 calls over one connection of grpc-go with its defaults: the connection is not closed, and no call is made twice")
    func calls() throws {
        let server = try Program().start(["serve", "--grpc-port", "0", "--http-port", "0"])
        defer { server.stop() }
        let line = try #require(server.line())
        let address = try #require(line.firstMatch(of: #/grpc=(\S+)/#).map { String($0.1) })
        // If the client sent a call twice, the second call would fail, because its trip would already exist. Only four workers make the
        // calls, so that the client sends a PING in each round trip.
        let result = try GoPeer.run([address, "5000", "4"])
        #expect(result.status == 0 && result.output == "calls=10000 failures=0 connections=1\n", "\(result.output)")
    }
}
