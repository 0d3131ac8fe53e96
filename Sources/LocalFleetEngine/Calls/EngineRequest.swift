import FleetEngine
import FleetEngineAPI
import FleetEngineAccess
import FleetEngineCore
import SwiftProtobuf

/// A request that the engine answers, with its RPC, the ids that the caller's token is checked against, and the function that
/// executes it.
protocol EngineRequest: Message {
    associatedtype Answer: Message

    static var rpc: EngineRPC { get }
    /// The call and its ids, for the check of the token.
    var call: EngineCall { get }
    /// Full name of the request's trip, vehicle or task. If the request is about several of them, the full name of the provider.
    var subject: String { get }

    func carryOut(by engine: LocalFleetEngine) async throws(FleetEngineError) -> Answer

    /// Executes the call. Objects that the call creates belong to `account`.
    func carryOut(by engine: LocalFleetEngine, for account: String) async throws(FleetEngineError) -> Answer

    /// Removes from an answer the data that the caller is not allowed to see.
    static func hide(in answer: inout Answer, from grant: AccessGrant)
}

extension EngineRequest {
    static func hide(in answer: inout Answer, from grant: AccessGrant) {}

    func carryOut(by engine: LocalFleetEngine, for account: String) async throws(FleetEngineError) -> Answer {
        try await carryOut(by: engine)
    }
}

// MARK: - Trips

extension WireCreateTripRequest: EngineRequest {
    static let rpc = EngineRPC.createTrip
    var call: EngineCall { .createTrip(try? TripName(subject), vehicle: trip.vehicleID.isEmpty ? nil : trip.vehicleID) }
    var subject: String { parent + "/trips/" + tripID }

    func carryOut(by engine: LocalFleetEngine) async throws(FleetEngineError) -> WireTrip { try await engine.createTrip(self) }

    func carryOut(by engine: LocalFleetEngine, for account: String) async throws(FleetEngineError) -> WireTrip {
        try await engine.createTrip(self, account: account)
    }
}

extension WireGetTripRequest: EngineRequest {
    static let rpc = EngineRPC.getTrip
    var call: EngineCall { .getTrip(try? TripName(name)) }
    var subject: String { name }

    func carryOut(by engine: LocalFleetEngine) async throws(FleetEngineError) -> WireTrip { try await engine.getTrip(self) }
}

extension WireUpdateTripRequest: EngineRequest {
    static let rpc = EngineRPC.updateTrip
    var call: EngineCall { .updateTrip(try? TripName(name), vehicle: givenVehicle) }
    var subject: String { name }

    /// Bare id of the trip's new vehicle. Nil if the mask leaves the vehicle unchanged, or if the request removes the trip from its
    /// vehicle.
    private var givenVehicle: String? {
        guard !trip.vehicleID.isEmpty, updateMask.paths.contains(where: { UpdateMask.snakeCase($0) == TripField.vehicleID.rawValue })
        else { return nil }
        return trip.vehicleID
    }

    func carryOut(by engine: LocalFleetEngine) async throws(FleetEngineError) -> WireTrip { try await engine.updateTrip(self) }
}

extension WireSearchTripsRequest: EngineRequest {
    static let rpc = EngineRPC.searchTrips
    var call: EngineCall { .searchTrips(vehicle: vehicleID.isEmpty ? nil : vehicleID) }
    var subject: String { parent }

    func carryOut(by engine: LocalFleetEngine) async throws(FleetEngineError) -> WireSearchTripsResponse {
        try await engine.searchTrips(self)
    }
}

extension WireReportBillableTripRequest: EngineRequest {
    static let rpc = EngineRPC.reportBillableTrip
    var call: EngineCall { .reportBillableTrip(tripName) }
    var subject: String { name }

    /// The trip in the name `providers/{provider}/billableTrips/{trip}`; nil if the name has another form.
    private var tripName: TripName? {
        let parts = name.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 4, parts[0] == "providers", parts[2] == "billableTrips" else { return nil }
        return try? TripName(provider: String(parts[1]), trip: String(parts[3]))
    }

    func carryOut(by engine: LocalFleetEngine) async throws(FleetEngineError) -> Google_Protobuf_Empty {
        try await engine.reportBillableTrip(self)
        return Google_Protobuf_Empty()
    }
}

extension WireDeleteTripRequest: EngineRequest {
    static let rpc = EngineRPC.deleteTrip
    var call: EngineCall { .deleteTrip(try? TripName(name)) }
    var subject: String { name }

    func carryOut(by engine: LocalFleetEngine) async throws(FleetEngineError) -> Google_Protobuf_Empty {
        try await engine.deleteTrip(self)
        return Google_Protobuf_Empty()
    }
}

// MARK: - Vehicles

extension WireCreateVehicleRequest: EngineRequest {
    static let rpc = EngineRPC.createVehicle
    var call: EngineCall { .createVehicle(try? VehicleName(subject)) }
    var subject: String { parent + "/vehicles/" + vehicleID }

    func carryOut(by engine: LocalFleetEngine) async throws(FleetEngineError) -> WireVehicle { try await engine.createVehicle(self) }

    func carryOut(by engine: LocalFleetEngine, for account: String) async throws(FleetEngineError) -> WireVehicle {
        try await engine.createVehicle(self, account: account)
    }
}

extension WireGetVehicleRequest: EngineRequest {
    static let rpc = EngineRPC.getVehicle
    var call: EngineCall { .getVehicle(try? VehicleName(name)) }
    var subject: String { name }

    func carryOut(by engine: LocalFleetEngine) async throws(FleetEngineError) -> WireVehicle { try await engine.getVehicle(self) }

    static func hide(in answer: inout WireVehicle, from grant: AccessGrant) { answer.hideTrips(from: grant) }
}

extension WireUpdateVehicleRequest: EngineRequest {
    static let rpc = EngineRPC.updateVehicle
    var call: EngineCall { .updateVehicle(try? VehicleName(name)) }
    var subject: String { name }

    func carryOut(by engine: LocalFleetEngine) async throws(FleetEngineError) -> WireVehicle { try await engine.updateVehicle(self) }
}

extension WireUpdateVehicleAttributesRequest: EngineRequest {
    static let rpc = EngineRPC.updateVehicleAttributes
    var call: EngineCall { .updateVehicleAttributes(try? VehicleName(name)) }
    var subject: String { name }

    func carryOut(by engine: LocalFleetEngine) async throws(FleetEngineError) -> WireUpdateVehicleAttributesResponse {
        try await engine.updateVehicleAttributes(self)
    }
}

extension WireListVehiclesRequest: EngineRequest {
    static let rpc = EngineRPC.listVehicles
    var call: EngineCall { .listVehicles }
    var subject: String { parent }

    func carryOut(by engine: LocalFleetEngine) async throws(FleetEngineError) -> WireListVehiclesResponse {
        try await engine.listVehicles(self)
    }
}

extension WireSearchVehiclesRequest: EngineRequest {
    static let rpc = EngineRPC.searchVehicles
    var call: EngineCall { .searchVehicles }
    var subject: String { parent }

    func carryOut(by engine: LocalFleetEngine) async throws(FleetEngineError) -> WireSearchVehiclesResponse {
        try await engine.searchVehicles(self)
    }
}

extension WireDeleteVehicleRequest: EngineRequest {
    static let rpc = EngineRPC.deleteVehicle
    var call: EngineCall { .deleteVehicle(try? VehicleName(name)) }
    var subject: String { name }

    func carryOut(by engine: LocalFleetEngine) async throws(FleetEngineError) -> Google_Protobuf_Empty {
        try await engine.deleteVehicle(self)
        return Google_Protobuf_Empty()
    }
}
