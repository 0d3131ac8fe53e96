import FleetEngine
import FleetEngineAccess
import Hummingbird

/// Refuses requests of an address above its rate limit, before their bodies are read. Calls of Fleet Engine's own API are counted
/// separately, by token.
struct RateCheck: RouterMiddleware {
    let rate: CallRate

    func handle(
        _ request: Request, context: BasicRequestContext,
        next: (Request, BasicRequestContext) async throws -> Response
    ) async throws -> Response {
        let path = request.uri.path
        if path != "/v1", !path.hasPrefix("/v1/"), let address = HTTPCaller.current?.source.address {
            do throws(FleetEngineError) {
                try rate.take(.address(address))
            } catch {
                return ProviderServer.refusal(error)
            }
        }
        return try await next(request, context)
    }
}
