import FleetEngineAPI
import GRPCCore
import SwiftProtobuf

/// `maps.fleetengine.v1.TripService` on a local engine.
///
/// Provider and ids are read from names in the messages, never from headers; metadata is not looked at.
struct TripService: WireTripService.SimpleServiceProtocol {
    private let engine: LocalFleetEngine

    init(engine: LocalFleetEngine) { self.engine = engine }

    func createTrip(request: WireCreateTripRequest, context: ServerContext) async throws -> WireTrip {
        try await Answering.with { try await engine.createTrip(request) }
    }

    func getTrip(request: WireGetTripRequest, context: ServerContext) async throws -> WireTrip {
        try await Answering.with { try await engine.getTrip(request) }
    }

    func updateTrip(request: WireUpdateTripRequest, context: ServerContext) async throws -> WireTrip {
        try await Answering.with { try await engine.updateTrip(request) }
    }

    func searchTrips(request: WireSearchTripsRequest, context: ServerContext) async throws -> WireSearchTripsResponse {
        try await Answering.with { try await engine.searchTrips(request) }
    }

    func reportBillableTrip(
        request: WireReportBillableTripRequest, context: ServerContext
    ) async throws -> Google_Protobuf_Empty {
        try await Answering.with { try await engine.reportBillableTrip(request) }
        return Google_Protobuf_Empty()
    }

    func deleteTrip(request: WireDeleteTripRequest, context: ServerContext) async throws -> Google_Protobuf_Empty {
        try await Answering.with { try await engine.deleteTrip(request) }
        return Google_Protobuf_Empty()
    }
}
