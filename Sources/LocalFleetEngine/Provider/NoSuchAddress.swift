import Hummingbird

/// Answers a request to an unknown address with 404 and one sentence of explanation.
struct NoSuchAddress<Context: RequestContext>: RouterMiddleware {
    func handle(_ request: Request, context: Context, next: (Request, Context) async throws -> Response) async throws -> Response {
        do {
            return try await next(request, context)
        } catch let error as HTTPError where error.status == .notFound {
            return ProviderServer.message("this address does not exist, or does not accept \(request.method.rawValue)", .notFound)
        }
    }
}
