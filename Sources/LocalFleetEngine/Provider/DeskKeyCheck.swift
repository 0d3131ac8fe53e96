import FleetEngineAccess
import Hummingbird

/// Asks whoever comes to the desk for its key, before anything is looked up. The engine's own paths ask for tokens themselves, and those of
/// phones for the key of their car.
struct DeskKeyCheck: RouterMiddleware {
    /// Monitoring needs no key; the front page leaves out what is behind it.
    private static let open: Set<String> = ["/", "/healthz", "/readyz", "/v1"]
    let gate: AccessGate

    func handle(
        _ request: Request, context: BasicRequestContext,
        next: (Request, BasicRequestContext) async throws -> Response
    ) async throws -> Response {
        let path = request.uri.path
        if Self.open.contains(path) || path.hasPrefix("/v1/") || PhonePath.opens(path) { return try await next(request, context) }
        if gate.admitsToDesk(authorization: request.headers[.authorization]) {
            HTTPCaller.current?.note(CallSource.Name(account: CallSource.Name.providerAPI, keyID: "desk"))
            return try await next(request, context)
        }
        var refusal = ProviderServer.message("this desk wants its key: Authorization: Bearer KEY", .unauthorized)
        refusal.headers[.wwwAuthenticate] = "Bearer"
        return refusal
    }
}
