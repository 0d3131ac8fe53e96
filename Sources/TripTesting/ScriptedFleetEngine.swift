public import FleetEngineAPI
public import GRPCCore
import GRPCNIOTransportHTTP2Posix
import SwiftProtobuf

/// A real gRPC server on loopback. A test supplies the server's answers to all rpcs of Fleet Engine: any message, any error, any delay.
public final class ScriptedFleetEngine: Sendable {
    /// A function that answers a GetTrip call. `call` is the number of the call, from 1. The function throws an `RPCError` to make the call
    /// fail.
    public typealias GetTrip = @Sendable (_ request: WireGetTripRequest, _ call: Int, _ metadata: Metadata) async throws -> WireTrip

    /// A function that answers a GetTrip call. `call` is the number of the call, from 1. The function can return any bytes.
    public typealias RawGetTrip = @Sendable (_ call: Int) -> [UInt8]

    private let services: [any RegistrableRPCService]
    private let calls: CallCounts

    /// Creates a server that answers as the script says.
    public init(_ script: FleetEngineScript) {
        calls = CallCounts()
        services = [
            Trips(script: script, calls: calls), Vehicles(script: script, calls: calls), ScriptedDeliveries(script: script, calls: calls),
        ]
    }

    /// Creates a server that answers only GetTrip.
    public convenience init(getTrip: @escaping GetTrip) {
        var script = FleetEngineScript()
        script.getTrip = { request, call in try await getTrip(request, call.number, call.metadata) }
        self.init(script)
    }

    /// Creates a server that answers only GetTrip. Its answers need not be valid messages.
    public init(rawGetTrip: @escaping RawGetTrip) {
        calls = CallCounts()
        services = [RawTrips(getTrip: rawGetTrip, calls: calls)]
    }

    /// The number of GetTrip calls so far.
    public var callCount: Int { callCount(of: "GetTrip") }

    /// Returns the number of calls so far to an rpc such as `UpdateVehicle`.
    public func callCount(of rpc: String) -> Int { calls.count(of: rpc) }

    /// Listens on a free port while `body` runs.
    public func serve<Result: Sendable>(_ body: @Sendable (_ port: Int) async throws -> Result) async throws -> Result {
        let transport = HTTP2ServerTransport.Posix(address: .ipv4(host: "127.0.0.1", port: 0), transportSecurity: .plaintext)
        let server = GRPCServer(transport: transport, services: services)
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await server.serve() }
            defer { server.beginGracefulShutdown() }
            guard let port = try await transport.listeningAddress.ipv4?.port else {
                throw RPCError(code: .internalError, message: "no port")
            }
            return try await body(port)
        }
    }

    /// A service that answers GetTrip with the script's bytes exactly as they are.
    private struct RawTrips: RegistrableRPCService {
        let getTrip: RawGetTrip
        let calls: CallCounts

        func registerMethods<Transport: ServerTransport>(with router: inout RPCRouter<Transport>) {
            router.registerHandler(
                forMethod: WireTripService.Method.GetTrip.descriptor, deserializer: Bytes(), serializer: Bytes(),
                handler: { _, _ in StreamingServerResponse(single: ServerResponse(message: getTrip(calls.next("GetTrip")))) })
        }
    }

    private struct Bytes: MessageSerializer, MessageDeserializer {
        func serialize<Output: GRPCContiguousBytes>(_ message: [UInt8]) throws -> Output { Output(message) }
        func deserialize<Input: GRPCContiguousBytes>(_ bytes: Input) throws -> [UInt8] { bytes.withUnsafeBytes { Array($0) } }
    }

    private struct Trips: WireTripService.ServiceProtocol {
        let script: FleetEngineScript
        let calls: CallCounts

        func createTrip(request: ServerRequest<WireCreateTripRequest>, context: ServerContext) async throws -> ServerResponse<WireTrip> {
            try await calls.answer(script.createTrip, request, context)
        }

        func getTrip(request: ServerRequest<WireGetTripRequest>, context: ServerContext) async throws -> ServerResponse<WireTrip> {
            try await calls.answer(script.getTrip, request, context)
        }

        func updateTrip(request: ServerRequest<WireUpdateTripRequest>, context: ServerContext) async throws -> ServerResponse<WireTrip> {
            try await calls.answer(script.updateTrip, request, context)
        }

        func searchTrips(
            request: ServerRequest<WireSearchTripsRequest>, context: ServerContext
        ) async throws -> ServerResponse<WireSearchTripsResponse> {
            try await calls.answer(script.searchTrips, request, context)
        }

        func reportBillableTrip(
            request: ServerRequest<WireReportBillableTripRequest>, context: ServerContext
        ) async throws -> ServerResponse<Google_Protobuf_Empty> {
            try await calls.answer(script.reportBillableTrip, request, context)
        }

        func deleteTrip(
            request: ServerRequest<WireDeleteTripRequest>, context: ServerContext
        ) async throws -> ServerResponse<Google_Protobuf_Empty> {
            try await calls.answer(script.deleteTrip, request, context)
        }
    }

    private struct Vehicles: WireVehicleService.ServiceProtocol {
        let script: FleetEngineScript
        let calls: CallCounts

        func createVehicle(
            request: ServerRequest<WireCreateVehicleRequest>, context: ServerContext
        ) async throws -> ServerResponse<WireVehicle> {
            try await calls.answer(script.createVehicle, request, context)
        }

        func getVehicle(request: ServerRequest<WireGetVehicleRequest>, context: ServerContext) async throws -> ServerResponse<WireVehicle> {
            try await calls.answer(script.getVehicle, request, context)
        }

        func updateVehicle(
            request: ServerRequest<WireUpdateVehicleRequest>, context: ServerContext
        ) async throws -> ServerResponse<WireVehicle> {
            try await calls.answer(script.updateVehicle, request, context)
        }

        func updateVehicleAttributes(
            request: ServerRequest<WireUpdateVehicleAttributesRequest>, context: ServerContext
        ) async throws -> ServerResponse<WireUpdateVehicleAttributesResponse> {
            try await calls.answer(script.updateVehicleAttributes, request, context)
        }

        func deleteVehicle(
            request: ServerRequest<WireDeleteVehicleRequest>, context: ServerContext
        ) async throws -> ServerResponse<Google_Protobuf_Empty> {
            try await calls.answer(script.deleteVehicle, request, context)
        }

        func listVehicles(
            request: ServerRequest<WireListVehiclesRequest>, context: ServerContext
        ) async throws -> ServerResponse<WireListVehiclesResponse> {
            try await calls.answer(script.listVehicles, request, context)
        }

        func searchVehicles(
            request: ServerRequest<WireSearchVehiclesRequest>, context: ServerContext
        ) async throws -> ServerResponse<WireSearchVehiclesResponse> {
            try await calls.answer(script.searchVehicles, request, context)
        }
    }
}
