import FleetEngine
import NIOCore

/// Under which names a server answers, and which web pages may ask it.
///
/// A page from anywhere can have its own name point at this machine and then read what it asks for as its own; so a name that is not the
/// server's gets no answer.
public struct HostAccess: Sendable {
    /// Where the server is reached from outside, when not by its own address: behind a proxy, or by name.
    public var publicURL: WebOrigin?
    /// The path below which a proxy at ``publicURL`` has the server, as in `/rides`; empty for none.
    public var publicPath: String
    /// Pages from elsewhere that may use the server.
    public var allowedOrigins: Set<WebOrigin>

    /// The address to hand out, without a slash at its end; nil where there is none but the server's own.
    package var publicAddress: String? { publicURL.map { $0.text + publicPath } }

    /// Access by the server's own address and for the pages of this machine alone, unless more is given.
    public init(publicURL: WebOrigin? = nil, publicPath: String = "", allowedOrigins: Set<WebOrigin> = []) {
        self.publicURL = publicURL
        self.publicPath = publicPath.hasSuffix("/") ? String(publicPath.dropLast()) : publicPath
        self.allowedOrigins = allowedOrigins
    }

    /// Whether the server goes by the host of a request.
    ///
    /// - Parameter listening: the address that the server listens on; `0.0.0.0` and `::` stand for every address of this machine.
    package func knows(host: String, listening: String) -> Bool {
        if LoopbackHost.contains(host) || host == publicURL?.host { return true }
        guard let address = Self.address(host) else { return false }
        if address == listening { return true }
        return ["0.0.0.0", "::"].contains(listening) && Self.ownAddresses().contains(address)
    }

    /// Whether a page may use the server: one of this machine, one that the server's own address has served, or one that was named.
    ///
    /// - Parameter authority: the request's own host and port, the host known to the server.
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
