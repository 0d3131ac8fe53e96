import FleetEngine
import HTTPServing
import Hummingbird
import NIOCore

/// Refuses requests for an unknown host name, and requests from web pages whose origin is not allowed. Sends CORS headers, so
/// that browsers let allowed pages read the answers.
struct DeskAccessCheck: RouterMiddleware {
    let access: HostAccess
    let listening: String

    func handle(
        _ request: Request, context: BasicRequestContext,
        next: (Request, BasicRequestContext) async throws -> Response
    ) async throws -> Response {
        // A request without a host name is let through: clients of HTTP/1.0 send none, and every browser sends one.
        let authority = request.head.authority
        let isKnown = authority.map { WebOrigin.host(ofAuthority: $0).map { access.knows(host: $0, listening: listening) } ?? false }
        guard isKnown ?? true else {
            return refusal(
                request, "this server does not accept this host name: use the server's address, or start the server with --public-url",
                .misdirectedRequest)
        }
        guard let origin = request.headers[.origin] else { return try await next(request, context) }
        guard access.allows(origin: origin, authority: authority ?? "") else {
            return refusal(
                request, "pages from this origin are not allowed to use this server: start the server with --allow-origin ORIGIN",
                .forbidden)
        }
        var response = request.method == .options ? Response(status: .noContent) : try await next(request, context)
        response.headers[.accessControlAllowOrigin] = origin
        response.headers[.accessControlAllowCredentials] = "true"
        response.headers[.vary] = "Origin"
        if request.method == .options {
            response.headers[.accessControlAllowMethods] = "GET, POST, PUT, PATCH, DELETE, OPTIONS"
            response.headers[.accessControlAllowHeaders] = "Content-Type, Access-Control-Allow-Headers, Authorization, X-Requested-With"
            response.headers[.accessControlMaxAge] = "3600"
        }
        return response
    }

    /// Returns the refusal in the format of the API that the request is for.
    private func refusal(_ request: Request, _ words: String, _ status: HTTPResponse.Status) -> Response {
        guard request.uri.path == "/v1" || request.uri.path.hasPrefix("/v1/") else { return ProviderServer.message(words, status) }
        let error = FleetEngineError(code: status == .forbidden ? .permissionDenied : .failedPrecondition, message: words)
        let body = RESTErrorBody(RESTRefusal(httpStatus: status.code, error: error)).data
        return Response(
            status: status, headers: [.contentType: "application/json; charset=UTF-8"], body: .init(byteBuffer: ByteBuffer(bytes: body)))
    }
}
