import FleetEngine
import FoundationEssentials
import Glibc
import Hummingbird

/// Lets web pages of this machine, and of the address that they ask, use the desk (CORS), as the sample provider lets all pages. Pages
/// from elsewhere see no answer and change nothing: anyone's page in the developer's browser could otherwise book and cancel.
struct LocalOrigins<Context: RequestContext>: RouterMiddleware {
    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        guard let origin = request.headers[.origin] else { return try await next(request, context) }
        guard Self.isAllowed(origin, host: request.head.authority) else {
            return request.method == .get
                ? try await next(request, context)
                : ProviderServer.message("pages of this origin may not use the provider's desk", .forbidden)
        }
        var response = request.method == .options ? Response(status: .noContent) : try await next(request, context)
        response.headers[.accessControlAllowOrigin] = origin
        response.headers[.accessControlAllowCredentials] = "true"
        response.headers[.vary] = "Origin"
        if request.method == .options {
            response.headers[.accessControlAllowMethods] = "GET, POST, PUT, DELETE, OPTIONS"
            response.headers[.accessControlAllowHeaders] = "Content-Type, Access-Control-Allow-Headers, Authorization, X-Requested-With"
            response.headers[.accessControlMaxAge] = "3600"
        }
        return response
    }

    private static func isAllowed(_ origin: String, host: String?) -> Bool {
        guard let url = URL(string: origin), url.scheme == "http" || url.scheme == "https", let name = url.host() else { return false }
        if LoopbackHost.contains(name) { return true }
        return isAddress(name) && URL(string: "http://\(host ?? "")")?.host() == name
    }

    /// Whether a host is given as an IP address. A name is no proof: anybody can make one that points at this machine.
    private static func isAddress(_ host: String) -> Bool {
        var (short, long) = (in_addr(), in6_addr())
        let bare = host.hasPrefix("[") && host.hasSuffix("]") ? String(host.dropFirst().dropLast()) : host
        return inet_pton(AF_INET, bare, &short) == 1 || inet_pton(AF_INET6, bare, &long) == 1
    }
}
