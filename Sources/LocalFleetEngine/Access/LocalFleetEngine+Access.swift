public import FleetEngine
import FleetEngineAPI
public import FleetEngineAccess
import FleetEngineCore
import HTTPServing
import Synchronization

extension LocalFleetEngine {
    /// Checks whether a token allows at least some calls of an RPC, before the ids of a call are known.
    ///
    /// - Throws: PERMISSION_DENIED with the reason.
    static func check(_ grant: AccessGrant, mayCall rpc: EngineRPC) throws(FleetEngineError) {
        if let reason = RoleTable.denial(grant, of: rpc) { throw .denied(reason) }
    }

    /// Checks whether a token allows a call, according to the table of roles.
    ///
    /// - Throws: PERMISSION_DENIED with the reason, which does not reveal whether the trip or vehicle exists.
    public nonisolated func check(_ grant: AccessGrant, for call: EngineCall) async throws(FleetEngineError) {
        var vehicle: String?
        if let trip = RoleTable.tripToLookUp(grant, call) { vehicle = await servingVehicle(of: trip) }
        var taskVehicle: String?
        if let task = RoleTable.taskToLookUp(grant, call) { taskVehicle = await deliveryVehicle(of: task) }
        if case .denied(let reason) = RoleTable.decision(grant, call, tripVehicle: vehicle, taskVehicle: taskVehicle) {
            throw .denied(reason)
        }
    }

    /// Checks a caller's token if tokens are required, records the caller, and counts the call if calls are limited.
    ///
    /// - Parameters:
    ///   - gate: checks the tokens of calls; nil accepts every call.
    ///   - isCounted: whether the call has already been counted against the caller's rate limit.
    /// - Returns: the rights of the token; nil if no tokens are required.
    /// - Throws: UNAUTHENTICATED, PERMISSION_DENIED, RESOURCE_EXHAUSTED.
    nonisolated func grant(
        to source: inout CallSource, by gate: AccessGate?, _ authorization: String?, isCounted: Bool = false
    ) async throws(FleetEngineError) -> AccessGrant? {
        let rate = isCounted ? nil : rate
        guard let gate else {
            if let rate, let address = source.address { try rate.take(.address(address)) }
            return nil
        }
        let grant = try await grant(by: gate, authorization, rate, from: source)
        source.name(grant)
        HTTPCaller.current?.note(source.name)
        try rate?.take(Caller(grant))
        return grant
    }

    /// Checks a token, unless it was verified before. An address above its rate limit is refused before the slow check of the
    /// signature. A wrong token counts towards this limit. A token that no account of this server has signed also counts as a wrong secret.
    private nonisolated func grant(
        by gate: AccessGate, _ authorization: String?, _ rate: CallRate<Caller>?, from source: CallSource
    ) async throws(FleetEngineError) -> AccessGrant {
        if let known = gate.rememberedGrant(authorization: authorization) { return known }
        let caller = source.address.map { Caller.address($0) }
        if let caller { try rate?.check(caller) }
        do throws(FleetEngineError) {
            return try await gate.grant(authorization: authorization)
        } catch {
            if let caller { try rate?.take(caller) }
            if let authorization, await gate.isForged(authorization: authorization) { try noteForged(authorization, from: source) }
            throw error
        }
    }

    /// Counts a token that no account of this server has signed. Valid tokens are not counted, so this limit never refuses them.
    ///
    /// - Throws: RESOURCE_EXHAUSTED if too many such tokens came from the caller's address.
    private nonisolated func noteForged(_ authorization: String, from source: CallSource) throws(FleetEngineError) {
        guard case .tooMany(let seconds) = tokenDoor.verdict(on: authorization, isRight: false, at: .token, from: source) else { return }
        throw FleetEngineError(
            code: .resourceExhausted, message: "too many wrong tokens came from this address: try again in \(seconds) s",
            details: [.retryInfo(delaySeconds: Double(seconds))])
    }

    /// Returns the bare id of the vehicle to which the trip is assigned now; nil if there is no such vehicle or trip.
    private nonisolated func servingVehicle(of trip: TripName) async -> String? {
        let record = try? await read(concerns: { $0.concerns(trip, in: $1) }) { engine, now throws(FleetEngineError) in
            try engine.tripRecord(trip, now)
        }
        return record?.servingVehicle?.vehicle
    }

    /// Returns the bare id of the delivery vehicle to which the task is assigned, or was assigned when the task was closed. Nil if there is
    /// no such vehicle or task.
    private nonisolated func deliveryVehicle(of task: TaskName) async -> String? {
        try? await read(concerns: { changes, _ in changes.tasks[task] != nil }) { engine, now throws(FleetEngineError) in
            try engine.getTask(task, now: now).task.vehicleID
        }
    }
}

extension FleetEngineError {
    fileprivate static func denied(_ sentence: String) -> FleetEngineError {
        .refusedToken(.permissionDenied, sentence, reason: "IAM_PERMISSION_DENIED")
    }
}

extension WireVehicle {
    /// Removes data that this rider must not see: a rider sees a vehicle's trips, stops and attributes only if the vehicle serves the
    /// rider's own trip.
    mutating func hideTrips(from grant: AccessGrant) {
        guard RoleTable.hidesTrips(grant, currentTrips: currentTrips) else { return }
        waypoints = []
        currentTrips = []
        attributes = []
    }
}
