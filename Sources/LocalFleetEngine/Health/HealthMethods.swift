import FleetEngine
import FleetEngineAPI
import GRPCCore
import GRPCServing
import NIOCore
import SwiftProtobuf

/// `grpc.health.v1.Health`: the server as a whole, and each of Fleet Engine's services, which are as well as it is.
struct HealthMethods {
    private static let services: Set<String> = [
        "", WireTripService.descriptor.fullyQualifiedService, WireVehicleService.descriptor.fullyQualifiedService,
        WireDeliveryService.descriptor.fullyQualifiedService,
    ]
    /// A service's name needs no more, and no token is asked for. Bytes.
    private static let messageBytes = 4_096
    let health: ServerHealth

    /// By their paths.
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

    /// Ends with the server or when the client leaves; a service that the server does not have is watched like the others, for it may be
    /// another server's by then.
    private static func watch(_ health: ServerHealth, isKnown: Bool, _ tell: @Sendable (ByteBuffer) -> Void) async throws {
        var told: WireHealthCheckResponse.ServingStatus?
        for await _ in health.changes() {
            // Asked first: an end that comes while this is told is a change of its own.
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
            throw FleetEngineError(code: .invalidArgument, message: "the message is no \(WireHealthCheckRequest.protoMessageName)")
        }
    }

    private static func answer(_ status: WireHealthCheckResponse.ServingStatus) throws -> ByteBuffer {
        ByteBuffer(grpcMessage: try WireHealthCheckResponse.with { $0.status = status }.serializedBytes())
    }
}
