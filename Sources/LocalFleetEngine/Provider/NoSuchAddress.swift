import Hummingbird

/// Answers a request to an unknown address with one sentence, which says that the address does not exist, or does not support the method.
struct NoSuchAddress<Context: RequestContext>: RouterMiddleware {
    func handle(_ request: Request, context: Context, next: (Request, Context) async throws -> Response) async throws -> Response {
        do {
            return try await next(request, context)
        } catch let error as HTTPError where error.status == .notFound {
            return ProviderServer.message("this address does not exist, or does not accept \(request.method.rawValue)", .notFound)
        }
    }
}
