import Testing
import TripTesting

/// Faults of connections with TLS. The proxy cannot read TLS, so a fault within a connection begins after the server has sent a given
/// number of bytes. The server sends about 2 300 bytes in the handshake, and byte 3 000 is in the first answer. If the connection is
/// already open, only the bytes after the start of the fault are counted.
enum TLSFaults {
    private static let engine = ["--endpoint", "{engine}", "--ca", "{ca}"]
    private static let lines = ["follow", "{trip}", "--output", "plain", "--interval", "1"] + engine
    private static let screen = ["follow", "{trip}", "--interval", "1"] + engine
    private static let wait = ["wait", "{trip}", "--until", "here", "--json", "--interval", "1"] + engine
    private static let drive =
        [
            "drive", "--vehicle", "{vehicle}", "--simulate", "--create", "--route", "-36.0000,-20.0000;-35.9400,-20.0000",
            "--provider", "demo",
        ] + engine
    private static let book = ["book", "--from", "-36.005,-19.99", "--to", "-36.01,-19.98", "--provider-url", "{desk}", "--ca", "{ca}"]
    private static let cancel = ["cancel", "{id}", "--provider-url", "{desk}", "--ca", "{ca}"]
    private static let link = ["follow", "{link}", "--output", "json", "--ca", "{ca}"]

    private static let noTLS = "does not answer with TLS; is --plaintext missing?"
    private static let wasCut = "(the connection was cut)"

    /// Faults of an open connection. Connections that are opened during the fault have the same fault in the handshake.
    private static let striking: [(String, ConnectionFault)] = [
        ("connection refused", .refuse), ("black hole", .blackHole), ("cut in a record, then in handshakes", .cut(afterBytes: 60)),
        ("reset in a record, then in handshakes", .reset(afterBytes: 60)),
        ("corrupt records, then corrupt handshakes", .corrupt(afterBytes: 0)),
    ]

    /// Faults that exist from the start, each with the message of a program that retries.
    private static let starting: [(String, ConnectionFault, String)] = [
        ("cut in the handshake", .cut(afterBytes: 2_000), noTLS), ("corrupt in the handshake", .corrupt(afterBytes: 2_000), noTLS),
        ("cut in the first answer", .cut(afterBytes: 3_000), wasCut), ("reset in the first answer", .reset(afterBytes: 3_000), wasCut),
        ("corrupt first answer", .corrupt(afterBytes: 3_000), wasCut),
    ]

    private static let drip = ConnectionFault.drip(bytes: 10, milliseconds: 5)
    private static let dripping = "ten bytes at a time"

    /// Returns the row, changed so that its fault does not end. The news must arrive despite the fault.
    private static func lasting(_ row: FaultRow) -> FaultRow {
        var row = row
        row.heal = { _, _ in }
        return row
    }

    private static func row(
        _ command: String, _ fault: String, _ connection: ConnectionFault, _ words: String, _ course: FaultRow.Course,
        _ arguments: [String], side: FaultRow.Side = .safeEngine, isOnScreen: Bool = false
    ) -> FaultRow {
        FaultRow(
            command: command + " over TLS", fault: fault, side: side, connection: connection, words: words, course: course,
            arguments: arguments, isOnScreen: isOnScreen)
    }

    // MARK: The engine

    private static func lineRow(_ fault: String, _ connection: ConnectionFault, _ words: String, _ course: FaultRow.Course) -> FaultRow {
        var row = row("follow, lines,", fault, connection, words, course, lines)
        row.meanwhile = { try $0.setStatus("ENROUTE_TO_PICKUP") }
        return row
    }

    private static let lineCourse = FaultRow.Course.struck(after: "looking for a car", news: "moving")

    private static let lineStartRows = starting.map { lineRow($0, $1, $2, .recovers(news: "moving")) }

    private static let lineRows: [FaultRow] =
        striking.map { lineRow($0, $1, "Connection lost", lineCourse) } + [
            lasting(lineRow(dripping, drip, "", lineCourse)),
            row("follow, lines,", "corrupt handshake", .corrupt(afterBytes: 0), noTLS, .ends(1), lines),
        ]

    private static func screenRow(_ fault: String, _ connection: ConnectionFault, _ words: String, _ course: FaultRow.Course) -> FaultRow {
        var row = row("follow, screen,", fault, connection, words, course, screen, isOnScreen: true)
        row.meanwhile = { try $0.sendCar() }
        return row
    }

    private static let screenNews = "On the way to you"
    private static let screenCourse = FaultRow.Course.struck(after: "LOOKING FOR", news: screenNews)

    private static let screenRows: [FaultRow] =
        striking.map { screenRow($0, $1, "Connection lost", screenCourse) } + [
            screenRow("cut in the handshake", .cut(afterBytes: 2_000), "The server cannot be reached", .recovers(news: screenNews)),
            screenRow("cut in the first answer", .cut(afterBytes: 3_000), "The server cannot be reached", .recovers(news: screenNews)),
            lasting(screenRow(dripping, drip, "", screenCourse)),
        ]

    private static func waitRow(_ fault: String, _ connection: ConnectionFault, _ words: String) -> FaultRow {
        var row = row("wait", fault, connection, words, .recovers(news: #""reached":true"#), wait)
        row.meanwhile = { try $0.setStatus("ARRIVED_AT_PICKUP") }
        row.departure = .alone(0)
        return row
    }

    private static let waitRows: [FaultRow] =
        starting.map { waitRow($0, $1, $2) } + [
            waitRow("connection refused", .refuse, "connection refused"), waitRow("black hole", .blackHole, "does not answer"),
            waitRow("reset in the handshake", .reset(afterBytes: 60), noTLS), lasting(waitRow(dripping, drip, "")),
            row("wait", "corrupt handshake", .corrupt(afterBytes: 0), noTLS, .ends(1), wait),
        ]

    private static func driveRow(_ fault: String, _ connection: ConnectionFault, _ words: String = "Trying again in") -> FaultRow {
        var row = row("drive", fault, connection, words, .struck(after: " online", news: "status      ENROUTE_TO_PICKUP"), drive)
        row.meanwhile = { try $0.assign() }
        // A handshake that begins during a black hole never ends, and delays the driver's next attempt.
        row.pauses = 2
        return row
    }

    private static let driveRows: [FaultRow] =
        striking.map { driveRow($0, $1) } + [
            lasting(driveRow(dripping, drip, "")), row("drive", "corrupt handshake", .corrupt(afterBytes: 0), noTLS, .ends(1), drive),
        ]

    // MARK: The provider

    private static func bookRow(_ fault: String, _ connection: ConnectionFault, _ words: String, ends code: Int32 = 1) -> FaultRow {
        row("book", fault, connection, words, .ends(code), book, side: .safeDesk)
    }

    private static let bookRows: [FaultRow] = [
        bookRow("connection refused", .refuse, "Not booked: "),
        bookRow("black hole", .blackHole, "Perhaps booked: "),
        bookRow("cut in the handshake", .cut(afterBytes: 2_000), "Not booked: "),
        // A reset does not show whether the handshake was complete.
        bookRow("reset in the handshake", .reset(afterBytes: 60), "Perhaps booked: "),
        bookRow("corrupt handshake", .corrupt(afterBytes: 0), "Not booked: "),
        bookRow("cut in the answer", .cut(afterBytes: 3_000), "Perhaps booked: "),
        bookRow("reset in the answer", .reset(afterBytes: 3_000), "Perhaps booked: "),
        bookRow("corrupt answer", .corrupt(afterBytes: 3_000), "Perhaps booked: "),
        bookRow(dripping, drip, "", ends: 0),
    ]

    private static func cancelRow(
        _ fault: String, _ connection: ConnectionFault, _ words: String, ends code: Int32 = 1,
        loss: @escaping @Sendable (FaultScene) throws -> String?
    ) -> FaultRow {
        var row = row("cancel", fault, connection, words, .ends(code), cancel, side: .safeDesk)
        row.loss = loss
        return row
    }

    private static let cancelRows: [FaultRow] = [
        cancelRow("connection refused", .refuse, "Not cancelled: ", loss: ProviderFaults.goesOn),
        cancelRow("black hole", .blackHole, "Perhaps cancelled: ", loss: ProviderFaults.goesOn),
        cancelRow("cut in the handshake", .cut(afterBytes: 2_000), "Not cancelled: ", loss: ProviderFaults.goesOn),
        cancelRow("reset in the handshake", .reset(afterBytes: 60), "Perhaps cancelled: ", loss: ProviderFaults.goesOn),
        cancelRow("corrupt handshake", .corrupt(afterBytes: 0), "Not cancelled: ", loss: ProviderFaults.goesOn),
        cancelRow("cut in the answer", .cut(afterBytes: 3_000), "Perhaps cancelled: ", loss: ProviderFaults.isCanceled),
        cancelRow("reset in the answer", .reset(afterBytes: 3_000), "Perhaps cancelled: ", loss: ProviderFaults.isCanceled),
        cancelRow("corrupt answer", .corrupt(afterBytes: 3_000), "Perhaps cancelled: ", loss: ProviderFaults.isCanceled),
        cancelRow(dripping, drip, "", ends: 0, loss: ProviderFaults.isCanceled),
    ]

    // MARK: Links

    private static func linkRow(_ fault: String, _ connection: ConnectionFault, _ words: String, _ course: FaultRow.Course) -> FaultRow {
        row("follow of a link", fault, connection, words, course, link, side: .link)
    }

    private static let new = #""status":"NEW""#

    private static let linkStarting: [(String, ConnectionFault, String)] = [
        ("refused from the start", .refuse, "connection refused"),
        ("black hole from the start", .blackHole, "the connection timed out"),
        ("cut in the handshake", .cut(afterBytes: 2_000), "it does not answer with TLS"),
        ("reset in the handshake", .reset(afterBytes: 60), "it closed the connection"),
        ("corrupt handshake", .corrupt(afterBytes: 0), "it does not answer with TLS"),
        ("cut in the answer", .cut(afterBytes: 3_000), "it closed the connection"),
        ("corrupt answer", .corrupt(afterBytes: 3_000), "it closed the connection"),
    ]

    private static let linkRows: [FaultRow] =
        linkStarting.map { linkRow($0, $1, $2, .recovers(news: new)) } + [
            lasting(linkRow(dripping, drip, "", .recovers(news: new))),
            linkRow("connection refused", .refuse, #""event":"error""#, .struck(after: new, news: #""event":"recovered""#)),
            linkRow(
                "cut in a record, then in handshakes", .cut(afterBytes: 60), #""event":"error""#,
                .struck(after: new, news: #""event":"recovered""#)),
        ]

    // MARK: Certificates

    /// Returns the rows for a certificate that the programs do not accept.
    /// - Parameters:
    ///   - words: a part of the message about the engine's certificate.
    ///   - other: a part of the message about the certificate of the provider API or of a link's server.
    ///   - hasCA: whether the programs get the option `--ca`.
    private static func certificateRows(_ fault: String, _ words: String, _ other: String, hasCA: Bool = true) -> [FaultRow] {
        func trusting(_ arguments: [String]) -> [String] { hasCA ? arguments : arguments.filter { $0 != "--ca" && $0 != "{ca}" } }
        let asking = [("follow, lines,", lines), ("wait", wait), ("drive", drive)].map { command, arguments in
            row(command, fault, .none, words, .ends(1), trusting(arguments))
        }
        var watching = row("follow, screen,", fault, .none, words, .stays, trusting(screen), isOnScreen: true)
        // No answer about the trip arrives, so the screen exits with 1.
        watching.departure = .asked(1)
        return asking + [
            watching, row("book", fault, .none, "is not safe (\(other))", .ends(1), trusting(book), side: .safeDesk),
            row("cancel", fault, .none, "is not safe (\(other))", .ends(1), trusting(cancel), side: .safeDesk),
            row("follow of a link", fault, .none, other, .ends(1), trusting(link), side: .link),
        ]
    }

    private static let refused = "unknown issuer, expired or not yet valid"
    static let unknownRows = certificateRows("unknown issuer", refused, "its certificate is not accepted", hasCA: false)
    static let expiredRows = certificateRows("expired certificate", refused, "its certificate is not accepted")
    static let otherHostRows = certificateRows(
        "certificate of another host", "the server's certificate is for another host", "its certificate is for another host")

    // MARK: The table

    /// The rows with a certificate that the programs accept.
    static let rows: [FaultRow] = [
        lineRows, lineStartRows, screenRows, waitRows, driveRows, bookRows, cancelRows, linkRows,
    ].flatMap { $0 }
}

@Suite("Fault table: TLS", .enabled(if: hasOpenSSL), .timeLimit(.minutes(15)))
struct TLSFaultTableTests {
    @Test("over TLS, programs report in time what they missed, and say 'not' only if no request was sent")
    func connections() async throws { try await FaultTable.run(TLSFaults.rows, certificate: .good, sharesTrip: true) }

    @Test("a certificate that is not accepted ends a program, or the screen names it until the user leaves")
    func certificates() async throws {
        try await FaultTable.run(TLSFaults.unknownRows, certificate: .good, sharesTrip: true)
        try await FaultTable.run(TLSFaults.expiredRows, certificate: .expired, sharesTrip: true)
        try await FaultTable.run(TLSFaults.otherHostRows, certificate: .otherHost, sharesTrip: true)
    }
}
