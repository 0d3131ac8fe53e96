import Foundation
import Testing
import TripTesting

/// Faults of a command that makes one request to Fleet Engine.
enum AskingFaults {
    private static let plain = ["status", "{trip}", "--plaintext", "--endpoint"]
    private static let safe = ["status", "{trip}", "--endpoint", "{engine}"]
    private static let trusting = safe + ["--ca", "{ca}"]
    static let http1 = ConnectionFault.answer(Array("HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n".utf8))

    private static func row(_ fault: String, _ connection: ConnectionFault, _ words: String, ends code: Int32 = 1) -> FaultRow {
        FaultRow(
            command: "status", fault: fault, side: .engine, connection: connection, words: words, course: .ends(code),
            arguments: plain + ["{engine}"])
    }

    static let rows: [FaultRow] = [
        row("connection refused", .refuse, "connection refused). 'tripwatch doctor' finds the cause."),
        row("black hole", .blackHole, "The server cannot be reached"),
        row("half-open connection", .halfOpen, "The server cannot be reached"),
        row("cut before the first byte", .cut(afterBytes: 0), "is --plaintext wrong?"),
        row("cut in the first frame", .cut(afterBytes: 12), "is --plaintext wrong?"),
        row("reset before the first byte", .reset(afterBytes: 0), "is --plaintext wrong?"),
        row("reset in the first frame", .reset(afterBytes: 12), "is --plaintext wrong?"),
        row("corrupt bytes", .corrupt(afterBytes: 0), "is --plaintext wrong?"),
        row("HTTP/1 answer", http1, "is --plaintext wrong?"),
        row("cut in the head", .frame(.cutHead), "the connection was cut"),
        row("cut in the message", .frame(.cutMessage), "the connection was cut"),
        row("cut in the trailer", .frame(.cutTrailer), "the connection was cut"),
        row("GOAWAY", .frame(.goAway), "the connection was cut"),
        row("many GOAWAYs", .frame(.goAways), "the connection was cut"),
        row("RST_STREAM", .frame(.resetStream), "the connection was cut"),
        row("answers 0.5 s late", .delay(milliseconds: 500), "", ends: 0),
        row("ten bytes at a time", .drip(bytes: 10, milliseconds: 5), "", ends: 0),
        FaultRow(
            command: "status", fault: "unknown host name", words: "the server's name cannot be resolved", course: .ends(1),
            arguments: plain + ["no-such-host.invalid:443"]),
    ]

    private static func safeRow(
        _ fault: String, _ connection: ConnectionFault = .none, _ words: String, _ arguments: [String] = trusting, ends code: Int32 = 1
    ) -> FaultRow {
        FaultRow(
            command: "status over TLS", fault: fault, side: .safeEngine, connection: connection, words: words, course: .ends(code),
            arguments: arguments)
    }

    static let safeRows: [FaultRow] = [
        safeRow("unknown issuer", .none, "the server's certificate was not accepted", safe),
        safeRow("a plaintext client", .none, "is --plaintext wrong?", safe + ["--plaintext"]),
        safeRow("cut in the handshake", .cut(afterBytes: 60), "is --plaintext missing?"),
        safeRow("reset in the handshake", .reset(afterBytes: 60), "is --plaintext missing?"),
        safeRow("corrupt handshake", .corrupt(afterBytes: 0), "is --plaintext missing?"),
        safeRow("HTTP/1 answer", http1, "does not answer with TLS; is --plaintext missing?"),
        safeRow("corrupt bytes after the handshake", .corrupt(afterBytes: 3_000), "the connection was cut"),
        safeRow("black hole", .blackHole, "The server cannot be reached"),
        safeRow("answers 0.5 s late", .delay(milliseconds: 500), "", ends: 0),
    ]

    static let expiredRows: [FaultRow] = [safeRow("expired certificate", .none, "unknown issuer, expired or not yet valid")]
    static let otherHostRows: [FaultRow] = [safeRow("certificate of another host", .none, "the server's certificate is for another host")]

    // MARK: Tokens

    private static func tokenRow(_ fault: String, _ connection: ConnectionFault, _ words: String, ends code: Int32 = 1) -> FaultRow {
        FaultRow(
            command: "status with a token address", fault: fault, side: .desk, connection: connection, words: words, course: .ends(code),
            arguments: plain + ["{engine}", "--token-url", "{desk}/token/consumer/{tripID}"])
    }

    private static func ownTokenRow(_ fault: String, _ words: String, _ option: [String], ends code: Int32) -> FaultRow {
        FaultRow(
            command: "status with \(option[0])", fault: fault, words: words, course: .ends(code), arguments: plain + ["{engine}"] + option)
    }

    static let tokenRows: [FaultRow] = [
        tokenRow("connection refused", .refuse, "does not answer: connection refused"),
        tokenRow("black hole", .blackHole, "gave no answer within 13 s"),
        tokenRow("half-open connection", .halfOpen, "gave no answer within 13 s"),
        tokenRow("cut before the first byte", .cut(afterBytes: 0), "gave no usable answer: it closed the connection"),
        tokenRow("cut in the head", .cut(afterBytes: 12), "gave no usable answer: it closed the connection"),
        tokenRow("reset", .reset(afterBytes: 0), "gave no usable answer: it closed the connection"),
        tokenRow("corrupt bytes", .corrupt(afterBytes: 0), "gave no usable answer: it does not speak HTTP"),
        tokenRow("three bytes at a time", .drip(bytes: 3, milliseconds: 2), "", ends: 0),
        ownTokenRow("command not found", "the token command was not found (exit 127)", ["--token-command", "no-such-program"], ends: 4),
        ownTokenRow("command that fails", "the token command failed (exit 3)", ["--token-command", "exit 3"], ends: 4),
        ownTokenRow("command that is killed", "the token command was stopped by signal 9", ["--token-command", "kill -9 $$"], ends: 4),
        ownTokenRow("command that hangs", "the token command did not finish within 13 s", ["--token-command", "sleep 60"], ends: 1),
        ownTokenRow("no such file", "absent does not exist", ["--token-file", "{folder}/absent"], ends: 4),
    ]
}

let hasOpenSSL = FileManager.default.isExecutableFile(atPath: "/usr/bin/openssl")

@Suite("Fault table: single requests", .timeLimit(.minutes(10)))
struct AskingFaultTableTests {
    @Test("status in plaintext says what is wrong, or prints the status")
    func plaintext() async throws { try await FaultTable.run(AskingFaults.rows) }

    @Test("status over TLS says what is wrong, or prints the status", .enabled(if: hasOpenSSL))
    func safe() async throws {
        try await FaultTable.run(AskingFaults.safeRows, certificate: .good)
        try await FaultTable.run(AskingFaults.expiredRows, certificate: .expired)
        try await FaultTable.run(AskingFaults.otherHostRows, certificate: .otherHost)
    }

    @Test("a failing token source is named with its fault")
    func tokens() async throws { try await FaultTable.run(AskingFaults.tokenRows) }
}
