import Foundation
import Testing
import TripTesting

@testable import ProgramHarness

/// A phone app that reports the positions of a car. By its reports, the car drives north at 10 m/s, and consecutive positions are 10 s
/// apart. The app itself does not wait between two reports.
private struct PhoneApp {
    /// The maximum time to wait for an answer, in seconds.
    private static let patienceSeconds = 2
    /// The maximum number of times that the app sends the same report before it gives up.
    private static let longestRepetition = 20

    let port: Int
    let key: String
    /// The time of the first report, in seconds since 1970.
    let start: Int

    /// Returns a report in OwnTracks' format.
    func body(_ number: Int) -> String {
        #"{"_type":"location","lat":\#(Self.latitude(number)),"lon":-20.0,"tst":\#(start + 10 * number),"acc":5,"vel":36}"#
    }

    static func latitude(_ number: Int) -> String { "-35.9\(900 - 10 * number)" }

    private func head(_ length: Int) -> String {
        "POST /car/\(key)/owntracks HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: \(length)\r\n\r\n"
    }

    /// Sends a request in several parts.
    /// - Returns: the status of the answer; nil if there is no answer.
    private func send(_ parts: [String], waits: Bool = true) -> Int? {
        guard let connection = try? TCPConnection(port: port) else { return nil }
        connection.limitSilence(seconds: Self.patienceSeconds)
        for part in parts { connection.send(part) }
        guard waits else { return nil }
        let words = connection.read().split(separator: " ")
        return words.first == "HTTP/1.1" ? words.dropFirst().first.flatMap { Int($0) } : nil
    }

    func report(_ number: Int) -> Int? { send([head(body(number).utf8.count), body(number)]) }

    /// Sends only the first half of a report.
    func reportHalf(_ number: Int) -> Int? {
        send([head(body(number).utf8.count), String(body(number).prefix(40))], waits: false)
    }

    /// Sends a report whose text is damaged.
    func reportDamaged(_ number: Int) -> Int? {
        let damaged = String(body(number).reversed())
        return send([head(damaged.utf8.count), damaged])
    }

    func reportByteByByte(_ number: Int) -> Int? { send((head(body(number).utf8.count) + body(number)).map { String($0) }) }

    /// Repeats a report until the server accepts it. Returns false if it is never accepted.
    func insist(on number: Int) -> Bool { (1...Self.longestRepetition).contains { _ in report(number) == 200 } }
}

/// Faults between a phone and the server. Like real phones, the app repeats each report until the server accepts it.
enum PhoneFaults {
    /// - Parameters:
    ///   - answer: the status that the app receives during the fault; nil if it receives no answer.
    ///   - report: sends the second of three reports.
    private static func row(
        _ fault: String, _ connection: ConnectionFault = .none, sees answer: Int?,
        report: @escaping @Sendable (PhoneApp, Int) -> Int? = { $0.report($1) }
    ) -> FaultRow {
        FaultRow(
            command: "a phone's report", fault: fault, side: .desk, connection: connection,
            words: answer.map { "answer \($0)" } ?? "no answer", course: .struck(after: "", news: ""), arguments: [], ownsEngine: true,
            plays: { scene in try play(scene, connection, answer, report) })
    }

    /// The maximum time, in seconds, until two reports are accepted after a fault. It allows for a delay on a busy machine.
    private static let longestRecoverySeconds = 10.0

    private static func play(
        _ scene: FaultScene, _ fault: ConnectionFault, _ answer: Int?, _ report: (PhoneApp, Int) -> Int?
    ) throws -> FaultOutcome {
        let process = try scene.ownEngine.process
        let now = Int(Date().timeIntervalSince1970)
        let app = PhoneApp(port: scene.proxy.port, key: try key(scene), start: now - 60)
        var outcome = FaultOutcome()
        try #require(app.insist(on: 1))
        outcome.before = ProcessFigures(process)
        try scene.set(fault)
        let seen = report(app, 2)
        if seen != answer { outcome.problem = "the answer is \(seen.map { "\($0)" } ?? "missing")" }
        let start = ContinuousClock.now
        try scene.set(.none)
        if !app.insist(on: 2) || !app.insist(on: 3), outcome.problem == nil { outcome.problem = "no report is accepted after the fault" }
        let took = (ContinuousClock.now - start) / .seconds(1)
        outcome.recoverySeconds = took
        outcome.limitSeconds = longestRecoverySeconds
        if took > longestRecoverySeconds, outcome.problem == nil {
            outcome.problem = "the reports were accepted after \(took) s, not within \(longestRecoverySeconds) s"
        }
        if outcome.problem == nil { outcome.problem = try loss(scene) }
        if outcome.problem == nil { FaultRow.checkFigures(process, &outcome) }
        return outcome
    }

    private static func key(_ scene: FaultScene) throws -> String {
        let answer = try ask(scene, "POST", "/car/new", #"{"vehicleId":"car-\#(scene.id)"}"#)
        return try #require(answer.firstMatch(of: #/"key":"([^"]+)"/#).map { String($0.1) }, "\(answer)")
    }

    /// Checks that the driven route contains the position of each report exactly once, and that the car is at the last of them.
    private static func loss(_ scene: FaultScene) throws -> String? {
        let way = try ask(scene, "GET", "/vehicle/car-\(scene.id)/driven")
        let places = (1...3).map { "[-20,\(shortened(PhoneApp.latitude($0)))]" }.joined(separator: ",")
        guard way.contains(#""coordinates":[\#(places)]"#) else { return "lost or counted twice: \(way)" }
        let car = try scene.calls.ask("GET", "vehicles/car-\(scene.id)")
        return car.contains("\(shortened(PhoneApp.latitude(3)))") ? nil : "the car is elsewhere: \(car)"
    }

    /// Returns a number as text, without trailing zeros.
    private static func shortened(_ number: String) -> String { Double(number).map { "\($0)" } ?? number }

    /// Sends a request that does not go through the proxy.
    private static func ask(_ scene: FaultScene, _ method: String, _ path: String, _ body: String = "") throws -> String {
        let connection = try TCPConnection(port: scene.servers.deskPort)
        connection.send(
            "\(method) \(path) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)")
        return connection.read()
    }

    static let rows: [FaultRow] = [
        row("connection refused", .refuse, sees: nil), row("black hole", .blackHole, sees: nil),
        row("half-open connection", .halfOpen, sees: nil), row("cut before the answer", .cut(afterBytes: 0), sees: nil),
        row("cut in the answer's head", .cut(afterBytes: 5), sees: nil), row("reset", .reset(afterBytes: 0), sees: nil),
        row("corrupt answer", .corrupt(afterBytes: 0), sees: nil),
        row("answer of three bytes at a time", .drip(bytes: 3, milliseconds: 2), sees: 200),
        row("answer 0.2 s late", .delay(milliseconds: 200), sees: 200),
        row("cut in the report", sees: nil) { $0.reportHalf($1) }, row("damaged report", sees: 400) { $0.reportDamaged($1) },
        row("report of single bytes", sees: 200) { $0.reportByteByByte($1) },
        row("the same report twice", sees: 200) { app, number in
            _ = app.report(number)
            return app.report(number)
        },
    ]
}

@Suite("Fault table: phones", .timeLimit(.minutes(10)))
struct PhoneFaultTableTests {
    @Test("no report from a phone is lost or counted twice")
    func phones() async throws { try await FaultTable.run(PhoneFaults.rows) }
}
