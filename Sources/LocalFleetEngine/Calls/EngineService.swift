import FleetEngineAPI
import FleetEngineAccess
public import GRPCCore
import GRPCProtobuf

extension LocalFleetEngine {
    /// All calls of both of Fleet Engine's services, for a gRPC server of any transport. No tokens are asked for.
    public nonisolated var services: [any RegistrableRPCService] { [EngineService(engine: self)] }
}

/// `maps.fleetengine.v1.TripService` and `VehicleService` on a local engine.
///
/// Provider and ids are read from names in the messages, never from headers; of the metadata only the token is looked at.
struct EngineService: RegistrableRPCService {
    let engine: LocalFleetEngine
    /// Knows the accounts whose tokens let a call through; nil lets every call through.
    var gate: AccessGate?
    /// Larger requests are refused, bytes.
    var messageBytes = ServerLimits().messageBytes

    func registerMethods<Transport: ServerTransport>(with router: inout RPCRouter<Transport>) {
        for rpc in EngineRPC.allCases { register(rpc.request, with: &router) }
    }

    private func register<Request: EngineRequest, Transport: ServerTransport>(
        _ request: Request.Type, with router: inout RPCRouter<Transport>
    ) {
        let service = Request.rpc.isOfTrips ? WireTripService.descriptor : WireVehicleService.descriptor
        router.registerHandler(
            forMethod: MethodDescriptor(service: service, method: Request.rpc.name, type: .unary),
            deserializer: LimitedDeserializer<Request>(limit: messageBytes), serializer: ReplySerializer<Request.Answer>()
        ) { request, _ in
            let authorization = gate == nil ? nil : request.metadata[stringValues: "authorization"].first { _ in true }
            return try await Answering.with {
                let reply = try await engine.reply(grant: { try await gate?.grant(authorization: authorization) }) {
                    try await ServerRequest(stream: request).message
                }
                return StreamingServerResponse(single: ServerResponse(message: reply))
            }
        }
    }
}

/// Reads a message that is not too large.
private struct LimitedDeserializer<Request: EngineRequest>: MessageDeserializer {
    /// Bytes.
    let limit: Int

    /// - Throws: RESOURCE_EXHAUSTED for a larger one, INVALID_ARGUMENT for what is none.
    func deserialize<Bytes: GRPCContiguousBytes>(_ bytes: Bytes) throws -> Request {
        let count = bytes.withUnsafeBytes { $0.count }
        guard count <= limit else {
            throw RPCError(code: .resourceExhausted, message: "a request has at most \(limit) bytes, this one \(count)")
        }
        return try ProtobufDeserializer<Request>().deserialize(bytes)
    }
}

extension EngineRPC {
    fileprivate var request: any EngineRequest.Type {
        switch self {
        case .createTrip: WireCreateTripRequest.self
        case .getTrip: WireGetTripRequest.self
        case .updateTrip: WireUpdateTripRequest.self
        case .searchTrips: WireSearchTripsRequest.self
        case .reportBillableTrip: WireReportBillableTripRequest.self
        case .deleteTrip: WireDeleteTripRequest.self
        case .createVehicle: WireCreateVehicleRequest.self
        case .getVehicle: WireGetVehicleRequest.self
        case .updateVehicle: WireUpdateVehicleRequest.self
        case .updateVehicleAttributes: WireUpdateVehicleAttributesRequest.self
        case .listVehicles: WireListVehiclesRequest.self
        case .searchVehicles: WireSearchVehiclesRequest.self
        case .deleteVehicle: WireDeleteVehicleRequest.self
        }
    }
}
