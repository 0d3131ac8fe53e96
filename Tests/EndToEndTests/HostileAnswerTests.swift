import Foundation
import Testing
import TripTesting

@testable import ProgramHarness

/// Answers that never end, or that would need much memory. The program must say what is wrong with them, and use little memory.
@Suite("Answers that would fill the memory", .timeLimit(.minutes(3)))
struct HostileAnswerTests {
    /// An answer of an HTTP server.
    struct Row: Sendable, CustomTestStringConvertible {
        let answer: String
        let bytes: ScriptedHTTPServer.Answer
        /// A part of the message of `book`.
        let booking: String
        /// A part of the message about the token.
        let token: String
        /// A part of the message about the link.
        let link: String

        var testDescription: String { answer }
    }

    /// An answer of a Fleet Engine.
    struct Message: Sendable, CustomTestStringConvertible {
        let answer: String
        /// A part of the message.
        let words: String
        let bytes: @Sendable () -> [UInt8]

        var testDescription: String { answer }
    }

    /// The limit of a program's memory, in MiB.
    private static let limitMiB = 300
    private static let ok = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
    private static let notHTTP = "it does not speak HTTP"
    private static let noTrip = "answers, but not with a trip or shipment"

    private static let rows: [Row] = [
        Row(
            answer: "a body without an end", bytes: .endless(ok + "\r\n", again: " "), booking: "the answer is too large",
            token: "provided more than 65536 bytes", link: noTrip),
        Row(
            answer: "a body of 100 GB", bytes: .endless(ok + "Content-Length: 100000000000\r\n\r\n", again: " "),
            booking: "the answer is too large", token: "provided more than 65536 bytes", link: noTrip),
        Row(
            answer: "chunks without an end", bytes: .endless(ok + "Transfer-Encoding: chunked\r\n\r\n", again: "4\r\n    \r\n"),
            booking: "the answer is too large", token: "provided more than 65536 bytes", link: noTrip),
        Row(
            answer: "a header without an end", bytes: .endless(ok + "X: ", again: "a"), booking: notHTTP, token: notHTTP, link: notHTTP),
        Row(answer: "headers without an end", bytes: .endless(ok, again: "X: a\r\n"), booking: notHTTP, token: notHTTP, link: notHTTP),
        Row(
            answer: "an event without an end",
            bytes: .endless("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\ndata: ", again: "a"),
            booking: "the answer is too large", token: "provided more than 65536 bytes", link: "the answer is too large"),
    ]

    /// Returns a trip of almost 16 MiB: its name, and these bytes again and again.
    private static func repeated(_ part: [UInt8]) -> [UInt8] {
        let name = Array(MadeUpRide.name.utf8)
        let count = ((16 << 20) - 1_000) / part.count
        return [0x0A, UInt8(name.count)] + name + Array(repeatElement(part, count: count).joined())
    }

    /// A trip of status NEW with 249,000 stops that have only a type.
    private static var accepted: [UInt8] {
        let name = Array(MadeUpRide.name.utf8)
        let stops = repeatElement([0x82, 1, 2, 0x18, 1] as [UInt8], count: 249_000)
        return [0x0A, UInt8(name.count)] + name + [0x18, 1] + Array(stops.joined())
    }

    private static let messages: [Message] = [
        Message(answer: "17 MiB", words: "it is larger than 16777216 bytes") { Array(repeating: 0, count: 17 << 20) },
        Message(answer: "empty points", words: "it has more than 250000 parts") { repeated([0x4A, 0]) },
        Message(answer: "empty stops", words: "it has more than 250000 parts") { repeated([0x82, 1, 0]) },
        Message(answer: "as many stops as the limit allows", words: #""event":"status""#) { accepted },
        Message(answer: "empty attributes", words: "it has more than 250000 parts") { repeated([0x9A, 2, 0]) },
    ]

    /// Runs a command until it ends or prints these words. Checks that it prints them and that its memory stays below the limit.
    private func check(_ command: [String], says words: String) throws {
        let running = try Program().start(command, longestSeconds: 60)
        defer { running.stop() }
        let told = LineWatch(running.errors, running.output)
        var peak = 0
        while !running.waitForEnd(until: .now() + 0.01), !told.all.contains(where: { $0.contains(words) }) {
            peak = max(peak, running.peakMiB ?? 0)
        }
        peak = max(peak, running.peakMiB ?? 0)
        #expect(told.line(with: words, within: 5) != nil, "\(command.first ?? ""): \(told.all)")
        #expect(peak < Self.limitMiB || Program.isSanitized, "\(command.first ?? ""): \(peak) MiB")
    }

    @Test("an answer without an end is reported, and the program stays small", arguments: rows)
    func endless(row: Row) async throws {
        try await ScriptedHTTPServer.with { _, _ in
            row.bytes
        } _: { server in
            try await background {
                try check(["book", "--from", "1,1", "--to", "1,2", "--provider-url", server.address], says: row.booking)
                try check(["token", "inspect", "--token-url", server.address], says: row.token)
                try check(["follow", server.address + "/s/AAAAAAAAAAAAAAAAAAAAAA", "--output", "json"], says: row.link)
            }
        }
    }

    @Test("a trip of many megabytes or stops is reported, and the program stays small", arguments: messages)
    func trip(message: Message) async throws {
        let bytes = message.bytes()
        try await ScriptedFleetEngine(rawGetTrip: { _ in bytes }).serve { port in
            try await background {
                let command = ["follow", MadeUpRide.name, "--output", "json", "--plaintext", "--endpoint", "127.0.0.1:\(port)"]
                try check(command, says: message.words)
            }
        }
    }

    /// A SETTINGS frame, and the length field of a second frame, which has 16,255 bytes of contents. The second frame has an unknown type.
    /// Peers ignore such frames, and flow control does not limit them.
    private static let firstFrames = "\0\0\0\u{4}\0\0\0\0\0" + "\0\u{3F}\u{7F}"
    /// The rest of such a frame, and the beginning of the next one.
    private static let nextFrame = "\u{50}\0\0\0\0\0" + String(repeating: "x", count: 16_255) + "\0\u{3F}\u{7F}"

    @Test("frames without an end are not kept: the call ends at its deadline, and the program stays small")
    func frames() async throws {
        try await ScriptedHTTPServer.with { _, _ in
            .endless(Self.firstFrames, again: Self.nextFrame)
        } _: { server in
            try await background {
                let command = ["follow", MadeUpRide.name, "--output", "json", "--plaintext", "--endpoint", "127.0.0.1:\(server.port)"]
                try check(command, says: #""event":"error""#)
            }
        }
    }

    @Test("a server does not keep the frames of a client that has made no call, and answers others")
    func framesOfClient() throws {
        let serving = try Program().start(["serve", "--grpc-port", "0", "--http-port", "0"])
        defer { serving.stop() }
        let ports = try #require(serving.line()).matches(of: /:([0-9]+)/).compactMap { Int($0.1) }
        let connection = try TCPConnection(port: try #require(ports.first))
        connection.send("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + Self.firstFrames)
        let frames = String(repeating: Self.nextFrame, count: 100)
        for _ in 0..<250 { connection.send(frames) }
        connection.waitUntilRead()
        let peak = try #require(serving.peakMiB)
        #expect(peak < Self.limitMiB || Program.isSanitized, "\(peak) MiB")
        let other = try TCPConnection(port: try #require(ports.last))
        other.send("GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        #expect(other.read().contains("200"))
    }
}
