import Glibc
import Testing

/// Faults in which a server ends while a program uses it, and starts again on the same port.
enum RestartFaults {
    private static let engine = ["--endpoint", "{engine}", "--plaintext"]
    private static let often = engine + ["--interval", "1"]

    /// Creates a row. The server needs several seconds to start, so the program may fail a second time in the meantime.
    private static func row(
        _ command: String, by signal: Int32, _ words: String, _ start: String, _ news: String, _ arguments: [String],
        side: FaultRow.Side = .own, isOnScreen: Bool = false, pauses: Double = 3, departure: FaultRow.Departure = .asked(),
        change: @escaping @Sendable (FaultScene) throws -> Void = { try $0.setStatus("ENROUTE_TO_PICKUP") }
    ) -> FaultRow {
        FaultRow(
            command: command, fault: signal == SIGKILL ? "the server is killed and restarted" : "the server is restarted", side: side,
            words: words, course: .struck(after: start, news: news), arguments: arguments, isOnScreen: isOnScreen, ownsEngine: true,
            pauses: pauses, departure: departure, strike: { scene, _ in try scene.ownEngine.end(by: signal) },
            heal: { scene, _ in
                try scene.ownEngine.start()
                try change(scene)
            })
    }

    private static let new = #""status":"NEW""#
    private static let moving = #""status":"ENROUTE_TO_PICKUP""#
    private static let json = ["follow", "{trip}", "--output", "json"] + often
    private static let lines = ["follow", "{trip}", "--output", "plain"] + often
    private static let wait = ["wait", "{trip}", "--until", "here", "--json", "--verbose"] + often
    private static let drive =
        [
            "drive", "--vehicle", "{vehicle}", "--simulate", "--create", "--route", "-36.0000,-20.0000;-35.9400,-20.0000",
            "--provider", "demo",
        ] + engine
    private static let phone = ["phone", "{vehicle}", "--plain", "--provider-url", "{desk}"]

    private static let screen = ["follow", "{trip}"] + often

    static let rows: [FaultRow] = [
        row("follow, JSON", by: SIGTERM, #""event":"error""#, new, moving, json),
        row("follow, JSON", by: SIGKILL, #""event":"error""#, new, moving, json),
        row(
            "drive", by: SIGTERM, "Trying again in", " online", "status      ENROUTE_TO_PICKUP", drive, change: { try $0.assign() }),
        row(
            "drive", by: SIGKILL, "Trying again in", " online", "status      ENROUTE_TO_PICKUP", drive, change: { try $0.assign() }),
        row("follow, lines", by: SIGTERM, "Connection lost", "looking for a car", "moving", lines),
        row(
            "follow, screen", by: SIGTERM, "Connection lost", "LOOKING FOR", "On the way to you", screen, isOnScreen: true,
            change: { try $0.sendCar() }),
        row(
            "wait", by: SIGTERM, "Trying again in", "rpc=GetTrip", #""reached":true"#, wait, departure: .alone(0),
            change: { try $0.setStatus("ARRIVED_AT_PICKUP") }),
        row("status --watch", by: SIGTERM, "Trying again in", new, moving, ["status", "{trip}", "--watch", "--json"] + often),
        // Two programs wait one after the other: the one that shares the trip, and the one that reads the link.
        row("share", by: SIGTERM, #""event":"error""#, new, moving, ["follow", "{link}", "--output", "json"], side: .link, pauses: 7),
        row(
            "phone", by: SIGTERM, "Trying again every second", "waiting for the first position", "the provider API answers again.",
            phone),
    ]
}

@Suite("Fault table: restarts", .timeLimit(.minutes(15)))
struct RestartFaultTableTests {
    @Test("a server that returns on its port is used again in time")
    func restarts() async throws { try await FaultTable.run(RestartFaults.rows) }
}
