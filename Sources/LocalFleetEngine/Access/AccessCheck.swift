import FleetEngine
import FleetEngineAPI
import FleetEngineAccess
import GRPCCore
import SwiftProtobuf

/// Lets only those calls through to an engine that their tokens allow: the token first, then the role and the ids of the request.
struct AccessCheck: ServerInterceptor {
    let gate: AccessGate
    let engine: LocalFleetEngine

    func intercept<Input: Sendable, Output: Sendable>(
        request: StreamingServerRequest<Input>, context: ServerContext,
        next: @Sendable (StreamingServerRequest<Input>, ServerContext) async throws -> StreamingServerResponse<Output>
    ) async throws -> StreamingServerResponse<Output> {
        // Calls that only ask after the health of the server need no token.
        guard context.descriptor.service.fullyQualifiedService.hasPrefix("maps.fleetengine.") else {
            return try await next(request, context)
        }
        let authorization = request.metadata[stringValues: "authorization"].first { _ in true }
        let grant = try await Answering.with { try await gate.grant(authorization: authorization) }
        var request = request
        request.messages = RPCAsyncSequence(
            wrapping: request.messages.map { message in
                guard let call = EngineCall(message) else { throw RPCError(code: .unimplemented, message: "there is no such call") }
                try await Answering.with { try engine.check(grant, for: call) }
                return message
            })
        var response = try await next(request, context)
        if case .success(var contents) = response.accepted, grant.role == .consumer, Output.self == WireVehicle.self {
            let produce = contents.producer
            contents.producer = { writer in
                try await produce(RPCWriter(wrapping: HidingWriter(base: writer, grant: grant)))
            }
            response.accepted = .success(contents)
        }
        return response
    }
}

/// Writes vehicles as a rider may see them.
private struct HidingWriter<Element: Sendable>: RPCWriterProtocol {
    let base: RPCWriter<Element>
    let grant: AccessGrant

    func write(_ element: Element) async throws { try await base.write(visible(element)) }

    func write(contentsOf elements: some Sequence<Element>) async throws { try await base.write(contentsOf: elements.map(visible)) }

    private func visible(_ element: Element) -> Element {
        guard var vehicle = element as? WireVehicle else { return element }
        vehicle.hideTrips(from: grant)
        return vehicle as? Element ?? element
    }
}
