import FleetEngine
import FleetEngineAPI
import FleetEngineAccess
import FleetEngineCore
import FleetEngineSnapshot
import FoundationEssentials
import SwiftProtobuf
import Testing
import TripTesting

@testable import LocalFleetEngine

@Suite("The paths of Google's last-mile sample", .timeLimit(.minutes(1)))
struct DeliveryDeskTests {
    private struct Manifest: Decodable {
        struct Vehicle: Decodable {
            let vehicleId: String
            let providerId: String
        }
        struct Waypoint: Decodable {
            let description: String?
            let lat: Double
        }
        struct Task: Decodable {
            let taskId: String
            let trackingId: String?
            let plannedWaypoint: Waypoint
            let plannedCompletionTime: String?
            let contactName: String?
            let description: String?
        }
        struct Stop: Decodable {
            let stopId: String
            let tasks: [String]
        }
        let vehicle: Vehicle
        let tasks: [Task]
        let stops: [Stop]
        let clientId: String?
        let currentStopState: String?
        let remainingStopIdList: [String]
    }

    private struct Manifests: Decodable {
        let manifests: [Manifest]
    }

    private struct Task: Decodable {
        let name: String
        let taskOutcome: String?
        let deliveryVehicleId: String?
    }

    /// Returns a plan with two stops: `s1` has the tasks t1 and t2, `s2` has t3.
    private static func plan(vehicle: String = "van", prefix: String = "t") -> String {
        let tasks = (1...3).map { number in
            """
            {"task_id":"\(prefix)\(number)","tracking_id":"p-\(prefix)\(number)","task_type":"DELIVERY","duration_seconds":60,
             "planned_waypoint":{"description":"Mill Lane \(number)","lat":-36.0\(number),"lng":-20},
             "planned_completion_time":"2026-01-31T12:00:00Z","planned_completion_time_range_seconds":3600,
             "contact_name":"N. \(number)","description":"a box"}
            """
        }
        return """
            {"vehicle":{"vehicle_id":"\(vehicle)","start_location":{"lat":-36,"lng":-20}},"tasks":[\(tasks.joined(separator: ","))],
             "stops":[{"stop_id":"s1","planned_waypoint":{"lat":-36.01,"lng":-20},"tasks":["\(prefix)1","\(prefix)2"]},
                      {"stop_id":"s2","planned_waypoint":{"lat":-36.03,"lng":-20},"tasks":["\(prefix)3"]}]}
            """
    }

    private static func read<Body: Decodable>(_ text: String, as type: Body.Type = Body.self) throws -> Body {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        return try decoder.decode(type, from: Data(text.utf8))
    }

    /// Sends a plan.
    /// - Returns: its manifests with the ids that the server gave them.
    private static func send(_ plan: String, to harness: ProviderHarness) async throws -> [Manifest] {
        let answer = try await harness.ask("POST", "/backend_config", plan)
        #expect(answer.status == 200, "\(answer.text)")
        return try read(answer.text, as: Manifests.self).manifests
    }

    @Test("a plan creates a vehicle, its tasks and its stops, appends the time to their ids, and keeps its texts")
    func made() async throws {
        try await ProviderHarness.with { harness in
            let suffix = "_\(Int64(harness.time.now().timeIntervalSince1970) * 1_000)"
            let manifest = try #require(try await Self.send(Self.plan(), to: harness).first)
            #expect(manifest.vehicle.vehicleId == "van" + suffix && manifest.vehicle.providerId == "plain")
            #expect(manifest.tasks.map(\.taskId) == ["t1", "t2", "t3"].map { $0 + suffix })
            #expect(manifest.stops.map(\.tasks) == [["t1", "t2"], ["t3"]].map { $0.map { $0 + suffix } })
            #expect(manifest.remainingStopIdList == ["s1", "s2"] && manifest.currentStopState == "NEW")
            let task = try #require(manifest.tasks.first)
            #expect(task.plannedWaypoint.description == "Mill Lane 1" && task.plannedWaypoint.lat == -36.01)
            #expect(task.contactName == "N. 1" && task.description == "a box")
            #expect(task.plannedCompletionTime == "2026-01-31T12:00:00Z")
            let all = try await harness.ask("GET", "/backend_config")
            #expect(try Self.read(all.text, as: Manifests.self).manifests.map(\.vehicle.vehicleId) == ["van" + suffix])
            let shipment = try await harness.ask("GET", "/taskInfoByTrackingId/p-t2\(suffix)")
            #expect(try Self.read(shipment.text, as: Manifest.Task.self).plannedWaypoint.description == "Mill Lane 2")
            let unknown = try await harness.ask("GET", "/taskInfoByTrackingId/p-t2")
            #expect(unknown.status == 404 && unknown.text.contains("\"status\":404"))
        }
    }

    @Test("a plan is also accepted as part of a form, as the sample's page sends it")
    func form() async throws {
        try await ProviderHarness.with { harness in
            func form(_ name: String) -> String {
                let head = "--b\r\nContent-Disposition: form-data; name=\"note\"\r\n\r\nhello\r\n--b\r\n"
                return head
                    + "Content-Disposition: form-data; name=\"\(name)\"; filename=\"file\"\r\nContent-Type: application/json\r\n\r\n"
                    + Self.plan() + "\r\n--b--\r\n"
            }
            let type = [(name: "Content-Type", value: "multipart/form-data; boundary=b")]
            let answer = try await harness.ask("POST", "/backend_config", form("file"), headers: type)
            #expect(answer.status == 200 && answer.text.contains("Mill Lane 3"), "\(answer.text)")
            let other = try await harness.ask("POST", "/backend_config", form("plan"), headers: type)
            #expect(other.status == 400 && other.text.contains("no part named 'file'"), "\(other.text)")
            let cut = try await harness.ask("POST", "/backend_config", String(form("file").dropLast(8)), headers: type)
            #expect(cut.status == 400, "\(cut.text)")
        }
    }

    @Test("an invalid plan is refused with the path of the faulty member, and creates nothing")
    func badPlans() async throws {
        try await ProviderHarness.with { harness in
            let good = Self.plan()
            let long = String(repeating: "x", count: 60)
            for (plan, words) in [
                (good.replacing("\"DELIVERY\"", with: "\"GIFT\""), "tasks[0].task_type must be"),
                ("[\(good),\(Self.plan(vehicle: "a/b", prefix: "u"))]", "[1].vehicle (providers/plain/"),
                ("[\(good),\(Self.plan(vehicle: long, prefix: "u"))]", "[1].vehicle (providers/plain/"),
                (good.replacing("\"s2\"", with: "\"s1\""), "stops[1].stop_id must differ"),
                (good.replacing("a box", with: String(repeating: "x", count: 1_001)), "tasks[0].description must have at most 1000 bytes"),
                ("{", "the text ends inside a value"),
            ] {
                let answer = try await harness.ask("POST", "/backend_config", plan)
                #expect(answer.status == 400 && answer.text.contains(words), "\(answer.text)")
            }
            let state = await harness.engine.snapshot
            #expect(state.taskCount == 0 && state.deliveryVehicleCount == 0)
        }
    }

    @Test("a plan is carried out as a whole or not at all, and each of its calls is counted")
    func wholePlans() async throws {
        try await ProviderHarness.with { harness in
            let van = try #require(try await Self.send(Self.plan(), to: harness).first).vehicle.vehicleId
            // The clock is stopped, so both plans give the van the same id. The second plan is therefore refused.
            let again = "[\(Self.plan(vehicle: "bike", prefix: "u")),\(Self.plan())]"
            let refused = try await harness.ask("POST", "/backend_config", again)
            #expect(refused.status == 409 && refused.text.contains(van), "\(refused.text)")
            let state = await harness.engine.snapshot
            #expect(state.taskCount == 3 && state.deliveryVehicleCount == 1)
            #expect(try await harness.ask("GET", "/manifest/\(van)").status == 200)
            let metrics = try await harness.ask("GET", "/metrics").text
            for (rpc, count) in [("CreateDeliveryVehicle", 1), ("CreateTask", 3), ("UpdateDeliveryVehicle", 1)] {
                #expect(metrics.contains("tripwatch_calls_total{rpc=\"\(rpc)\",code=\"OK\"} \(count)\n"), "\(rpc)")
            }
        }
    }

    @Test("a manifest whose vehicle was deleted is given to no app, and its app gets another one")
    func deletedVehicle() async throws {
        try await ProviderHarness.with { harness in
            func take(_ path: String, _ client: String) async throws -> (Int, Manifest?) {
                let answer = try await harness.ask("POST", path, "{\"client_id\":\"\(client)\"}")
                return (answer.status, try? Self.read(answer.text))
            }
            func delete(_ id: String) async throws {
                #expect(try await harness.ask("POST", "/manifest/\(id)", #"{"remaining_stop_id_list":[]}"#).status == 200)
                try await harness.engine.deleteDeliveryVehicle(.with { $0.name = "providers/plain/deliveryVehicles/\(id)" })
            }
            let three = ["van", "bike", "cart"].map { Self.plan(vehicle: $0, prefix: $0) }.joined(separator: ",")
            let ids = try await Self.send("[\(three)]", to: harness).map(\.vehicle.vehicleId)
            let van = try #require(ids.first), bike = try #require(ids.dropFirst().first), cart = try #require(ids.last)
            try await delete(van)
            #expect(try await take("/manifest/\(van)", "a").0 == 404)
            #expect(try await take("/manifest", "a").1?.vehicle.vehicleId == bike)
            try await delete(bike)
            #expect(try await take("/manifest", "a").1?.vehicle.vehicleId == cart)
            let none = try await harness.ask("POST", "/manifest", #"{"client_id":"b"}"#)
            #expect(none.status == 404 && none.text.contains("no manifest is free"), "\(none.text)")
        }
    }

    @Test("a plan that arrives after the look-up of the vehicles keeps its apps and its free manifests")
    func replacedPlan() throws {
        let two = "[\(Self.plan()),\(Self.plan(vehicle: "bike", prefix: "u"))]"
        let manifests = try DeliveryManifest(json: Array(two.utf8), provider: "plain", suffix: "_2").bodies
        var plan = DeliveryDesk.Plan(manifests: manifests, clients: ["bike_2": "a"])
        // The look-up found that these vehicles of the earlier plan are missing. The new plan arrived after the look-up.
        let absent: Set = ["van_1", "bike_1"]
        let own = try plan.take(nil, without: absent, for: "a")
        let free = try plan.take(nil, without: absent, for: "b")
        #expect(own == "bike_2" && free == "van_2" && plan.clients == ["bike_2": "a", "van_2": "b"])
    }

    @Test("an app gets a free manifest, and the same one when it asks again; no app gets another app's manifest")
    func taking() async throws {
        try await ProviderHarness.with { harness in
            let two = "{\"manifests\":[\(Self.plan()),\(Self.plan(vehicle: "bike", prefix: "u"))]}"
            let ids = try await Self.send(two, to: harness).map(\.vehicle.vehicleId)
            let van = try #require(ids.first), bike = try #require(ids.last)
            func take(_ path: String, _ client: String) async throws -> (Int, Manifest?) {
                let answer = try await harness.ask("POST", path, "{\"client_id\":\"\(client)\"}")
                return (answer.status, try? Self.read(answer.text))
            }
            let first = try await take("/manifest", "a").1
            #expect(first?.vehicle.vehicleId == van && first?.clientId == "a")
            #expect(try await take("/manifest", "a").1?.vehicle.vehicleId == van)
            #expect(try await take("/manifest/\(van)", "a").1?.vehicle.vehicleId == van)
            #expect(try await take("/manifest/\(bike)", "a").0 == 403)
            #expect(try await take("/manifest/\(van)", "b").0 == 403)
            #expect(try await take("/manifest/none", "b").0 == 404)
            #expect(try await take("/manifest/\(bike)", "b").1?.clientId == "b")
            #expect(try await take("/manifest", "c").0 == 404)
            #expect(try await take("/manifest", "").0 == 400)
            #expect(try await take("/manifest", String(repeating: "x", count: 257)).0 == 400)
        }
    }

    @Test("a drive through the manifest: on the way, arrived, an outcome, the stop done")
    func run() async throws {
        try await ProviderHarness.with { harness in
            let planned = try #require(try await Self.send(Self.plan(), to: harness).first)
            let van = planned.vehicle.vehicleId
            let first = try #require(planned.tasks.first).taskId, second = try #require(planned.tasks.dropFirst().first).taskId
            func update(_ body: String) async throws -> Manifest {
                let answer = try await harness.ask("POST", "/manifest/\(van)", body)
                #expect(answer.status == 200, "\(answer.text)")
                return try Self.read(answer.text)
            }
            #expect(try await update(#"{"current_stop_state":"ENROUTE"}"#).currentStopState == "ENROUTE")
            #expect(try await update(#"{"current_stop_state":"ARRIVED"}"#).currentStopState == "ARRIVED")
            let done = try await harness.ask("POST", "/task/\(first)", #"{"task_outcome":"SUCCEEDED"}"#)
            let task = try Self.read(done.text, as: Task.self)
            #expect(task.taskOutcome == "SUCCEEDED" && task.deliveryVehicleId == van && done.text.contains("\"task_outcome_time\""))
            let other = try await harness.ask("PUT", "/task/\(first)", #"{"taskOutcome":"FAILED"}"#)
            #expect(other.status == 400 && other.text.contains("cannot be changed"), "\(other.text)")
            let manifest = try Self.read(try await harness.ask("GET", "/manifest/\(van)").text, as: Manifest.self)
            #expect(manifest.stops.first?.tasks == [second] && manifest.tasks.count == 3)
            let failed = try await harness.ask("PUT", "/task/\(second)", #"{"taskOutcome":"FAILED"}"#)
            #expect(try Self.read(failed.text, as: Task.self).taskOutcome == "FAILED")
            let next = try await update(#"{"remaining_stop_id_list":["s2"],"current_stop_state":"ENROUTE"}"#)
            #expect(next.remainingStopIdList == ["s2"] && next.currentStopState == "ENROUTE")
            let closed = try await harness.ask("GET", "/task/\(second)")
            #expect(closed.text.contains("\"state\":\"CLOSED\""), "\(closed.text)")
            let last = try await update(#"{"remaining_stop_id_list":[]}"#)
            #expect(last.remainingStopIdList.isEmpty && last.currentStopState == nil)
            let late = try await harness.ask("POST", "/manifest/\(van)", #"{"current_stop_state":"NEW"}"#)
            #expect(late.status == 400 && late.text.contains("no stop"), "\(late.text)")
        }
    }

    @Test("stops can be reordered, the state stays with the first, and unknown stops are refused")
    func order() async throws {
        try await ProviderHarness.with { harness in
            let van = try #require(try await Self.send(Self.plan(), to: harness).first).vehicle.vehicleId
            func ask(_ body: String) async throws -> (status: Int, text: String) {
                let answer = try await harness.ask("POST", "/manifest/\(van)", body)
                return (answer.status, answer.text)
            }
            #expect(try await ask(#"{"current_stop_state":"ENROUTE"}"#).status == 200)
            let turned = try Self.read(try await ask(#"{"remaining_stop_id_list":["s2","s1"]}"#).text, as: Manifest.self)
            #expect(turned.remainingStopIdList == ["s2", "s1"] && turned.currentStopState == "NEW")
            for (body, status) in [
                (#"{"remaining_stop_id_list":["s3"]}"#, 404), (#"{"remaining_stop_id_list":["s1","s1"]}"#, 404),
                (#"{"current_stop_state":"LEFT"}"#, 400), (#"{"current_stop_state":"NEW","client_id":"a"}"#, 400), ("{}", 400), ("x", 400),
            ] {
                let answer = try await ask(body)
                #expect(answer.status == status, "\(body): \(answer.text)")
            }
            #expect(try await harness.ask("POST", "/manifest/none", #"{"current_stop_state":"NEW"}"#).status == 404)
            #expect(try await harness.ask("GET", "/manifest/none").status == 404)
            #expect(try await harness.ask("GET", "/manifest").status == 400)
        }
    }

    @Test("tasks and delivery vehicles are sent as the engine's messages, with the field names of the protocol buffers")
    func messages() async throws {
        try await ProviderHarness.with { harness in
            let manifest = try #require(try await Self.send(Self.plan(), to: harness).first)
            let van = manifest.vehicle.vehicleId
            let third = try #require(manifest.tasks.last).taskId
            let list = try await harness.ask("GET", "/tasks?vehicleId=\(van)")
            #expect(try Self.read(list.text, as: [Task].self).map(\.name) == manifest.tasks.map { "providers/plain/tasks/\($0.taskId)" })
            #expect(try await harness.ask("GET", "/tasks").status == 400)
            #expect(try await harness.ask("GET", "/tasks?vehicleId=none").status == 404)
            #expect(try await harness.ask("GET", "/task/\(third)").text.contains("\"tracking_id\":\"p-\(third)\""))
            #expect(try await harness.ask("GET", "/task/\(third)?manifestDataRequested=true").text.contains("\"contact_name\":\"N. 3\""))
            #expect(try await harness.ask("GET", "/task/none?manifestDataRequested=true").status == 404)
            #expect(try await harness.ask("GET", "/task/none").status == 404)
            for body in ["{}", #"{"task_outcome":"GOOD"}"#, "x"] {
                #expect(try await harness.ask("POST", "/task/\(third)", body).status == 400)
            }
            let vehicle = try await harness.ask("POST", "/delivery_vehicle/\(van)", #"{"stopState":"ENROUTE"}"#)
            #expect(vehicle.text.contains("\"remaining_vehicle_journey_segments\"") && vehicle.text.contains("ENROUTE"), "\(vehicle.text)")
            #expect(try await harness.ask("POST", "/delivery_vehicle/\(van)", "{}").status == 400)
            let kept = try await harness.ask("PUT", "/delivery_vehicle/\(van)", vehicle.text)
            #expect(kept.status == 200 && kept.text.contains(third), "\(kept.text)")
            #expect(try await harness.ask("PUT", "/delivery_vehicle/\(van)", #"{"nosuch":1}"#).status == 400)
            #expect(try await harness.ask("GET", "/delivery_vehicle/\(van)").text.contains("deliveryVehicles/\(van)"))
            #expect(try await harness.ask("GET", "/delivery_vehicle/none").status == 404)
        }
    }

    @Test("a reset restores the plan of the start, and every manifest is free")
    func reset() async throws {
        try await ProviderHarness.with(hasTestHooks: true) { harness in
            let van = try #require(try await Self.send(Self.plan(), to: harness).first).vehicle.vehicleId
            #expect(try await harness.ask("POST", "/manifest", #"{"client_id":"a"}"#).status == 200)
            #expect(try await harness.ask("POST", "/_tripwatch/reset").status == 200)
            #expect(try await harness.ask("GET", "/manifest/\(van)").status == 404)
            #expect(try await harness.ask("GET", "/backend_config").text == #"{"manifests":[]}"#)
        }
    }
}
