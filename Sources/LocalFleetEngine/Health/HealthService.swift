import FleetEngineAPI
import GRPCCore
import SwiftProtobuf

/// `grpc.health.v1.Health`: the server as a whole, and each of Fleet Engine's services, which are as well as it is.
struct HealthService: WireHealth.SimpleServiceProtocol {
    private static let services: Set<String> = [
        "", WireTripService.descriptor.fullyQualifiedService, WireVehicleService.descriptor.fullyQualifiedService,
    ]
    let health: ServerHealth

    func check(request: WireHealthCheckRequest, context: ServerContext) async throws -> WireHealthCheckResponse {
        guard Self.services.contains(request.service) else {
            throw RPCError(code: .notFound, message: "this server has no such service")
        }
        return .with { $0.status = status }
    }

    /// Ends with the server or when the client leaves; a service that the server does not have is watched like the others, for it may be
    /// another server's by then.
    func watch(
        request: WireHealthCheckRequest, response: RPCWriter<WireHealthCheckResponse>, context: ServerContext
    ) async throws {
        let isKnown = Self.services.contains(request.service)
        // That a client has left does not cancel the task of its call.
        let telling = Task { try await tell(response, isKnown: isKnown) }
        try await withTaskCancellationHandler {
            try await withRPCCancellationHandler {
                try await telling.value
            } onCancelRPC: {
                // The server's end is told too, and then this ends by itself.
                if !health.isEnding { telling.cancel() }
            }
        } onCancel: {
            telling.cancel()
        }
    }

    private func tell(_ response: RPCWriter<WireHealthCheckResponse>, isKnown: Bool) async throws {
        var told: WireHealthCheckResponse.ServingStatus?
        for await _ in health.changes() {
            // Asked first: an end that comes while this is told is a change of its own.
            let isEnding = health.isEnding
            let now = isKnown ? status : .serviceUnknown
            if now != told { try await response.write(.with { $0.status = now }) }
            told = now
            if isEnding { return }
        }
    }

    private var status: WireHealthCheckResponse.ServingStatus { health.trouble == nil ? .serving : .notServing }
}
