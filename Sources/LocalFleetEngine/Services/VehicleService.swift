import FleetEngineAPI
import GRPCCore
import SwiftProtobuf

/// `maps.fleetengine.v1.VehicleService` on a local engine.
///
/// Provider and ids are read from names in the messages, never from headers; metadata is not looked at.
struct VehicleService: WireVehicleService.SimpleServiceProtocol {
    private let engine: LocalFleetEngine

    init(engine: LocalFleetEngine) { self.engine = engine }

    func createVehicle(request: WireCreateVehicleRequest, context: ServerContext) async throws -> WireVehicle {
        try await Answering.with { try await engine.createVehicle(request) }
    }

    func getVehicle(request: WireGetVehicleRequest, context: ServerContext) async throws -> WireVehicle {
        try await Answering.with { try await engine.getVehicle(request) }
    }

    func updateVehicle(request: WireUpdateVehicleRequest, context: ServerContext) async throws -> WireVehicle {
        try await Answering.with { try await engine.updateVehicle(request) }
    }

    func updateVehicleAttributes(
        request: WireUpdateVehicleAttributesRequest, context: ServerContext
    ) async throws -> WireUpdateVehicleAttributesResponse {
        try await Answering.with { try await engine.updateVehicleAttributes(request) }
    }

    func deleteVehicle(request: WireDeleteVehicleRequest, context: ServerContext) async throws -> Google_Protobuf_Empty {
        try await Answering.with { try await engine.deleteVehicle(request) }
        return Google_Protobuf_Empty()
    }

    func listVehicles(request: WireListVehiclesRequest, context: ServerContext) async throws -> WireListVehiclesResponse {
        try await Answering.with { try await engine.listVehicles(request) }
    }

    func searchVehicles(
        request: WireSearchVehiclesRequest, context: ServerContext
    ) async throws -> WireSearchVehiclesResponse {
        try await Answering.with { try await engine.searchVehicles(request) }
    }
}
