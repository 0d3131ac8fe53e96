import FleetEngine
import FleetEngineAccess
import HTTPServing
import Hummingbird

/// Checks that a request to the provider API has a key with the necessary rights. The front page and health checks need no such key. Fleet
/// Engine's own paths and the reports of phones do not need one either: their handlers check the token or the phone's key.
struct DeskKeyCheck: RouterMiddleware {
    let gate: AccessGate
    let doors: SecretDoors
    let rate: CallRate<Caller>?

    func handle(
        _ request: Request, context: BasicRequestContext,
        next: (Request, BasicRequestContext) async throws -> Response
    ) async throws -> Response {
        let need = DeskPath.need(of: request.method.rawValue, path: request.uri.path)
        if need == .open { return try await next(request, context) }
        let authorization = request.headers[.authorization]
        let shown = gate.deskKey(authorization: authorization)
        if let authorization, let refusal = doors.refusal(of: authorization, isRight: shown != nil, at: .provider) { return refusal }
        guard let key = shown else {
            var refusal = ProviderServer.message("the provider API needs a key: send Authorization: Bearer KEY", .unauthorized)
            refusal.headers[.wwwAuthenticate] = "Bearer"
            return refusal
        }
        HTTPCaller.current?.note(CallSource.Name(account: CallSource.Name.providerAPI, keyID: key.name))
        // The rate limit applies to the key: all requests with this key share it, even if they come from several addresses.
        do throws(FleetEngineError) {
            try rate?.take(.account(email: CallSource.Name.providerAPI, trip: key.name, vehicle: nil))
        } catch {
            return ProviderServer.refusal(error)
        }
        if let missing = need.missing(in: key.rights) {
            return ProviderServer.message(
                "this key lacks rights for this path (missing: \(missing)): use another key, or add these rights to the key's file",
                .forbidden)
        }
        return try await next(request, context)
    }
}
