import EngineWorld
import FleetEngine
import FleetEngineAPI
import FleetEngineAccess
import GRPCCore
import GRPCProtobuf
import ServerHarness
import SwiftProtobuf
import Testing

@testable import LocalFleetEngine

@Suite("Who may call the deliveries service", .timeLimit(.minutes(2)))
struct DeliveryAccessTests {
    /// Runs `body` with an engine in which the vehicle `van` has the tasks t1 and t2, the vehicle `other` has t3, and t4 has no
    /// vehicle.
    private static func with(_ body: (DeliveryCaller, AccessGate) async throws -> Void) async throws {
        let gate = openGate()
        try await DeliveryCaller.with(gate: gate) { caller, _ in
            let server = try await caller.with(gate, .server, .everything)
            for id in ["van", "other"] { try await server.createVan(id) { $0.lastLocation = .at(World.centre) } }
            for id in ["t1", "t2", "t3", "t4"] { try await server.createTask(id) }
            try await server.setStops([DeliveryCaller.stop(0, ["t1"], .enroute), DeliveryCaller.stop(1, ["t2"])])
            try await server.setStops([DeliveryCaller.stop(0, ["t3"])], of: "other")
            try await body(caller, gate)
        }
    }

    private func code(_ work: () async throws -> some Sendable) async throws -> RPCError.Code? { try await DeliveryCaller.code(work) }

    /// Makes one call of each RPC, in the order of the service's definition.
    /// - Returns: the status codes of the failed calls; nil for each call that succeeds.
    private func codes(_ caller: DeliveryCaller, van: String, task: String, tracking: String) async throws -> [RPCError.Code?] {
        [
            try await code { try await caller.createVan(van) }, try await code { try await caller.van(van) },
            try await code { try await caller.updateVan(van, ["type"]) }, try await code { try await caller.deleteVan(van) },
            try await code {
                try await caller.service.listDeliveryVehicles(.with { $0.parent = World.provider }, metadata: caller.metadata)
            },
            try await code { try await caller.createTask(task) },
            try await code { try await caller.createTasks([DeliveryCaller.newTask(task)]) },
            try await code { try await caller.task(task) },
            try await code { try await caller.updateTask(task, ["attributes"]) }, try await code { try await caller.deleteTask(task) },
            try await code { try await caller.service.listTasks(.with { $0.parent = World.provider }, metadata: caller.metadata) },
            try await code { try await caller.track(tracking) },
        ]
    }

    @Test("every call without a token, or with a token that allows nothing, is refused")
    func noToken() async throws {
        try await Self.with { caller, gate in
            let none = try await codes(caller, van: "van", task: "t1", tracking: "parcel-t1")
            #expect(none.allSatisfy { $0 == .unauthenticated } && none.count == 12)
            let rides = DeliveryCaller(
                service: caller.service,
                metadata: ["authorization": "Bearer \(try await gate.mint(.server, tripID: "*", vehicleID: "*").secret)"])
            let others = try await codes(rides, van: "van", task: "t1", tracking: "parcel-t1")
            #expect(others.allSatisfy { $0 == .permissionDenied })
        }
    }

    @Test("a missing token and a missing permission are named in an ErrorInfo, over gRPC and as JSON")
    func reasons() async throws {
        let gate = openGate()
        try await DeliveryCaller.with(gate: gate) { caller, servers in
            let consumer = try await caller.with(gate, .consumer, DeliveryClaims(trackingID: "p"))
            for (caller, reason) in [(caller, "CREDENTIALS_MISSING"), (consumer, "IAM_PERMISSION_DENIED")] {
                let error = await #expect(throws: RPCError.self) { try await caller.task("t1") }
                let info = try error?.unpackGoogleRPCStatus()?.details.first?.errorInfo
                #expect(info?.reason == reason && info?.domain == "googleapis.com")
                let authorization = caller.metadata[stringValues: "authorization"].first { _ in true }
                let answer = try await servers.ask("GET", "/v1/\(DeliveryCaller.task("t1"))", authorization: authorization)
                let detail =
                    #""@type":"type.googleapis.com/google.rpc.ErrorInfo","domain":"googleapis.com","metadata":{"service":"fleetengine.googleapis.com"}"#
                #expect(answer.text.contains(detail + #","reason":"\#(reason)""#), "\(answer.text)")
            }
        }
    }

    @Test("a token may name the 500 tasks of a batch, over gRPC and as JSON")
    func largeBatch() async throws {
        let gate = openGate()
        try await Servers.with(gate: gate) { servers in
            let ids = (0..<500).map { "6f9619ff-8b86-d011-b42d-00c04fc9\(1_000 + $0)" }
            let claims = DeliveryClaims(taskIDs: ids)
            let header = "Bearer \(try await gate.mint(.server, tripID: nil, vehicleID: nil, deliveries: claims).secret)"
            let connection = try await RawConnection(port: servers.grpcPort)
            let path = "/maps.fleetengine.delivery.v1.DeliveryService/BatchCreateTasks"
            let call = Frames.call(stream: 1, isOpen: true, path: path, fields: ["authorization": header])
            try await connection.send(Frames.preface + call + Frames.emptyMessage(stream: 1))
            #expect(await connection.wait { Frames($0).types(ofStream: 1).contains(Frames.headers) })
            // The empty message names no provider.
            #expect(servers.engine.metrics.count(.batchCreateTasks, .invalidArgument) == 1)
            let body = #"{"requests":[{"parent":"\#(World.provider)","taskId":"\#(ids[0])","task":{}}]}"#
            let answer = try await servers.ask("POST", "/v1/\(World.provider)/tasks:batchCreate", body, authorization: header)
            // The token allows the call, but the task has no type.
            #expect(answer.status == 400, "\(answer.text)")
            await connection.close()
        }
    }

    @Test("a consumer may read his shipment and nothing else, whether it exists or not")
    func consumer() async throws {
        try await Self.with { caller, gate in
            let consumer = try await caller.with(gate, .consumer, DeliveryClaims(trackingID: "parcel-t1"))
            let own = try await codes(consumer, van: "van", task: "t1", tracking: "parcel-t1")
            #expect(own.prefix(11).allSatisfy { $0 == .permissionDenied } && own.last == .some(nil))
            for id in ["parcel-t3", "unknown"] { #expect(try await code { try await consumer.track(id) } == .permissionDenied) }
            let any = try await caller.with(gate, .consumer, DeliveryClaims(trackingID: "*"))
            #expect(try await code { try await any.track("unknown") } == .notFound)
        }
    }

    @Test("a driver may report a position; a trusted driver may also change the vehicle and create and change tasks")
    func driver() async throws {
        try await Self.with { caller, gate in
            let driver = try await caller.with(gate, .driver, DeliveryClaims(vehicleID: "van"))
            #expect(try await driver.van("van").name == DeliveryCaller.van("van"))
            #expect(try await code { try await driver.updateVan("van", ["last_location"]) { $0.lastLocation = .at(World.centre) } } == nil)
            for id in ["other", "unknown"] {
                #expect(try await code { try await driver.van(id) } == .permissionDenied)
                #expect(try await code { try await driver.updateVan(id, ["type"]) } == .permissionDenied)
            }
            let report = [
                "last_location", "past_locations", "navigation_status", "current_route_segment", "current_route_segment_end_point",
                "remaining_distance_meters", "remaining_duration",
            ]
            #expect(try await code { try await driver.updateVan("van", report) { $0.lastLocation = .at(World.centre) } } == nil)
            for field in ["type", "attributes", "remaining_vehicle_journey_segments"] {
                let error = await #expect(throws: RPCError.self) {
                    try await driver.updateVan("van", ["last_location", field]) { $0.lastLocation = .at(World.centre) }
                }
                #expect(error?.code == .permissionDenied && error?.message.hasSuffix(" to change \(field)") == true, "\(field)")
            }
            let stops = [DeliveryCaller.stop(0, ["t1"], .arrived), DeliveryCaller.stop(1, ["t2"])]
            #expect(try await code { try await driver.setStops(stops) } == .permissionDenied)
            let camel = try await code {
                try await driver.updateVan("van", ["remainingVehicleJourneySegments"]) { $0.remainingVehicleJourneySegments = stops }
            }
            #expect(camel == .permissionDenied)
            let outcome: (inout WireTask) -> Void = { $0.taskOutcome = .succeeded }
            #expect(try await code { try await driver.updateTask("t1", ["task_outcome"], outcome) } == .permissionDenied)
            let trusted = try await caller.with(gate, .driver, DeliveryClaims(vehicleID: "van", isTrusted: true))
            #expect(try await code { try await trusted.setStops(stops) } == nil)
            #expect(try await code { try await trusted.updateTask("t1", ["task_outcome"], outcome) } == nil)
            #expect(try await code { try await trusted.createTask("t9") } == nil)
            for id in ["t3", "t4", "t9", "unknown"] {
                #expect(try await code { try await trusted.updateTask(id, ["task_outcome"], outcome) } == .permissionDenied)
            }
            #expect(try await code { try await trusted.createVan("van") } == .alreadyExists)
            #expect(try await code { try await trusted.createVan("new") } == .permissionDenied)
            #expect(try await code { try await trusted.task("t1") } == .permissionDenied)
            #expect(try await code { try await trusted.track("parcel-t1") } == .permissionDenied)
        }
    }

    @Test("a driver's token that names tasks, as Google's tokens of trusted drivers do, allows changes to the vehicle and to these tasks")
    func named() async throws {
        try await Self.with { caller, gate in
            let driver = try await caller.with(gate, .driver, DeliveryClaims(taskID: "k1", vehicleID: "van"))
            #expect(try await code { try await driver.setStops([DeliveryCaller.stop(0, ["t1"])]) } == nil)
            #expect(try await code { try await driver.updateVan("van", ["attributes"]) } == nil)
            #expect(try await code { try await driver.createTask("k1") } == nil)
            #expect(try await code { try await driver.updateTask("k1", ["attributes"]) } == nil)
            for id in ["t1", "unknown"] {
                #expect(try await code { try await driver.updateTask(id, ["attributes"]) } == .permissionDenied)
                #expect(try await code { try await driver.createTask(id) } == .permissionDenied)
            }
            #expect(try await code { try await driver.task("k1") } == .permissionDenied)
            let batch = try await caller.with(gate, .driver, DeliveryClaims(taskIDs: ["k2", "k3"], vehicleID: "new"))
            #expect(try await code { try await batch.createVan("new") } == nil)
            #expect(try await code { try await batch.createTasks(["k2", "k3"].map { DeliveryCaller.newTask($0) }) } == nil)
            #expect(try await code { try await batch.createTasks([DeliveryCaller.newTask("k4")]) } == .permissionDenied)
        }
    }

    @Test("a server may do everything except delete, within its ids; a read-only server may only read; an admin may delete")
    func server() async throws {
        try await Self.with { caller, gate in
            let server = try await caller.with(gate, .server, .everything)
            let all = try await codes(server, van: "new", task: "new", tracking: "parcel-new")
            let denied: [RPCError.Code?] = [.permissionDenied]
            #expect(all == [nil, nil, nil] + denied + [nil, nil, .alreadyExists, nil, nil] + denied + [nil, nil])
            let reader = try await caller.with(gate, .server, .everything, isReadOnly: true)
            let read = try await codes(reader, van: "van", task: "t1", tracking: "parcel-t1")
            #expect(read == denied + [nil] + denied + denied + [nil] + denied + denied + [nil] + denied + denied + [nil, nil])
            let narrow = try await caller.with(gate, .server, DeliveryClaims(taskIDs: ["b1", "b2"]))
            let batch = { (ids: [String]) in ids.map { DeliveryCaller.newTask($0) } }
            #expect(try await code { try await narrow.createTasks(batch(["b1", "b2"])) } == nil)
            #expect(try await code { try await narrow.createTasks(batch(["b1", "b3"])) } == .permissionDenied)
            #expect(try await code { try await narrow.van("van") } == .permissionDenied)
            let admin = try await caller.with(gate, .admin)
            #expect(try await code { try await admin.deleteTask("t4") } == nil)
            #expect(try await code { try await admin.deleteTask("unknown") } == .notFound)
        }
    }
}
