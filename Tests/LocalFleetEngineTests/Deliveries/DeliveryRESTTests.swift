import FleetEngine
import FleetEngineAccess
import FoundationEssentials
import Testing

@testable import LocalFleetEngine

@Suite("The deliveries service over HTTP", .timeLimit(.minutes(2)))
struct DeliveryRESTTests {
    private static let task = """
        {"type":"DELIVERY","state":"OPEN","trackingId":"p1","taskDuration":"60s",
         "plannedLocation":{"point":{"latitude":-36,"longitude":-20}}}
        """
    private static let stops = """
        {"remainingVehicleJourneySegments":[{"stop":{"plannedLocation":{"point":{"latitude":-36,"longitude":-20}},
         "state":"ENROUTE","tasks":[{"taskId":"t"}]}}]}
        """

    @Test("a round from the first task to the last deletion, through every call")
    func round() async throws {
        try await ProviderHarness.with { harness in
            func ask(_ method: String, _ path: String, _ body: String? = nil) async throws -> [String: JSON] {
                let answer = try await harness.ask(method, "/v1/providers/plain/" + path, body)
                #expect(answer.status == 200, "\(method) \(path): \(answer.text)")
                #expect(answer.headers("content-type") == "application/json; charset=UTF-8")
                return try JSON.object(answer.text)
            }
            let at = #"{"location":{"latitude":-36.01,"longitude":-20}}"#
            let van = try await ask("POST", "deliveryVehicles?deliveryVehicleId=van", #"{"lastLocation":\#(at)}"#)
            #expect(van["name"] == .text("providers/plain/deliveryVehicles/van") && van["type"] == .text("AUTO"))
            #expect(try await ask("POST", "tasks?taskId=t", Self.task)["name"] == .text("providers/plain/tasks/t"))
            let batch = #"{"requests":[{"taskId":"u","task":\#(Self.task)}]}"#
            #expect(try await ask("POST", "tasks:batchCreate", batch)["tasks"] != nil)
            let given = try await ask("PATCH", "deliveryVehicles/van?updateMask=remainingVehicleJourneySegments", Self.stops)
            #expect(given["remainingVehicleJourneySegments"] != nil)
            // The encoded route is a bytes field, so it is Base64-encoded in JSON.
            let way = #"{"currentRouteSegment":"X3B+aUZ+cHN8VV91bExubnFD"}"#
            let sent = try await ask("PATCH", "deliveryVehicles/van?updateMask=current_route_segment", way)
            #expect(sent["currentRouteSegment"] == .text("X3B+aUZ+cHN8VV91bExubnFD"))
            #expect(try await ask("GET", "deliveryVehicles/van")["remainingVehicleJourneySegments"] != nil)
            let task = try await ask("GET", "tasks/t?$alt=json;enum-encoding=int")
            #expect(task["state"] == .number(1) && task["deliveryVehicleId"] == .text("van") && task["journeySharingInfo"] != nil)
            let shown = try await ask("GET", "taskTrackingInfo/p1?header.languageCode=de")
            #expect(shown["remainingStopCount"] == .number(1) && shown["vehicleLocation"] != nil)
            #expect(try await ask("GET", "tasks?filter=tracking_id%3D%22p1%22&pageSize=1")["totalSize"] == .text("2"))
            let window = "viewport.low.latitude=-37&viewport.low.longitude=-21&viewport.high.latitude=-35&viewport.high.longitude=-19"
            #expect(try await ask("GET", "deliveryVehicles?\(window)")["totalSize"] == .text("1"))
            let done = try await ask("PATCH", "tasks/t?updateMask=taskOutcome", #"{"taskOutcome":1}"#)
            #expect(done["taskOutcome"] == .text("SUCCEEDED") && done["state"] == .text("OPEN"))
            _ = try await ask("PATCH", "deliveryVehicles/van?updateMask=remainingVehicleJourneySegments", "{}")
            #expect(try await ask("GET", "tasks/t")["state"] == .text("CLOSED"))
            for path in ["tasks/t", "tasks/u", "deliveryVehicles/van"] { #expect(try await ask("DELETE", path).isEmpty) }
        }
    }

    @Test(
        "a refusal has the body of Google's errors",
        arguments: [
            ("GET", "tasks/none", nil, 404, "NOT_FOUND"), ("GET", "taskTrackingInfo/none", nil, 404, "NOT_FOUND"),
            ("GET", "deliveryVehicles/none", nil, 404, "NOT_FOUND"), ("POST", "tasks?taskId=t", task, 409, "ALREADY_EXISTS"),
            ("POST", "tasks?taskId=u", #"{"colour":1}"#, 400, "INVALID_ARGUMENT"), ("POST", "tasks", task, 400, "INVALID_ARGUMENT"),
            ("PATCH", "tasks/t", "{}", 400, "INVALID_ARGUMENT"), ("PATCH", "tasks/t?updateMask=type", "{}", 400, "INVALID_ARGUMENT"),
            ("PATCH", "tasks/t?updateMask=taskOutcome", "{}", 400, "INVALID_ARGUMENT"),
            ("GET", "tasks?filter=colour%3D1", nil, 400, "INVALID_ARGUMENT"),
            ("GET", "tasks/t?updateMask=name", nil, 400, "INVALID_ARGUMENT"),
            ("POST", "tasks:batchCreate", "{}", 400, "INVALID_ARGUMENT"),
            ("POST", "tasks:batchCreate?pageSize=1", "{}", 400, "INVALID_ARGUMENT"),
            ("POST", "deliveryVehicles?deliveryVehicleId=van", #"{"remainingDuration":"5s"}"#, 400, "INVALID_ARGUMENT"),
            ("PUT", "tasks/t?updateMask=state", "{}", 405, "UNIMPLEMENTED"), ("POST", "tasks:search", "{}", 404, "NOT_FOUND"),
        ] as [(String, String, String?, Int, String)])
    func refusals(method: String, path: String, body: String?, status: Int, word: String) async throws {
        try await ProviderHarness.with { harness in
            _ = try await harness.ask("POST", "/v1/providers/plain/tasks?taskId=t", Self.task)
            let answer = try await harness.ask(method, "/v1/providers/plain/" + path, body)
            #expect(answer.status == status, "\(answer.text)")
            guard case .object(let error)? = try JSON.object(answer.text)["error"] else {
                Issue.record("no error: \(answer.text)")
                return
            }
            #expect(error["code"] == .number(Double(status)) && error["status"] == .text(word))
            if status == 405 { #expect(answer.headers("allow") == "DELETE, GET, HEAD, PATCH") }
            if word == "INVALID_ARGUMENT" { #expect(answer.text.contains("type.googleapis.com/google.rpc.BadRequest")) }
        }
    }

    @Test("the name in the path counts, whatever the body says")
    func names() async throws {
        try await ProviderHarness.with { harness in
            for id in ["t", "u"] { _ = try await harness.ask("POST", "/v1/providers/plain/tasks?taskId=\(id)", Self.task) }
            let body = #"{"name":"providers/plain/tasks/u","state":"CLOSED"}"#
            let answer = try await harness.ask("PATCH", "/v1/providers/plain/tasks/t?updateMask=state", body)
            #expect(try JSON.object(answer.text)["name"] == .text("providers/plain/tasks/t"))
            let other = try await harness.ask("GET", "/v1/providers/plain/tasks/u")
            #expect(try JSON.object(other.text)["state"] == .text("OPEN"))
        }
    }

    @Test("the same table of roles holds over HTTP")
    func roles() async throws {
        let gate = openGate()
        try await ProviderHarness.with(gate: gate) { harness in
            func status(_ method: String, _ path: String, _ authorization: String?, _ body: String? = nil) async throws -> Int {
                let headers = authorization.map { [(name: "Authorization", value: $0)] } ?? []
                return try await harness.ask(method, "/v1/providers/plain/" + path, body, headers: headers).status
            }
            let server = "Bearer \(try await gate.mint(.server, tripID: nil, vehicleID: nil, deliveries: .everything).secret)"
            let reader = try await gate.mint(.server, tripID: nil, vehicleID: nil, deliveries: .everything, isReadOnly: true)
            let parcel = try await gate.mint(.consumer, tripID: nil, vehicleID: nil, deliveries: .init(trackingID: "p1"))
            #expect(try await status("POST", "tasks?taskId=t", "Bearer \(reader.secret)", Self.task) == 403)
            #expect(try await status("POST", "tasks?taskId=t", nil, Self.task) == 401)
            #expect(try await status("POST", "tasks?taskId=t", server, Self.task) == 200)
            #expect(try await status("GET", "tasks/t", "Bearer \(reader.secret)") == 200)
            #expect(try await status("GET", "taskTrackingInfo/p1", "Bearer \(parcel.secret)") == 200)
            #expect(try await status("GET", "taskTrackingInfo/p2", "Bearer \(parcel.secret)") == 403)
            #expect(try await status("GET", "tasks/t", "Bearer \(parcel.secret)") == 403)
            #expect(try await status("DELETE", "tasks/t", server) == 403)
        }
    }
}
