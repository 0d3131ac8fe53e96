import FleetEngineAPI
import FleetEngineAccess
public import GRPCCore
import GRPCProtobuf

extension LocalFleetEngine {
    /// All calls of both of Fleet Engine's services, for a gRPC server of any transport. No tokens are asked for.
    public nonisolated var services: [any RegistrableRPCService] { [EngineService(engine: self)] }
}

/// `maps.fleetengine.v1.TripService` and `VehicleService` on a local engine, for servers of the gRPC library.
struct EngineService: RegistrableRPCService {
    let engine: LocalFleetEngine

    func registerMethods<Transport: ServerTransport>(with router: inout RPCRouter<Transport>) {
        for rpc in EngineRPC.allCases { register(rpc.request, with: &router) }
    }

    private func register<Request: EngineRequest, Transport: ServerTransport>(
        _ request: Request.Type, with router: inout RPCRouter<Transport>
    ) {
        let service = Request.rpc.isOfTrips ? WireTripService.descriptor : WireVehicleService.descriptor
        router.registerHandler(
            forMethod: MethodDescriptor(service: service, method: Request.rpc.name, type: .unary),
            deserializer: ProtobufDeserializer<Request>(), serializer: ReplySerializer<Request.Answer>()
        ) { request, _ in
            try await Answering.with {
                let reply = try await engine.reply { try await ServerRequest(stream: request).message }
                return StreamingServerResponse(single: ServerResponse(message: reply))
            }
        }
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
