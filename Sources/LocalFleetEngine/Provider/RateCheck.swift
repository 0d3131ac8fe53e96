import FleetEngine
import FleetEngineAccess
import HTTPServing
import Hummingbird

/// Refuses a request from an address that is above its rate limit, before the request's body is read. Calls of Fleet Engine's
/// own API are counted separately, for each token. Health checks are not counted, because a refusal would look like a failure.
struct RateCheck: RouterMiddleware {
    let rate: CallRate<Caller>

    func handle(
        _ request: Request, context: BasicRequestContext,
        next: (Request, BasicRequestContext) async throws -> Response
    ) async throws -> Response {
        let path = request.uri.path
        let isCounted = path != "/v1" && !path.hasPrefix("/v1/") && !DeskPath.healthChecks.contains(path)
        if isCounted, let address = HTTPCaller.current?.source.address {
            do throws(FleetEngineError) {
                try rate.take(.address(address))
            } catch {
                return ProviderServer.refusal(error)
            }
        }
        return try await next(request, context)
    }
}
