import Foundation
import Testing
import TripTesting

@testable import ProgramHarness

/// Faults of maps, hooks, links, drivers, files and limits.
enum SurroundingsFaults {
    private static let engine = ["--endpoint", "{engine}", "--plaintext"]

    // MARK: Maps

    private static let dump = ["map", "20,10,4", "--dump", "--size", "80x24", "--basemap", "{web}/{z}/{x}/{y}.pbf"]

    private static func mapRow(_ fault: String, _ connection: ConnectionFault, _ words: String, ends code: Int32 = 0) -> FaultRow {
        FaultRow(
            command: "map", fault: fault, side: .web, connection: connection, words: words, course: .ends(code), arguments: dump,
            setting: ["XDG_CACHE_HOME": "{folder}"])
    }

    static let mapRows: [FaultRow] = [
        mapRow("connection refused", .refuse, "connection refused"),
        mapRow("cut before the answer", .cut(afterBytes: 0), "the map is not complete: "),
        mapRow("cut in the body", .cut(afterBytes: 200), "the map is not complete: "),
        mapRow("reset", .reset(afterBytes: 0), "the map is not complete: "),
        mapRow("corrupt bytes", .corrupt(afterBytes: 0), "it does not speak HTTP.", ends: 1),
        // A single request and the whole frame have the same time limit, so either reason may be printed.
        mapRow("black hole", .blackHole, "the map is not complete: "),
        mapRow("100 bytes at a time", .drip(bytes: 100, milliseconds: 1), ""),
        FaultRow(
            command: "map, screen", fault: "connection refused", side: .web, connection: .refuse, words: "map: offline",
            course: .recovers(news: ""), arguments: ["map", "20,10,4", "--basemap", "{web}/{z}/{x}/{y}.pbf"], isOnScreen: true,
            setting: ["XDG_CACHE_HOME": "{folder}"], calm: "zoom 4"),
        FaultRow(
            command: "map", fault: "no folder for the cache", words: "", course: .ends(0), arguments: dump,
            setting: ["XDG_CACHE_HOME": "/proc/absent"]),
    ]

    // MARK: Hooks

    private static func hookRow(_ fault: String, _ connection: ConnectionFault, _ words: String) -> FaultRow {
        FaultRow(
            command: "follow with a hook", fault: fault, side: .web, connection: connection, words: words,
            course: .recovers(news: "accepts events again."),
            arguments: ["follow", "{trip}", "--output", "plain", "--interval", "1", "--hook", "{web}/hook"] + engine,
            calm: "moving", meanwhile: { try $0.setStatus("ENROUTE_TO_PICKUP") }, loss: lostEvent)
    }

    /// Checks that the receiver got the event for the first status, although it occurred during the fault.
    private static func lostEvent(_ scene: FaultScene) throws -> String? {
        let isThere = scene.servers.web.requests.contains { $0.body.contains(scene.id) && $0.body.contains(#""status":"NEW""#) }
        return isThere ? nil : "the event of the first status"
    }

    static let hookRows: [FaultRow] = [
        hookRow("connection refused", .refuse, "cannot be reached (connection refused); retrying."),
        hookRow("black hole", .blackHole, "does not answer (no answer within 10 s); retrying."),
        hookRow("cut before the answer", .cut(afterBytes: 0), "gave no usable answer (it closed the connection"),
        hookRow("reset", .reset(afterBytes: 0), "gave no usable answer (it closed the connection"),
        hookRow("corrupt bytes", .corrupt(afterBytes: 0), "gave no usable answer (it does not speak HTTP); retrying."),
    ]

    // MARK: Links

    private static func linkRow(_ fault: String, _ connection: ConnectionFault, _ words: String, _ course: FaultRow.Course) -> FaultRow {
        FaultRow(
            command: "follow of a link", fault: fault, side: .link, connection: connection, words: words, course: course,
            arguments: ["follow", "{link}", "--output", "json"])
    }

    static let linkRows: [FaultRow] = [
        linkRow(
            "connection refused", .refuse, #""event":"error""#, .struck(after: #""status":"NEW""#, news: #""event":"recovered""#)),
        linkRow("refused from the start", .refuse, "The server cannot be reached", .recovers(news: #""status":"NEW""#)),
        linkRow("black hole from the start", .blackHole, "The server cannot be reached", .recovers(news: #""status":"NEW""#)),
        linkRow("cut in the head", .cut(afterBytes: 12), "The server cannot be reached", .recovers(news: #""status":"NEW""#)),
    ]

    // MARK: Drivers

    private static func driveRow(_ fault: String, _ connection: ConnectionFault) -> FaultRow {
        FaultRow(
            command: "drive", fault: fault, side: .engine, connection: connection, words: "Trying again in",
            course: .struck(after: " online", news: "status      ENROUTE_TO_PICKUP"),
            arguments: [
                "drive", "--vehicle", "{vehicle}", "--simulate", "--create", "--route", "-36.0000,-20.0000;-35.9400,-20.0000",
                "--provider", "demo",
            ] + engine, meanwhile: { try $0.assign() })
    }

    static let driveRows: [FaultRow] = [
        driveRow("connection refused", .refuse), driveRow("black hole", .blackHole), driveRow("half-open connection", .halfOpen),
        driveRow("cut", .cut(afterBytes: 0)), driveRow("reset", .reset(afterBytes: 0)), driveRow("GOAWAY", .frame(.goAway)),
    ]

    // MARK: Files and limits

    private static let serve = ["serve", "--grpc-port", "0", "--http-port", "0"]

    private static func ownRow(_ command: String, _ fault: String, _ words: String, _ arguments: [String], ends code: Int32) -> FaultRow {
        FaultRow(command: command, fault: fault, words: words, course: .ends(code), arguments: arguments)
    }

    static let fileRows: [FaultRow] = [
        ownRow(
            "serve --database", "no such folder", "/proc/absent/engine.db cannot be opened: No such file or directory.",
            serve + ["--database", "/proc/absent/engine.db"], ends: 1),
        FaultRow(
            command: "serve --database", fault: "another file", words: "is not a tripwatch database.", course: .ends(1),
            arguments: serve + ["--database", "{folder}/letter.txt"], prepare: { _ = try $0.folder.write("letter.txt", "Dear reader\n") }),
        ownRow(
            "serve backup", "no database", "/absent.db does not exist.",
            ["serve", "backup", "{folder}/copy.db", "--database", "{folder}/absent.db"],
            ends: 1),
        ownRow("status --log", "full disk", "(no space left on device), so the log has gaps.", status + ["--log", "/dev/full"], ends: 0),
        ownRow("status --log", "no such folder", "/proc/absent/log cannot be written", status + ["--log", "/proc/absent/log"], ends: 1),
        ownRow(
            "follow --record", "no such folder", "/proc/absent/ride.trip cannot be written",
            ["follow", "{trip}", "--record", "/proc/absent/ride.trip", "--output", "plain"] + engine, ends: 1),
        FaultRow(
            command: "book", fault: "no folder for known trips",
            words: "'tripwatch list' does not show it: /proc/absent/tripwatch/trips.json could not be changed.", course: .ends(0),
            arguments: ["book", "--from", "-36.005,-19.99", "--to", "-36.01,-19.98", "--provider-url", "{desk}"],
            setting: ["XDG_STATE_HOME": "/proc/absent"]),
    ]

    private static let status = ["status", "{trip}"] + engine

    private static func openFilesRow(
        _ command: String, _ arguments: [String], limit: Int = 10, words: String = fewFiles, ends code: Int32 = 1
    ) -> FaultRow {
        FaultRow(
            command: command, fault: "\(limit) open files", words: words, course: .ends(code), arguments: arguments, descriptors: limit)
    }

    private static let fewFiles = "tripwatch: the limit on open files is 10; tripwatch needs at least "

    private static let ride = Program.package.appending(path: "Tests/EndToEndTests/Fixtures/town.trip").path

    static let openFilesRows: [FaultRow] = [
        openFilesRow("status", status), openFilesRow("follow", ["follow", "{trip}", "--output", "json"] + engine),
        openFilesRow("wait", ["wait", "{trip}", "--until", "here"] + engine),
        openFilesRow("share", ["share", "{trip}", "--http-port", "0"] + engine), openFilesRow("serve", serve),
        openFilesRow("demo", ["demo", "--output", "json"]), openFilesRow("map", dump), openFilesRow("doctor", ["doctor"]),
        openFilesRow("drive", ["drive", "--vehicle", "{vehicle}", "--simulate", "--create", "--provider", "demo"] + engine),
        openFilesRow("book", ["book", "--from", "-36.005,-19.99", "--to", "-36.01,-19.98", "--provider-url", "{desk}"]),
        openFilesRow("status", status, limit: 256, words: "", ends: 0),
        openFilesRow("themes list", ["themes", "list"], words: "", ends: 0),
        openFilesRow("replay", ["replay", ride, "--speed", "1000000", "--output", "json"], words: "", ends: 0),
    ]
}

@Suite("Fault table: surroundings", .timeLimit(.minutes(10)))
struct SurroundingsFaultTableTests {
    @Test("a map says what is missing and why")
    func maps() async throws { try await FaultTable.run(SurroundingsFaults.mapRows) }

    @Test("a hook gets its events after a fault")
    func hooks() async throws { try await FaultTable.run(SurroundingsFaults.hookRows) }

    @Test("a link is followed again after a fault")
    func links() async throws { try await FaultTable.run(SurroundingsFaults.linkRows, sharesTrip: true) }

    @Test("a driver reports again after a fault, and uses no more resources than before")
    func drivers() async throws { try await FaultTable.run(SurroundingsFaults.driveRows) }

    @Test("faults of files and limits of the system are named")
    func files() async throws { try await FaultTable.run(SurroundingsFaults.fileRows) }

    @Test("a low limit on open files is named with its remedy, and stops no command that needs few files")
    func openFiles() async throws { try await FaultTable.run(SurroundingsFaults.openFilesRows) }

    @Test("the table has at least 130 rows with different names")
    func rows() {
        let groups = [
            ShipmentFaults.followRows, ShipmentFaults.restartRows, ShipmentFaults.deliveryRows, ShipmentFaults.linkRows,
            ShipmentFaults.listRows, NameFaults.rows(at: nil), TokenFaults.rows(at: nil),
            AskingFaults.rows, AskingFaults.safeRows, AskingFaults.expiredRows, AskingFaults.otherHostRows, AskingFaults.tokenRows,
            FollowFaults.jsonRows, FollowFaults.lineRows, FollowFaults.shipmentRows, FollowFaults.screenRows, ProviderFaults.bookRows,
            ProviderFaults.cancelRows, ProviderFaults.phoneRows, SurroundingsFaults.mapRows, SurroundingsFaults.hookRows,
            SurroundingsFaults.linkRows, SurroundingsFaults.driveRows, SurroundingsFaults.fileRows, SurroundingsFaults.openFilesRows,
            RestartFaults.rows, ClockFaults.rows, DiskFaults.rows, PhoneFaults.rows, TLSFaults.rows, TLSFaults.unknownRows,
            TLSFaults.expiredRows, TLSFaults.otherHostRows,
        ]
        let names = groups.flatMap { $0.map(\.name) }
        #expect(names.count >= 130 && Set(names).count == names.count, "\(names.count)")
    }
}
