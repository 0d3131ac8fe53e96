import FleetEngineAccess
import Hummingbird

/// Requires a key and its right from callers of the provider API, before anything is looked up. The engine's own paths check tokens
/// themselves, and those of phones check the key of their car.
struct DeskKeyCheck: RouterMiddleware {
    let gate: AccessGate

    func handle(
        _ request: Request, context: BasicRequestContext,
        next: (Request, BasicRequestContext) async throws -> Response
    ) async throws -> Response {
        let need = DeskPath.need(of: request.method.rawValue, path: request.uri.path)
        if need == .open { return try await next(request, context) }
        guard let key = gate.deskKey(authorization: request.headers[.authorization]) else {
            var refusal = ProviderServer.message("this desk wants its key: Authorization: Bearer KEY", .unauthorized)
            refusal.headers[.wwwAuthenticate] = "Bearer"
            return refusal
        }
        if let missing = need.missing(in: key.rights) {
            return ProviderServer.message(
                "this key lacks the right \(missing): ask with another key, or add it to the key's file", .forbidden)
        }
        HTTPCaller.current?.note(CallSource.Name(account: CallSource.Name.providerAPI, keyID: key.name))
        return try await next(request, context)
    }
}
