import FleetEngine
import Testing

@testable import FleetEngineAccess

@Suite("The table of roles for deliveries")
struct DeliveryRoleTests {
    private static func task(_ id: String) -> TaskName? { try? TaskName(provider: "p", task: id) }
    private static func van(_ id: String) -> DeliveryVehicleName? { try? DeliveryVehicleName(provider: "p", vehicle: id) }
    private static func shipment(_ id: String) -> TaskTrackingName? { try? TaskTrackingName(provider: "p", trackingID: id) }

    private static func vehicleCalls(_ van: DeliveryVehicleName?) -> [DeliveryCall] {
        [.createVehicle(van), .getVehicle(van), .updateVehicle(van, trustedField: nil), .updateVehicle(van, trustedField: "attributes")]
    }
    private static func taskCalls(_ task: TaskName?) -> [DeliveryCall] {
        [.getTask(task)] + taskWrites(task)
    }
    private static func taskWrites(_ task: TaskName?) -> [DeliveryCall] { [.createTask(task), .createTasks([task]), .updateTask(task)] }
    private static func deletes(_ id: String) -> [DeliveryCall] { [.deleteVehicle(van(id)), .deleteTask(task(id))] }

    /// All calls of this test: those with the id `own`, the id `other`, both ids, an invalid name or no task, and those that request a
    /// list.
    static let all: [DeliveryCall] =
        vehicleCalls(van("own")) + vehicleCalls(van("other")) + vehicleCalls(nil) + taskCalls(task("own")) + taskCalls(task("other"))
        + taskCalls(nil) + [.getTrackingInfo(shipment("own")), .getTrackingInfo(shipment("other")), .getTrackingInfo(nil)]
        + deletes("own") + deletes("other") + [.createTasks([task("own"), task("other")]), .createTasks([]), .listVehicles, .listTasks]

    struct Row: Sendable, CustomTestStringConvertible {
        let role: AccountRole
        let claims: DeliveryClaims
        var isReadOnly = false
        /// The vehicle to which the requested task is assigned.
        var taskVehicle: String?
        /// The calls that the role allows. All others are denied.
        let allowed: [DeliveryCall]

        var testDescription: String { "\(role) \(claims) readonly \(isReadOnly), the task's vehicle \(taskVehicle ?? "-")" }
    }

    private static let wholeServer = all.filter { ![EngineRPC.deleteDeliveryVehicle, .deleteTask].contains($0.rpc) }
    private static let ownVan: [DeliveryCall] = [.getVehicle(van("own")), .updateVehicle(van("own"), trustedField: nil)]
    private static let bothTasks: [DeliveryCall] =
        taskWrites(task("own")) + taskWrites(task("other")) + [.createTasks([task("own"), task("other")]), .createTasks([])]
    private static let oneTask: [DeliveryCall] = taskWrites(task("own")) + [.createTasks([])]

    static let rows: [Row] = [
        Row(role: .consumer, claims: DeliveryClaims(trackingID: "own"), allowed: [.getTrackingInfo(shipment("own"))]),
        Row(
            role: .consumer, claims: DeliveryClaims(trackingID: "*"),
            allowed: [.getTrackingInfo(shipment("own")), .getTrackingInfo(shipment("other")), .getTrackingInfo(nil)]),
        Row(role: .consumer, claims: DeliveryClaims(taskID: "*", vehicleID: "*"), allowed: []),
        Row(role: .driver, claims: DeliveryClaims(vehicleID: "own"), allowed: ownVan),
        Row(role: .driver, claims: DeliveryClaims(isTrusted: true), allowed: []),
        Row(
            role: .driver, claims: DeliveryClaims(vehicleID: "own", isTrusted: true), taskVehicle: "own",
            allowed: vehicleCalls(van("own")) + bothTasks + taskWrites(nil)),
        Row(
            role: .driver, claims: DeliveryClaims(vehicleID: "own", isTrusted: true), taskVehicle: "other",
            allowed: vehicleCalls(van("own")) + (bothTasks + taskWrites(nil)).filter { $0.rpc != .updateTask }),
        // In Google's format, the token of a trusted driver names the driver's tasks.
        Row(role: .driver, claims: DeliveryClaims(taskID: "own", vehicleID: "own"), allowed: vehicleCalls(van("own")) + oneTask),
        Row(
            role: .driver, claims: DeliveryClaims(taskID: "own", vehicleID: "own", isTrusted: true),
            allowed: vehicleCalls(van("own")) + oneTask),
        Row(
            role: .driver, claims: DeliveryClaims(taskIDs: ["own", "other"], vehicleID: "own"),
            allowed: vehicleCalls(van("own")) + bothTasks),
        Row(
            role: .driver, claims: DeliveryClaims(taskID: "*", vehicleID: "own"),
            allowed: vehicleCalls(van("own")) + bothTasks + taskWrites(nil)),
        Row(role: .driver, claims: DeliveryClaims(taskID: "own"), allowed: oneTask),
        Row(role: .server, claims: .everything, allowed: wholeServer),
        Row(role: .server, claims: DeliveryClaims(vehicleID: "own"), allowed: vehicleCalls(van("own"))),
        Row(role: .server, claims: DeliveryClaims(taskID: "own"), allowed: taskCalls(task("own")) + [.createTasks([])]),
        Row(
            role: .server, claims: DeliveryClaims(taskIDs: ["own", "other"]),
            allowed: taskCalls(task("own")) + taskCalls(task("other")) + [.createTasks([task("own"), task("other")]), .createTasks([])]),
        Row(role: .server, claims: DeliveryClaims(), allowed: []),
        Row(
            role: .server, claims: .everything, isReadOnly: true,
            allowed: [.getVehicle(van("own")), .getVehicle(van("other")), .getVehicle(nil), .listVehicles]
                + [.getTask(task("own")), .getTask(task("other")), .getTask(nil), .listTasks]
                + [.getTrackingInfo(shipment("own")), .getTrackingInfo(shipment("other")), .getTrackingInfo(nil)]),
        Row(role: .admin, claims: DeliveryClaims(), allowed: all),
    ]

    @Test("each role may do exactly what the table says", arguments: rows)
    func table(row: Row) {
        let grant = AccessGrant(role: row.role, deliveries: row.claims, isReadOnly: row.isReadOnly)
        for call in Self.all {
            let decision = RoleTable.decision(grant, .delivery(call), taskVehicle: row.taskVehicle)
            #expect((decision == .allowed) == row.allowed.contains(call), "\(call): \(decision)")
        }
    }

    @Test("ids of rides give no access to deliveries, and ids of deliveries give none to rides")
    func apart() {
        let rides = AccessGrant(role: .server, tripID: "*", vehicleID: "*")
        for call in Self.all { #expect(RoleTable.decision(rides, .delivery(call)) != .allowed, "\(call)") }
        for role in [AccountRole.consumer, .driver, .server] {
            let deliveries = AccessGrant(role: role, deliveries: .everything)
            for call in RoleTableTests.all { #expect(RoleTable.decision(deliveries, call) != .allowed, "\(role) \(call)") }
        }
    }

    @Test("a read-only token cannot change a ride")
    func readOnlyRides() {
        let reader = AccessGrant(role: .server, tripID: "*", vehicleID: "*", isReadOnly: true)
        for call in RoleTableTests.all {
            let isAllowed = RoleTable.decision(reader, call) == .allowed
            let reads: Set<EngineRPC> = [.getTrip, .searchTrips, .getVehicle, .listVehicles, .searchVehicles]
            #expect(isAllowed == reads.contains(call.rpc), "\(call)")
        }
    }

    @Test("a refusal says which right or id is missing")
    func reasons() {
        func reason(_ role: AccountRole, _ claims: DeliveryClaims, _ call: DeliveryCall, isReadOnly: Bool = false) -> AccessDecision {
            RoleTable.decision(AccessGrant(role: role, deliveries: claims, isReadOnly: isReadOnly), .delivery(call))
        }
        let (own, van) = (DeliveryClaims(trackingID: "own", vehicleID: "own"), Self.van("own"))
        #expect(reason(.consumer, own, .getTrackingInfo(Self.shipment("other"))) == .denied("the token is not for this shipment"))
        #expect(reason(.consumer, own, .getTask(Self.task("own"))) == .denied("a consumer account is not allowed to call GetTask"))
        #expect(reason(.driver, own, .getVehicle(Self.van("other"))) == .denied("the token is not for this delivery vehicle"))
        #expect(
            reason(.driver, own, .updateVehicle(van, trustedField: "attributes"))
                == .denied("a driver's token needs the claim 'taskid', 'taskids' or 'trusted' to change attributes"))
        #expect(
            reason(.driver, own, .createTask(Self.task("own")))
                == .denied("a driver's token needs the claim 'taskid', 'taskids' or 'trusted' to call CreateTask"))
        #expect(reason(.server, own, .listTasks) == .denied("the token does not cover all tasks"))
        #expect(
            reason(.server, .everything, .deleteTask(Self.task("own"))) == .denied("a server account is not allowed to call DeleteTask"))
        #expect(
            reason(.server, .everything, .createTask(Self.task("own")), isReadOnly: true)
                == .denied("the token is read-only and is not allowed to call CreateTask"))
    }

    @Test("a call is refused before its ids are known only if the token allows no call of this RPC", arguments: AccountRole.allCases)
    func denials(role: AccountRole) {
        let calls = RoleTableTests.all + Self.all.map(EngineCall.delivery)
        var cases: [(isReadOnly: Bool, claims: DeliveryClaims)] = [(false, .everything), (true, .everything)]
        if role == .driver { cases.append((false, DeliveryClaims(vehicleID: "*"))) }
        for (isReadOnly, claims) in cases {
            let grant = AccessGrant(role: role, tripID: "*", vehicleID: "*", deliveries: claims, isReadOnly: isReadOnly)
            for rpc in EngineRPC.allCases {
                let isAllowed = calls.contains {
                    $0.rpc == rpc && RoleTable.decision(grant, $0, tripVehicle: "v1", taskVehicle: "own") == .allowed
                }
                #expect((RoleTable.denial(grant, of: rpc) == nil) == isAllowed, "\(rpc.name)")
            }
        }
    }

    @Test("the engine is asked for a task's vehicle only for an update by a trusted driver whose token names no task")
    func lookUps() {
        for row in Self.rows {
            for call in Self.all {
                let asked = RoleTable.taskToLookUp(AccessGrant(role: row.role, deliveries: row.claims), .delivery(call))
                let claims = row.claims
                let isOwn = row.role == .driver && claims.isTrusted && claims.taskID == nil && claims.vehicleID != nil
                guard isOwn, case .updateTask(let task) = call else {
                    #expect(asked == nil, "\(row.testDescription) \(call)")
                    continue
                }
                #expect(asked == task)
            }
        }
    }
}
