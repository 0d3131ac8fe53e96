import Testing
import TripTesting

@testable import ProgramHarness

/// Faults of commands that use a provider backend.
enum ProviderFaults {
    private static let book = ["book", "--from", "-36.005,-19.99", "--to", "-36.01,-19.98", "--provider-url", "{desk}"]
    private static let cancel = ["cancel", "{id}", "--provider-url", "{desk}"]
    private static let phone = ["phone", "{vehicle}", "--plain", "--provider-url", "{desk}"]

    private static func row(
        _ command: String, _ fault: String, _ connection: ConnectionFault, _ words: String, _ arguments: [String], ends code: Int32 = 1,
        loss: (@Sendable (FaultScene) throws -> String?)? = nil
    ) -> FaultRow {
        FaultRow(
            command: command, fault: fault, side: .desk, connection: connection, words: words, course: .ends(code), arguments: arguments,
            loss: loss)
    }

    static let bookRows: [FaultRow] = [
        row("book", "connection refused", .refuse, "Not booked: ", book),
        row("book", "black hole", .blackHole, "Perhaps booked: ", book),
        row("book", "half-open connection", .halfOpen, "Perhaps booked: ", book),
        row("book", "cut before the answer", .cut(afterBytes: 0), "Perhaps booked: ", book),
        row("book", "cut in the head", .cut(afterBytes: 12), "Perhaps booked: ", book),
        row("book", "reset", .reset(afterBytes: 0), "Perhaps booked: ", book),
        row("book", "corrupt bytes", .corrupt(afterBytes: 0), "Perhaps booked: ", book),
        row("book", "three bytes at a time", .drip(bytes: 3, milliseconds: 2), "", book, ends: 0),
        row("book", "answers 0.5 s late", .delay(milliseconds: 500), "", book, ends: 0),
        FaultRow(
            command: "book", fault: "unknown host name", words: "Not booked: ", course: .ends(1),
            arguments: Array(book.dropLast()) + ["http://no-such-host.invalid"]),
    ]

    /// Checks that the trip is cancelled even though the answer was lost.
    static func isCanceled(_ scene: FaultScene) throws -> String? {
        let answer = try scene.calls.ask("GET", "trips/\(scene.id)")
        return answer.contains("CANCELED") ? nil : "the cancellation: \(answer)"
    }

    /// Checks that the trip continues, because it was not cancelled.
    static func goesOn(_ scene: FaultScene) throws -> String? {
        let answer = try scene.calls.ask("GET", "trips/\(scene.id)")
        return answer.contains("CANCELED") ? "the trip" : nil
    }

    static let cancelRows: [FaultRow] = [
        row("cancel", "connection refused", .refuse, "does not answer (connection refused)", cancel, loss: goesOn),
        row("cancel", "black hole", .blackHole, "Perhaps cancelled: ", cancel),
        row("cancel", "half-open connection", .halfOpen, "Perhaps cancelled: ", cancel, loss: isCanceled),
        row("cancel", "cut before the answer", .cut(afterBytes: 0), "Perhaps cancelled: ", cancel, loss: isCanceled),
        row("cancel", "reset in the answer", .reset(afterBytes: 12), "Perhaps cancelled: ", cancel, loss: isCanceled),
        row("cancel", "three bytes at a time", .drip(bytes: 3, milliseconds: 2), "", cancel, ends: 0, loss: isCanceled),
        row(
            "cancel with an engine", "half-open connection", .halfOpen, "the trip is cancelled.",
            ["cancel", "{trip}", "--provider-url", "{desk}", "--endpoint", "{engine}", "--plaintext"], ends: 0, loss: isCanceled),
    ]

    static let phoneRows: [FaultRow] = [
        row("phone", "connection refused", .refuse, "Not set up: ", phone),
        row("phone", "black hole", .blackHole, "Not set up: ", phone),
        row("phone", "cut in the head", .cut(afterBytes: 12), "Not set up: ", phone),
        row("phone", "reset", .reset(afterBytes: 0), "Not set up: ", phone),
        row("phone", "corrupt bytes", .corrupt(afterBytes: 0), "Not set up: ", phone),
    ]
}

@Suite("Fault table: the provider", .timeLimit(.minutes(10)))
struct ProviderFaultTableTests {
    @Test("book says 'not' only if nothing was sent")
    func book() async throws { try await FaultTable.run(ProviderFaults.bookRows) }

    @Test("cancel says 'not' only if nothing was sent, and asks an engine if there is one")
    func cancel() async throws { try await FaultTable.run(ProviderFaults.cancelRows) }

    @Test("phone says why it got no key")
    func phone() async throws { try await FaultTable.run(ProviderFaults.phoneRows) }
}
