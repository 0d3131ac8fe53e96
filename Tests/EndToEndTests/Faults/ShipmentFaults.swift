import Foundation
import Glibc
import Testing
import TripTesting

/// Faults of commands that follow, share or deliver a shipment. During most faults, the van finishes its first stop.
enum ShipmentFaults {
    private static let engine = ["--provider", "demo", "--endpoint", "{engine}", "--plaintext"]
    private static let often = engine + ["--interval", "1"]

    private typealias Fault = (name: String, connection: ConnectionFault)
    private static let refused: Fault = ("connection refused", .refuse)
    private static let reset: Fault = ("reset", .reset(afterBytes: 0))
    private static let cut: Fault = ("cut in the message", .frame(.cutMessage))
    private static let silent: Fault = ("black hole", .blackHole)

    /// A command, with its output before and after the van's first stop.
    private struct Watcher {
        let command: String
        let arguments: [String]
        let words: String
        let before: String
        let news: String
        var isOnScreen = false
        var departure = FaultRow.Departure.asked()
        var change: @Sendable (FaultShipment) throws -> Void = { try $0.serveFirstStop() }

        /// Creates the row of a fault of the connection.
        func row(_ fault: Fault, _ course: FaultRow.Course? = nil) -> FaultRow {
            var row = FaultRow(
                command: command, fault: fault.name, side: .engine, connection: fault.connection, words: words,
                course: course ?? .struck(after: before, news: news), arguments: arguments)
            row.isOnScreen = isOnScreen
            row.departure = departure
            row.prepare = { try $0.shipment.make() }
            row.meanwhile = { [change] in try change($0.shipment) }
            return row
        }

        /// Creates the row in which the server is restarted.
        var restart: FaultRow {
            var row = FaultRow(
                command: command, fault: "the server is restarted", words: words, course: .struck(after: before, news: news),
                arguments: arguments)
            row.isOnScreen = isOnScreen
            row.ownsEngine = true
            row.pauses = 3
            row.departure = departure
            row.prepare = { try $0.shipment.make() }
            row.strike = { scene, _ in try scene.ownEngine.end(by: SIGTERM) }
            row.heal = { [change] scene, _ in
                try scene.ownEngine.start()
                try change(scene.shipment)
            }
            return row
        }
    }

    // MARK: Following

    private static let one = "1 stop before yours"
    private static let next = "You are next"
    private static let jsonOne = #""stops_before":1"#
    private static let jsonNext = #""stops_before":0"#
    private static let follow = ["follow", "--tracking", "p-{id}"] + often

    private static let lines = Watcher(
        command: "follow of a shipment, lines", arguments: follow + ["--output", "plain"], words: "Connection lost", before: one, news: next
    )
    private static let json = Watcher(
        command: "follow of a shipment, JSON", arguments: follow + ["--output", "json"], words: #""event":"error""#, before: jsonOne,
        news: jsonNext)
    private static let screen = Watcher(
        command: "follow of a shipment, screen", arguments: follow, words: "Connection lost", before: one, news: next, isOnScreen: true)
    private static let watch = Watcher(
        command: "status --watch of a shipment", arguments: ["status", "--tracking", "p-{id}", "--watch", "--json"] + often,
        words: "Trying again in", before: jsonOne, news: jsonNext)
    private static let wait = Watcher(
        command: "wait for a shipment", arguments: ["wait", "--tracking", "p-{id}", "--until", "next", "--json", "--verbose"] + often,
        words: "Trying again in", before: "rpc=GetTaskTrackingInfo", news: #""reached":true"#, departure: .alone(0))

    /// Creates a row in which the shipment ends while the connection is refused.
    private static func ending(_ outcome: String, code: Int32) -> FaultRow {
        var watcher = json
        watcher.departure = .alone(code)
        watcher.change = { try $0.end(outcome) }
        return watcher.row(
            ("refused until the outcome \(outcome)", .refuse),
            .struck(after: jsonOne, news: #""event":"end","state":"OPEN","outcome":"\#(outcome)""#))
    }

    static let followRows: [FaultRow] =
        [refused, reset, cut, silent].flatMap { [lines.row($0), screen.row($0)] } + [
            json.row(reset), ending("SUCCEEDED", code: 0), ending("FAILED", code: 2), watch.row(refused), watch.row(cut), wait.row(refused),
            wait.row(silent),
        ]

    static let restartRows: [FaultRow] = [lines, screen, watch, wait].map(\.restart) + [deliveryRestart, linkRestart]

    // MARK: Delivering

    /// A van that drives by itself. The fault begins on the way to a stop, and ends after the van has reached it.
    private static let delivery = Watcher(
        command: "drive --delivery",
        arguments: ["drive", "--delivery", "--vehicle", "van-{id}", "--simulate", "--auto", "--router", "straight", "--speed", "60"]
            + engine,
        words: "Trying again in", before: "ENROUTE, 2 left", news: "waiting     for stops", change: { _ in })

    private static let arriving = "to the stop: 0 m, arriving"

    private static func deliveryRow(_ fault: Fault) -> FaultRow {
        var row = delivery.row(fault)
        row.pauses = 2
        row.during = arriving
        row.once = [arriving]
        row.loss = { try $0.shipment.loss() }
        return row
    }

    static let deliveryRows: [FaultRow] = [refused, reset, cut, silent].map(deliveryRow)

    private static let deliveryRestart: FaultRow = {
        var row = delivery.restart
        row.during = arriving
        row.loss = { try $0.shipment.loss() }
        return row
    }()

    // MARK: Sharing

    /// Creates a row in which a program follows a link. The proxy is between the program and the server of the link.
    private static func linkRow(
        _ command: String, _ output: String, _ fault: Fault, _ words: String, _ course: FaultRow.Course
    ) -> FaultRow {
        FaultRow(
            command: command, fault: fault.name, side: .link, connection: fault.connection, words: words, course: course,
            arguments: ["follow", "{shipmentLink}", "--output", output])
    }

    static let linkRows: [FaultRow] = [
        linkRow(
            "follow of a shipment's link, JSON", "json", refused, #""event":"error""#,
            .struck(after: jsonOne, news: #""event":"recovered""#)),
        linkRow(
            "follow of a shipment's link, lines", "plain", refused, "Connection lost", .struck(after: one, news: "updates resumed")),
        linkRow(
            "follow of a shipment's link, JSON", "json", ("reset from the start", .reset(afterBytes: 0)), "The server cannot be reached",
            .recovers(news: jsonOne)),
        linkRow(
            "follow of a shipment's link, JSON", "json", ("cut in the head from the start", .cut(afterBytes: 12)),
            "The server cannot be reached", .recovers(news: jsonOne)),
    ]

    /// Two programs wait one after the other: the one that shares the shipment, and the one that reads the link.
    private static let linkRestart: FaultRow = {
        var row = linkRow(
            "share of a shipment", "json", ("the server is restarted", .none), #""event":"error""#, .struck(after: jsonOne, news: jsonNext))
        row.ownsEngine = true
        row.pauses = 7
        row.strike = { scene, _ in try scene.ownEngine.end(by: SIGTERM) }
        row.heal = { scene, _ in
            try scene.ownEngine.start()
            try scene.shipment.serveFirstStop()
        }
        return row
    }()

    // MARK: The list

    /// Creates a row in which the screen shows the list of a trip and a shipment.
    private static func listRow(_ fault: Fault, news: String) -> FaultRow {
        var row = FaultRow(
            command: "list", fault: fault.name, side: .engine, connection: fault.connection, words: "offline",
            course: .struck(after: "no car yet", news: news), arguments: ["follow", "{trip}", "--tracking", "p-{id}"] + often)
        row.isOnScreen = true
        row.typed = "L"
        row.prepare = { try $0.shipment.make() }
        row.meanwhile = { scene in
            try scene.shipment.serveFirstStop()
            try scene.sendCar()
        }
        return row
    }

    static let listRows: [FaultRow] = [
        listRow(refused, news: "on the way"), listRow(reset, news: next), listRow(cut, news: "on the way"), listRow(silent, news: next),
    ]
}

@Suite("Fault table: shipments", .timeLimit(.minutes(15)))
struct ShipmentFaultTableTests {
    @Test("commands that follow a shipment report in time what they missed")
    func following() async throws { try await FaultTable.run(ShipmentFaults.followRows) }

    @Test("commands that follow a shipment use a server that returns on its port")
    func restarts() async throws { try await FaultTable.run(ShipmentFaults.restartRows) }

    @Test("a van's driver loses no change of a stop or task")
    func deliveries() async throws { try await FaultTable.run(ShipmentFaults.deliveryRows) }

    @Test("a link to a shipment is followed again after a fault")
    func links() async throws { try await FaultTable.run(ShipmentFaults.linkRows, sharesTrip: true) }

    @Test("the list shows in time what its trip and its shipment missed")
    func lists() async throws { try await FaultTable.run(ShipmentFaults.listRows) }
}
