import Testing
import TripTesting

/// Faults of commands that follow a trip. In most rows, the test changes the trip during the fault, and the program must report the change
/// after the fault.
enum FollowFaults {
    private static let engine = ["--endpoint", "{engine}", "--plaintext", "--interval", "1"]
    private static let breaking: [(String, ConnectionFault)] = [
        ("connection refused", .refuse), ("black hole", .blackHole), ("half-open connection", .halfOpen), ("cut", .cut(afterBytes: 0)),
        ("reset", .reset(afterBytes: 0)), ("corrupt bytes", .corrupt(afterBytes: 0)), ("HTTP/1 answer", AskingFaults.http1),
        ("cut in the head", .frame(.cutHead)), ("cut in the message", .frame(.cutMessage)), ("cut in the trailer", .frame(.cutTrailer)),
        ("GOAWAY", .frame(.goAway)), ("many GOAWAYs", .frame(.goAways)), ("RST_STREAM", .frame(.resetStream)),
    ]

    private static func row(
        _ command: String, _ fault: String, _ connection: ConnectionFault, _ words: String, _ course: FaultRow.Course,
        _ arguments: [String], isOnScreen: Bool = false, status: String? = "ENROUTE_TO_PICKUP",
        departure: FaultRow.Departure = .asked()
    ) -> FaultRow {
        var row = FaultRow(
            command: command, fault: fault, side: .engine, connection: connection, words: words, course: course,
            arguments: arguments + engine)
        row.isOnScreen = isOnScreen
        row.departure = departure
        if isOnScreen {
            row.meanwhile = { try $0.sendCar() }
        } else if let status {
            row.meanwhile = { try $0.setStatus(status) }
        }
        return row
    }

    private static let json = ["follow", "{trip}", "--output", "json"]
    private static let news = #""status":"ENROUTE_TO_PICKUP""#

    static let jsonRows: [FaultRow] =
        breaking.map { fault, connection in
            row("follow, JSON", fault, connection, #""event":"error""#, .struck(after: #""status":"NEW""#, news: news), json)
        } + [
            row("follow, JSON", "answers 0.5 s late", .delay(milliseconds: 500), "", .struck(after: #""status":"NEW""#, news: news), json),
            row(
                "follow, JSON", "ten bytes at a time", .drip(bytes: 10, milliseconds: 5), "",
                .struck(after: #""status":"NEW""#, news: news), json),
            row(
                "follow, JSON", "refused four times", .refuse, #""event":"error""#,
                .struck(after: #""status":"NEW""#, news: #""event":"recovered""#, times: 4), json, status: nil),
            row("follow, JSON", "refused from the start", .refuse, #""code":"UNAVAILABLE""#, .recovers(news: news), json),
            row("follow, JSON", "black hole from the start", .blackHole, #""event":"error""#, .recovers(news: news), json),
        ]

    private static let lines = ["follow", "{trip}", "--output", "plain"]

    private static func waitRow(_ fault: String, _ connection: ConnectionFault) -> FaultRow {
        row(
            "wait", fault + " from the start", connection, "Trying again in", .recovers(news: #""reached":true"#),
            ["wait", "{trip}", "--until", "here", "--json"], status: "ARRIVED_AT_PICKUP", departure: .alone(0))
    }

    static let lineRows: [FaultRow] = [
        row("follow, lines", "connection refused", .refuse, "Connection lost", .struck(after: "looking for a car", news: "moving"), lines),
        row("follow, lines", "black hole", .blackHole, "Connection lost", .struck(after: "looking for a car", news: "moving"), lines),
        row("follow, lines", "cut", .cut(afterBytes: 0), "Connection lost", .struck(after: "looking for a car", news: "moving"), lines),
        row("follow, lines", "refused from the start", .refuse, "The server cannot be reached", .recovers(news: "moving"), lines),
        waitRow("refused", .refuse),
        waitRow("black hole", .blackHole),
        waitRow("cut in the message", .frame(.cutMessage)),
        waitRow("GOAWAY", .frame(.goAway)),
        waitRow("many GOAWAYs", .frame(.goAways)),
        row(
            "status --watch", "connection refused", .refuse, "Trying again in", .struck(after: #""status":"NEW""#, news: news),
            ["status", "{trip}", "--watch", "--json"]),
        row(
            "status --watch", "reset", .reset(afterBytes: 0), "Trying again in", .struck(after: #""status":"NEW""#, news: news),
            ["status", "{trip}", "--watch", "--json"]),
    ]

    private static let screen = ["follow", "{trip}"]
    private static let phase = "On the way to you"

    static let screenRows: [FaultRow] = [
        row(
            "follow, screen", "connection refused", .refuse, "Connection lost", .struck(after: "LOOKING FOR", news: phase), screen,
            isOnScreen: true),
        row(
            "follow, screen", "black hole", .blackHole, "Connection lost", .struck(after: "LOOKING FOR", news: phase), screen,
            isOnScreen: true),
        row(
            "follow, screen", "cut", .cut(afterBytes: 0), "Connection lost", .struck(after: "LOOKING FOR", news: phase), screen,
            isOnScreen: true),
        row(
            "follow, screen", "reset", .reset(afterBytes: 0), "Connection lost", .struck(after: "LOOKING FOR", news: phase), screen,
            isOnScreen: true),
        row("follow, screen", "refused from the start", .refuse, "connection refused", .recovers(news: phase), screen, isOnScreen: true),
    ]

    // MARK: Shipments

    private static let noShipment = "No shipment P-1 at demo"

    private static let shipmentFaults: [(String, ConnectionFault)] = [
        ("connection refused", .refuse), ("black hole", .blackHole), ("cut", .cut(afterBytes: 12)),
    ]

    static let shipmentRows: [FaultRow] = shipmentFaults.map { fault, connection in
        row(
            "follow of a shipment", fault + " from the start", connection, "Trying again in", .recovers(news: noShipment),
            ["follow", "--tracking", "P-1", "--provider", "demo", "--output", "plain"], status: nil, departure: .alone(3))
    }
}

@Suite("Fault table: following", .timeLimit(.minutes(15)))
struct FollowFaultTableTests {
    @Test("follow as JSON reports in time what it missed, and uses no more resources than before")
    func json() async throws { try await FaultTable.run(FollowFaults.jsonRows) }

    @Test("follow, wait and status --watch as lines report in time what they missed")
    func lines() async throws { try await FaultTable.run(FollowFaults.lineRows + FollowFaults.shipmentRows) }

    @Test("follow on the screen shows in time what it missed")
    func screen() async throws { try await FaultTable.run(FollowFaults.screenRows) }
}
