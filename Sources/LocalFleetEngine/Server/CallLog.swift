import FleetEngine
import FleetEngineAPI
public import GRPCCore
import Hummingbird
public import Logging
import Synchronization

/// Writes down each call that a server answers: rpc, name, code and milliseconds. No header and no token is in it.
public struct CallLog: ServerInterceptor {
    private let log: Logger

    /// A log of calls at level `info`.
    public init(_ log: Logger) { self.log = log }

    /// Answers the call by `next`, and writes it down once it has answered or failed.
    public func intercept<Input: Sendable, Output: Sendable>(
        request: StreamingServerRequest<Input>, context: ServerContext,
        next: @Sendable (StreamingServerRequest<Input>, ServerContext) async throws -> StreamingServerResponse<Output>
    ) async throws -> StreamingServerResponse<Output> {
        let start = ContinuousClock.now
        let name = NoticedName()
        var request = request
        request.messages = RPCAsyncSequence(
            wrapping: request.messages.map { message in
                name.note(message)
                return message
            })
        do {
            let response = try await next(request, context)
            if case .failure(let error) = response.accepted {
                note(context.descriptor.method, name, Self.name(error.code), since: start)
            } else {
                note(context.descriptor.method, name, "OK", since: start)
            }
            return response
        } catch {
            let code = (error as? any RPCErrorConvertible)?.rpcErrorCode ?? (error as? RPCError)?.code ?? .unknown
            note(context.descriptor.method, name, Self.name(code), since: start)
            throw error
        }
    }

    private static func name(_ code: RPCError.Code) -> String { (StatusCode(rawValue: code.rawValue) ?? .unknown).name }

    private func note(_ rpc: String, _ name: NoticedName, _ code: String, since start: ContinuousClock.Instant) {
        var metadata: Logger.Metadata = ["rpc": "\(rpc)", "code": "\(code)", "ms": "\(milliseconds(since: start))"]
        if let name = name.value { metadata["name"] = "\(name)" }
        log.info("call", metadata: metadata)
    }
}

/// Writes down each request to the provider's desk: method, path, status and milliseconds. No header, query or token is in it.
struct RequestLog<Context: RequestContext>: RouterMiddleware {
    let log: Logger

    func handle(_ request: Request, context: Context, next: (Request, Context) async throws -> Response) async throws -> Response {
        let start = ContinuousClock.now
        do {
            let response = try await next(request, context)
            note(request, response.status.code, since: start)
            return response
        } catch {
            note(request, (error as? any HTTPResponseError)?.status.code ?? 500, since: start)
            throw error
        }
    }

    private func note(_ request: Request, _ status: Int, since start: ContinuousClock.Instant) {
        log.info(
            "request",
            metadata: [
                "method": "\(request.method)", "path": "\(request.uri.path)", "status": "\(status)", "ms": "\(milliseconds(since: start))",
            ])
    }
}

private func milliseconds(since start: ContinuousClock.Instant) -> Int { Int(((.now - start) / .milliseconds(1)).rounded()) }

/// The name of what a call is about, found when its message comes by.
private final class NoticedName: Sendable {
    private let name = Mutex<String?>(nil)

    var value: String? { name.withLock { $0 } }

    func note(_ message: some Sendable) {
        let found: String? =
            switch message {
            case let request as WireGetTripRequest: request.name
            case let request as WireUpdateTripRequest: request.name
            case let request as WireDeleteTripRequest: request.name
            case let request as WireReportBillableTripRequest: request.name
            case let request as WireCreateTripRequest: request.parent + "/trips/" + request.tripID
            case let request as WireSearchTripsRequest: request.parent
            case let request as WireGetVehicleRequest: request.name
            case let request as WireUpdateVehicleRequest: request.name
            case let request as WireUpdateVehicleAttributesRequest: request.name
            case let request as WireDeleteVehicleRequest: request.name
            case let request as WireCreateVehicleRequest: request.parent + "/vehicles/" + request.vehicleID
            case let request as WireListVehiclesRequest: request.parent
            case let request as WireSearchVehiclesRequest: request.parent
            default: nil
            }
        name.withLock { $0 = found }
    }
}
