public import FleetEngineAPI
public import GRPCCore
import GRPCNIOTransportHTTP2Posix
import SwiftProtobuf
import Synchronization

/// A real gRPC server on loopback whose answers a test writes: any trip, any error, any delay.
public final class ScriptedFleetEngine: Sendable {
    /// Answers the n-th GetTrip call, counted from 1. Throw an `RPCError` to fail it.
    public typealias GetTrip = @Sendable (_ request: WireGetTripRequest, _ call: Int, _ metadata: Metadata) async throws -> WireTrip

    /// Answers the n-th GetTrip call with any bytes at all.
    public typealias RawGetTrip = @Sendable (_ call: Int) -> [UInt8]

    private let service: any RegistrableRPCService
    private let calls: CallCounter

    public init(getTrip: @escaping GetTrip) {
        let calls = CallCounter()
        self.calls = calls
        service = Trips(getTrip: getTrip, calls: calls)
    }

    public init(rawGetTrip: @escaping RawGetTrip) {
        let calls = CallCounter()
        self.calls = calls
        service = RawTrips(getTrip: rawGetTrip, calls: calls)
    }

    /// How many GetTrip calls came in.
    public var callCount: Int { calls.count }

    /// Serves while `body` runs, on a port of its own.
    public func serve<Result: Sendable>(_ body: @Sendable (_ port: Int) async throws -> Result) async throws -> Result {
        let transport = HTTP2ServerTransport.Posix(address: .ipv4(host: "127.0.0.1", port: 0), transportSecurity: .plaintext)
        let server = GRPCServer(transport: transport, services: [service])
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await server.serve() }
            defer { server.beginGracefulShutdown() }
            guard let port = try await transport.listeningAddress.ipv4?.port else {
                throw RPCError(code: .internalError, message: "no port")
            }
            return try await body(port)
        }
    }

    private final class CallCounter: Sendable {
        private let calls = Mutex(0)
        var count: Int { calls.withLock { $0 } }
        func next() -> Int {
            calls.withLock { count in
                count += 1
                return count
            }
        }
    }

    /// GetTrip without any message type between: what the script says goes onto the wire.
    private struct RawTrips: RegistrableRPCService {
        let getTrip: RawGetTrip
        let calls: CallCounter

        func registerMethods<Transport: ServerTransport>(with router: inout RPCRouter<Transport>) {
            router.registerHandler(
                forMethod: WireTripService.Method.GetTrip.descriptor, deserializer: Bytes(), serializer: Bytes(),
                handler: { _, _ in StreamingServerResponse(single: ServerResponse(message: getTrip(calls.next()))) })
        }
    }

    private struct Bytes: MessageSerializer, MessageDeserializer {
        func serialize<Output: GRPCContiguousBytes>(_ message: [UInt8]) throws -> Output { Output(message) }
        func deserialize<Input: GRPCContiguousBytes>(_ bytes: Input) throws -> [UInt8] { bytes.withUnsafeBytes { Array($0) } }
    }

    private struct Trips: WireTripService.ServiceProtocol {
        let getTrip: GetTrip
        let calls: CallCounter

        func getTrip(request: ServerRequest<WireGetTripRequest>, context: ServerContext) async throws -> ServerResponse<WireTrip> {
            ServerResponse(message: try await getTrip(request.message, calls.next(), request.metadata))
        }

        func createTrip(request: ServerRequest<WireCreateTripRequest>, context: ServerContext) async throws -> ServerResponse<WireTrip> {
            throw Self.unscripted
        }

        func updateTrip(request: ServerRequest<WireUpdateTripRequest>, context: ServerContext) async throws -> ServerResponse<WireTrip> {
            throw Self.unscripted
        }

        func searchTrips(
            request: ServerRequest<WireSearchTripsRequest>, context: ServerContext
        ) async throws -> ServerResponse<WireSearchTripsResponse> {
            throw Self.unscripted
        }

        func reportBillableTrip(
            request: ServerRequest<WireReportBillableTripRequest>, context: ServerContext
        ) async throws -> ServerResponse<Google_Protobuf_Empty> {
            throw Self.unscripted
        }

        func deleteTrip(request: ServerRequest<WireDeleteTripRequest>, context: ServerContext) async throws -> ServerResponse<
            Google_Protobuf_Empty
        > {
            throw Self.unscripted
        }

        private static let unscripted = RPCError(code: .unimplemented, message: "this server answers GetTrip only")
    }
}
