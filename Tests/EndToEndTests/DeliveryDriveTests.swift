import Foundation
import Testing

@testable import ProgramHarness

@Suite("Driving a delivery vehicle, against a server of this machine", .timeLimit(.minutes(3)))
struct DeliveryDriveTests {
    private let folder: Folder
    private let plan: String

    init() throws {
        folder = try Folder()
        plan = try folder.write(
            "plan.json",
            """
            {"vehicle":{"vehicle_id":"van","provider_id":"demo","start_location":{"lat":-36,"lng":-20}},
             "tasks":[\(Self.task("one", north: 0.01)),\(Self.task("two", north: 0.02))],
             "stops":[\(Self.stop("one", north: 0.01)),\(Self.stop("two", north: 0.02))]}
            """)
    }

    private static func task(_ id: String, north: Double) -> String {
        """
        {"task_id":"\(id)","tracking_id":"p-\(id)","task_type":"DELIVERY","duration_seconds":60,
         "planned_waypoint":{"lat":\(-36 + north),"lng":-20,"description":"Mill Lane"},"contact_name":"N.",
         "planned_completion_time":"2026-01-31T12:00:00Z","planned_completion_time_range_seconds":3600}
        """
    }

    private static func stop(_ id: String, north: Double) -> String {
        "{\"stop_id\":\"s-\(id)\",\"planned_waypoint\":{\"lat\":\(-36 + north),\"lng\":-20},\"tasks\":[\"\(id)\"]}"
    }

    private static let driving = ["drive", "--delivery", "--vehicle", "van", "--simulate", "--router", "straight", "--speed", "60"]

    @Test("in automatic mode it serves the day's plan to its end, each shipment is done, and reads continue after an outage")
    func alone() throws {
        let server = try LocalServer(speed: 60, options: ["--manifest", plan])
        defer { server.stop() }
        let van = try server.program.start(Self.driving + ["--auto"] + server.connection)
        defer { van.stop() }
        let lines = LineWatch(van.output)
        #expect(lines.line(with: "waiting     for stops") != nil, "\(lines.all)")
        let words = lines.all.map { String($0.dropFirst(9)) }.filter { $0.hasPrefix("stop ") || $0.hasPrefix("done ") }
        #expect(
            words == [
                "stop        one: NEW, 2 left", "stop        one: ENROUTE, 2 left", "stop        one: ARRIVED, 2 left", "done        one",
                "stop        two: NEW, 1 left", "stop        two: ENROUTE, 1 left", "stop        two: ARRIVED, 1 left", "done        two",
            ])
        for id in ["p-one", "p-two"] {
            let status = try server.program.run(["status", "--tracking", id, "--format", "{state}"] + server.connection)
            #expect(status.status == 0 && status.lines == ["done"], "\(status.lines)")
        }
        let answer = try server.plan(faults: #"[{"rpc":"GetDeliveryVehicle","code":"UNAVAILABLE","count":2}]"#)
        #expect(answer.contains("200 OK"), "\(answer)")
        let retrying = try #require(lines.line(with: " retrying    in "), "\(lines.all)")
        #expect(retrying.contains(": UNAVAILABLE"), "\(retrying)")
        #expect(lines.line(with: " back        the server answers again, after ") != nil, "\(lines.all)")
        #expect(van.process.isRunning)
    }

    @Test("at a terminal, each step is a key and Enter, a key without effect gets an answer, and q ends the drive")
    func keys() throws {
        let server = try LocalServer(speed: 60, options: ["--manifest", plan])
        defer { server.stop() }
        let van = try ProgramOnTerminal(Self.driving + server.connection)
        try van.wait(for: "stop        one: NEW, 2 left")
        van.press("v\r")
        try van.wait(for: "ignored     arrived: the stop is NEW")
        van.press("?\r")
        try van.wait(for: "the instructions again") { $0.ranges(of: "type n (set off)").count == 2 }
        van.press("n\r")
        try van.wait(for: "stop        one: ENROUTE, 2 left")
        van.press("v\r")
        try van.wait(for: "stop        one: ARRIVED, 2 left")
        van.press("o\r")
        try van.wait(for: "done        one")
        try van.wait(for: "stop        two: NEW, 1 left")
        van.press("X\r")
        try van.wait(for: "failed      two")
        van.press("q\r")
        #expect(try van.end() == 0)
        let failed = try server.program.run(["status", "--tracking", "p-two"] + server.connection)
        #expect(failed.status == 2, "\(failed.lines)")
    }

    @Test("if the server does not have the van, the drive exits with 3, unless --create makes it")
    func missing() throws {
        let server = try LocalServer(speed: 60)
        defer { server.stop() }
        let refused = try server.program.run(Self.driving + ["--auto"] + server.connection)
        #expect(refused.status == 3 && refused.errors.contains("has no delivery vehicle van (NOT_FOUND)"), "\(refused.errors)")
        let van = try server.program.start(Self.driving + ["--create", "--route", "-36,-20;-35.99,-20"] + server.connection)
        defer { van.stop() }
        let lines = LineWatch(van.output)
        #expect(lines.line(with: "created     providers/demo/deliveryVehicles/van") != nil, "\(lines.all)")
        #expect(lines.line(with: "reporting") != nil, "\(lines.all)")
    }

    @Test("with an untrusted driver's token the position is reported, and a message says which token can change stops")
    func untrusted() throws {
        try MadeAccounts.write(to: folder.keys)
        let server = try LocalServer(speed: 60, options: ["--manifest", plan, "--auth", "on", "--keys", folder.keys])
        defer { server.stop() }
        let mint = ["token", "mint", "--keys", folder.keys, "--role", "driver", "--delivery-vehicle", "van"]
        let minted = try server.program.run(mint)
        let token = try folder.write("van.token", try #require(minted.lines.first, "\(minted.errors)") + "\n")
        let van = try server.program.start(Self.driving + ["--auto", "--token-file", token] + server.connection)
        defer { van.stop() }
        let (lines, errors) = (LineWatch(van.output), LineWatch(van.errors))
        #expect(lines.line(with: "not allowed PERMISSION_DENIED") != nil, "\(lines.all)")
        #expect(lines.line(with: "reporting") != nil, "\(lines.all)")
        let advice = "'tripwatch token mint --role driver --delivery-vehicle van --trusted'"
        #expect(errors.line(with: advice) != nil, "\(errors.all)")
        let trusted = try server.program.run(mint + ["--trusted"])
        let other = try folder.write("trusted.token", try #require(trusted.lines.first, "\(trusted.errors)") + "\n")
        van.stop()
        let second = try server.program.start(Self.driving + ["--auto", "--token-file", other] + server.connection)
        defer { second.stop() }
        let rest = LineWatch(second.output)
        #expect(rest.line(with: "done        two") != nil, "\(rest.all)")
    }

    @Test("--create blames the token's rights only for a refused creation; with a token for another van it tries again")
    func refusedCreation() throws {
        try MadeAccounts.write(to: folder.keys)
        let server = try LocalServer(speed: 60, options: ["--auth", "on", "--keys", folder.keys])
        defer { server.stop() }
        func token(_ van: String) throws -> String {
            let minted = try server.program.run(
                ["token", "mint", "--keys", folder.keys, "--role", "driver", "--delivery-vehicle", van])
            return try folder.write("\(van).token", try #require(minted.lines.first, "\(minted.errors)") + "\n")
        }
        let create = Self.driving + ["--create", "--route", "-36,-20;-35.99,-20"] + server.connection
        let refused = try server.program.run(create + ["--token-file", try token("van")])
        #expect(refused.status == 4 && refused.errors.contains("This token is not allowed to create van"), "\(refused.errors)")
        let other = try server.program.start(create + ["--token-file", try token("other")])
        defer { other.stop() }
        let (lines, errors) = (LineWatch(other.output), LineWatch(other.errors))
        let retrying = try #require(lines.line(with: " retrying    in "), "\(lines.all) \(errors.all)")
        #expect(retrying.contains(": PERMISSION_DENIED"), "\(retrying)")
        #expect(errors.line(with: "This token is not allowed to drive this vehicle (PERMISSION_DENIED") != nil, "\(errors.all)")
        #expect(other.process.isRunning && !errors.all.contains { $0.contains("is not allowed to create") }, "\(errors.all)")
    }

    @Test(
        "options that do not apply to deliveries are refused before any call",
        arguments: [
            (["--report-interval", "4"], "--report-interval"), (["--report-interval", "61"], "--report-interval"),
            (["--output", "screen"], "--output plain"), (["--trip", "t1"], "--trip"), (["--trips", "2"], "--trips"),
        ])
    func refused(options: [String], word: String) throws {
        let refused = try Program().run(
            Self.driving + options + ["--endpoint", "127.0.0.1:1", "--plaintext", "--provider", "demo"])
        #expect(refused.status == 64 && refused.errors.contains(word), "\(refused.errors)")
    }
}
