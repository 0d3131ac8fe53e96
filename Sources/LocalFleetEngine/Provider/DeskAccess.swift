import FleetEngine
import FoundationEssentials
import Hummingbird
import NIOCore

/// Under which names the desk answers, and which web pages may ask it.
///
/// A page from anywhere can have its own name point at this machine and then read what it asks for as its own; so a name that is not the
/// desk's gets no answer.
public struct DeskAccess: Sendable {
    /// Where the desk is reached from outside, when not by its own address: behind a proxy, or by name.
    public var publicURL: WebOrigin?
    /// The path below which a proxy at ``publicURL`` has the desk, as in `/rides`; empty for none.
    public var publicPath: String
    /// Pages from elsewhere that may use the desk.
    public var allowedOrigins: Set<WebOrigin>

    /// The address to hand out, without a slash at its end; nil where there is none but the desk's own.
    package var publicAddress: String? { publicURL.map { $0.text + publicPath } }

    /// Access by the desk's own address and for the pages of this machine alone, unless more is given.
    public init(publicURL: WebOrigin? = nil, publicPath: String = "", allowedOrigins: Set<WebOrigin> = []) {
        self.publicURL = publicURL
        self.publicPath = publicPath.hasSuffix("/") ? String(publicPath.dropLast()) : publicPath
        self.allowedOrigins = allowedOrigins
    }

    /// Whether the desk goes by the host of a request.
    ///
    /// - Parameter listening: the address that the desk listens on; `0.0.0.0` and `::` stand for every address of this machine.
    package func knows(host: String, listening: String) -> Bool {
        if LoopbackHost.contains(host) || host == publicURL?.host { return true }
        guard let address = Self.address(host) else { return false }
        if address == listening { return true }
        return ["0.0.0.0", "::"].contains(listening) && Self.ownAddresses().contains(address)
    }

    /// Whether a page may use the desk: one of this machine, one that the desk's own address has served, or one that was named.
    ///
    /// - Parameter authority: the request's own host and port, the host known to the desk.
    package func allows(origin: String, authority: String) -> Bool {
        guard let page = WebOrigin(origin) else { return false }
        // In front of a proxy the same address may be https, behind it it is not.
        let own = WebOrigin((page.isSecure ? "https://" : "http://") + authority)
        return LoopbackHost.contains(page.host) || page == own || page == publicURL || allowedOrigins.contains(page)
    }

    /// An IP address in its usual form; nil for a name.
    private static func address(_ host: String) -> String? { (try? SocketAddress(ipAddress: host, port: 0))?.ipAddress }

    /// The addresses at which other machines may reach this one.
    package static func outsideAddresses() -> [String] {
        ownAddresses().filter { !LoopbackHost.contains($0) && !$0.lowercased().hasPrefix("fe80:") }
    }

    private static func ownAddresses() -> [String] {
        ((try? System.enumerateDevices()) ?? []).compactMap { $0.address?.ipAddress }
    }
}

/// Turns away requests under a name that is not the desk's, and pages from elsewhere; tells browsers what the others may do (CORS), as the
/// sample provider tells all pages.
struct DeskAccessCheck: RouterMiddleware {
    let access: DeskAccess
    let listening: String

    func handle(
        _ request: Request, context: BasicRequestContext,
        next: (Request, BasicRequestContext) async throws -> Response
    ) async throws -> Response {
        // Clients of HTTP/1.0 name no host; no browser leaves it out.
        let authority = request.head.authority
        let isKnown = authority.map { WebOrigin.host(ofAuthority: $0).map { access.knows(host: $0, listening: listening) } ?? false }
        guard isKnown ?? true else {
            return refusal(
                request, "this server does not go by that name: ask its address, or start it with --public-url", .misdirectedRequest)
        }
        guard let origin = request.headers[.origin] else { return try await next(request, context) }
        guard access.allows(origin: origin, authority: authority ?? "") else {
            return refusal(request, "pages of this origin may not use this server: see --allow-origin", .forbidden)
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

    /// In the form of the face that was asked.
    private func refusal(_ request: Request, _ words: String, _ status: HTTPResponse.Status) -> Response {
        guard request.uri.path == "/v1" || request.uri.path.hasPrefix("/v1/") else { return ProviderServer.message(words, status) }
        let error = FleetEngineError(code: status == .forbidden ? .permissionDenied : .failedPrecondition, message: words)
        let body = RESTErrorBody(RESTRefusal(httpStatus: status.code, error: error)).data
        return Response(
            status: status, headers: [.contentType: "application/json; charset=UTF-8"], body: .init(byteBuffer: ByteBuffer(bytes: body)))
    }
}
