import Foundation
import Testing

@testable import ProgramHarness

@Suite("serve with deliveries in files", .timeLimit(.minutes(3)))
struct DeliveryFilesTests {
    private let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "tripwatch-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    private func path(_ name: String) -> String { folder.appending(path: name).path }

    private func serve(_ options: [String]) throws -> Program.Outcome { try Program().run(["serve"] + options + ["--exec", "true"]) }

    private func write(_ name: String, _ text: String) throws { try text.write(toFile: path(name), atomically: true, encoding: .utf8) }

    private func read(_ name: String) throws -> String { try String(contentsOfFile: path(name), encoding: .utf8) }

    private func manifest(vehicle: String = "van", task: String = "parcel") -> String {
        """
        {"vehicle":{"vehicle_id":"\(vehicle)","provider_id":"ignored","start_location":{"lat":-36,"lng":-20}},
         "tasks":[{"task_id":"\(task)","tracking_id":"p-\(task)","task_type":"DELIVERY","duration_seconds":120,
                   "planned_waypoint":{"lat":-36.01,"lng":-19.98,"description":"Mill Lane"},"contact_name":"N.",
                   "planned_completion_time":"2026-01-31T12:00:00Z","planned_completion_time_range_seconds":3600}],
         "stops":[{"stop_id":"s1","planned_waypoint":{"lat":-36.01,"lng":-19.98},"tasks":["\(task)"]}]}
        """
    }

    @Test("a day's plan is loaded at the start, in each of its formats, with its ids as written")
    func plan() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let two = [manifest(), manifest(vehicle: "bike", task: "letter")].joined(separator: ",")
        for (text, count) in [(manifest(), 1), ("[\(two)]", 2), ("{\"description\":\"day\",\"manifests\":[\(two)]}", 2)] {
            try write("plan.json", text)
            let result = try serve(["--manifest", path("plan.json"), "--provider", "mill", "--export-on-exit", path("after.json")])
            #expect(result.status == 0, "\(result.errors)")
            let after = try read("after.json")
            #expect(after.contains("\"name\":\"providers/mill/deliveryVehicles/van\"") && after.contains("\"trackingId\":\"p-parcel\""))
            #expect(after.contains("\"endTime\":\"2026-01-31T13:00:00Z\"") && after.contains("\"taskDuration\":\"120s\""), "\(after)")
            #expect(after.split(separator: "\n").filter { $0.contains("\"deliveryVehicleId\":") }.count == count, "\(after)")
        }
    }

    @Test("for an invalid plan the error states its file and position, and the server does not start")
    func badPlans() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let good = manifest()
        let list = "{\"manifests\":[\(good),%]}"
        for (text, words) in [
            (good.replacing("DELIVERY", with: "GIFT"), "plan.json: tasks[0].task_type must be PICKUP,"),
            ("[\(good.replacing("\"lat\":-36.01,", with: ""))]", "plan.json: [0].tasks[0].planned_waypoint must have lat and lng"),
            (good.replacing("[\"parcel\"]", with: "[\"pack\"]"), "plan.json: stops[0].tasks[0] is"),
            (list.replacing("%", with: good), "plan.json: manifests[1].tasks[0] (providers/demo/tasks/parcel): the name occurs twice"),
            (list.replacing("%", with: manifest(vehicle: "a/b", task: "t2")), "plan.json: manifests[1].vehicle (providers/demo/"),
            (list.replacing("%", with: "7"), "plan.json: manifests[1].vehicle must be an object"),
            (good.replacing("2026-01-31T12:00:00Z", with: "noon"), "plan.json: tasks[0].planned_completion_time is"),
            ("{\n\"vehicle\":{}\n", "plan.json: the text ends inside a value that begins on line 1"),
        ] {
            try write("plan.json", text)
            let result = try serve(["--manifest", path("plan.json")])
            #expect(result.status == 1 && result.lines.isEmpty, "\(text)")
            #expect(result.errors.hasPrefix("tripwatch: ") && result.errors.contains(words), "\(result.errors)")
        }
        #expect(try serve(["--manifest", path("none.json")]).errors.contains("none.json does not exist."))
    }

    @Test("a plan beside a database is loaded once: after a restart the run continues")
    func restart() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        try write("plan.json", manifest())
        let options = ["--database", path("engine.db"), "--manifest", path("plan.json"), "--export-on-exit"]
        #expect(try serve(options + [path("one.json")]).status == 0)
        // The second plan has a stop for another task.
        try write("plan.json", manifest(task: "letter"))
        #expect(try serve(options + [path("two.json")]).status == 0)
        let two = try read("two.json")
        #expect(two.contains("tasks/parcel") && two.contains("tasks/letter"))
        let vehicle = two.split(separator: "\n").first { $0.contains("/deliveryVehicles/van") }
        #expect(vehicle?.contains("\"taskId\":\"parcel\"") == true && vehicle?.contains("letter") == false, "\(two)")
    }

    @Test("the provider API has the plan's texts; after a restart the run continues, and no client has the manifest any more")
    func words() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        try write("plan.json", manifest())
        func start() throws -> StoredServer {
            try StoredServer(path("engine.db"), "--manifest", path("plan.json"), "--router", "straight")
        }
        let first = try start()
        let taken = try #require(first.askDesk("POST", "/manifest", #"{"client_id":"phone"}"#))
        #expect(taken.status == 200 && taken.body.contains(#""vehicle_id":"van""#) && taken.body.contains(#""client_id":"phone""#))
        #expect(taken.body.contains(#""description":"Mill Lane""#) && taken.body.contains(#""contact_name":"N.""#), "\(taken.body)")
        #expect(first.askDesk("POST", "/manifest/van", #"{"current_stop_state":"ENROUTE"}"#)?.status == 200)
        first.running.stop()
        let second = try start()
        defer { second.running.stop() }
        let manifest = try #require(second.askDesk("GET", "/manifest/van")).body
        #expect(
            manifest.contains(#""current_stop_state":"ENROUTE""#) && manifest.contains(#""remaining_stop_id_list":["s1"]"#), "\(manifest)")
        #expect(!manifest.contains("client_id"))
        #expect(second.askDesk("GET", "/taskInfoByTrackingId/p-parcel")?.body.contains("Mill Lane") == true)
    }

    @Test("deliveries that are exported at the end and used as a seed are exported the same")
    func seeded() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        try write("plan.json", manifest())
        #expect(try serve(["--manifest", path("plan.json"), "--export-on-exit", path("one.json")]).status == 0)
        #expect(try serve(["--seed", path("one.json"), "--export-on-exit", path("two.json")]).status == 0)
        #expect(try read("one.json") == read("two.json") && read("one.json").contains("\"deliveryVehicles\":["))
        try write("bad.json", read("one.json").replacing("\"DELIVERY\"", with: "\"UNAVAILABLE\""))
        let refused = try serve(["--seed", path("bad.json")])
        #expect(refused.status == 1 && refused.errors.contains("bad.json: tasks[0] (providers/demo/tasks/parcel): "), "\(refused.errors)")
    }

    @Test("a stop without tasks is refused, also beside a database in which the task of the file has ended")
    func stopWithoutTasks() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        func seed(_ state: String, _ vehicles: String) -> String {
            let place = #"{"point":{"latitude":-36,"longitude":-20}}"#
            return #"{"version":1,"tasks":[{"name":"providers/demo/tasks/t1","type":"DELIVERY","state":"\#(state)","trackingId":"p1","#
                + #""taskDuration":"60s","plannedLocation":\#(place)}],"deliveryVehicles":[\#(vehicles)]}"#
        }
        let stop = #"{"stop":{"plannedLocation":{"point":{"latitude":-36,"longitude":-20}},"tasks":[],"state":"NEW"}}"#
        try write("ended.json", seed("CLOSED", ""))
        let van = #"{"name":"providers/demo/deliveryVehicles/van","remainingVehicleJourneySegments":[\#(stop)]}"#
        try write("stop.json", seed("OPEN", van))
        #expect(try serve(["--seed", path("ended.json"), "--database", path("engine.db")]).status == 0)
        for options in [["--database", path("engine.db")], []] {
            let refused = try serve(["--seed", path("stop.json")] + options)
            #expect(refused.status == 1 && refused.errors.contains("stop must have at least one task"), "\(options): \(refused.errors)")
        }
    }

    private static let recordings = Program.package.deletingLastPathComponent().appending(path: "shared/data/deliveries")

    @Test(
        "recorded logs in three formats fill an engine", .enabled(if: FileManager.default.fileExists(atPath: Self.recordings.path)),
        arguments: [("lmfs-field-day-2022.json", 11), ("fleet-archive-delivery-2021.json", 2), ("events-1-stop-2-task.json", 2)])
    func imported(log: String, tasks: Int) throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = Self.recordings.appending(path: log).path
        let result = try serve(["--import", file, "--export-on-exit", path("after.json")])
        #expect(result.status == 0, "\(result.errors)")
        let after = try read("after.json")
        #expect(after.split(separator: "\n").filter { $0.contains("/tasks/") && $0.contains("\"trackingId\"") }.count == tasks, "\(after)")
        #expect(after.contains("/deliveryVehicles/"))
    }
}
