import FleetEngine
import FleetEngineAPI
import GRPCCore
import GRPCServing
import NIOCore
import SwiftProtobuf

/// The gRPC methods of `grpc.health.v1.Health`. Each of Fleet Engine's services reports the health of the whole server.
struct HealthMethods {
    private static let services: Set<String> = [
        "", WireTripService.descriptor.fullyQualifiedService, WireVehicleService.descriptor.fullyQualifiedService,
        WireDeliveryService.descriptor.fullyQualifiedService,
    ]
    /// Maximum size of a message, in bytes. A service's name fits within it. The limit is low because these calls need no token.
    private static let messageBytes = 4_096
    let health: ServerHealth

    /// Methods by path.
    var all: [String: GRPCMethod] {
        let (health, service) = (health, WireHealth.descriptor.fullyQualifiedService)
        return [
            "/\(service)/Check": GRPCMethod.unary { _, message in
                guard Self.services.contains(try Self.service(message)) else {
                    throw FleetEngineError(code: .notFound, message: "this server has no such service")
                }
                return try Self.answer(health.trouble == nil ? .serving : .notServing)
            }.taking(messageBytes: Self.messageBytes),
            "/\(service)/Watch": GRPCMethod.serverStreaming { message, tell in
                try await Self.watch(health, isKnown: Self.services.contains(try Self.service(message)), tell)
            }.taking(messageBytes: Self.messageBytes),
        ]
    }

    /// Reports the health and each of its changes, until the server shuts down or the client disconnects. Reports an unknown service as
    /// unknown, as the protocol requires.
    private static func watch(_ health: ServerHealth, isKnown: Bool, _ tell: @Sendable (ByteBuffer) -> Void) async throws {
        var told: WireHealthCheckResponse.ServingStatus?
        for await _ in health.changes() {
            // The flag is read before the report is sent, so that a shutdown during the report is treated as another change.
            let isEnding = health.isEnding
            let now: WireHealthCheckResponse.ServingStatus =
                isKnown ? health.trouble == nil ? .serving : .notServing : .serviceUnknown
            if now != told { tell(try answer(now)) }
            told = now
            if isEnding { return }
        }
    }

    private static func service(_ message: ByteBuffer) throws(FleetEngineError) -> String {
        do {
            return try WireHealthCheckRequest(serializedBytes: Array(buffer: message)).service
        } catch {
            throw FleetEngineError(code: .invalidArgument, message: "the message is not a valid \(WireHealthCheckRequest.protoMessageName)")
        }
    }

    private static func answer(_ status: WireHealthCheckResponse.ServingStatus) throws -> ByteBuffer {
        ByteBuffer(grpcMessage: try WireHealthCheckResponse.with { $0.status = status }.serializedBytes())
    }
}
