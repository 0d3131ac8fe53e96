import FleetEngine
import NIOCore

/// The host names of a server, and the web pages that may use it.
///
/// A web page can make its own host name point to this machine, and then read the server's answers as if they were its own. A request that
/// names a host other than the server's is therefore refused.
public struct HostAccess: Sendable {
    /// The server's public address, for example behind a proxy; nil if only the address on which it listens is used.
    public var publicURL: WebOrigin?
    /// The path below ``publicURL`` at which a proxy makes the server available, such as `/rides`; empty if there is no such path.
    public var publicPath: String
    /// The origins of other web pages that may use the server.
    public var allowedOrigins: Set<WebOrigin>

    /// The public address with its path, without a trailing slash; nil if the server has no public address.
    package var publicAddress: String? { publicURL.map { $0.text + publicPath } }

    /// Allows the given address and pages, in addition to the server's own address and the pages of this machine.
    public init(publicURL: WebOrigin? = nil, publicPath: String = "", allowedOrigins: Set<WebOrigin> = []) {
        self.publicURL = publicURL
        self.publicPath = publicPath.hasSuffix("/") ? String(publicPath.dropLast()) : publicPath
        self.allowedOrigins = allowedOrigins
    }

    /// Whether the host in a request is a name of this server.
    ///
    /// - Parameter listening: the address at which the server listens; `0.0.0.0` and `::` stand for every address of this machine.
    package func knows(host: String, listening: String) -> Bool {
        if LoopbackHost.contains(host) || host == publicURL?.host { return true }
        guard let address = Self.address(host) else { return false }
        if address == listening { return true }
        return ["0.0.0.0", "::"].contains(listening) && Self.ownAddresses().contains(address)
    }

    /// Whether a page may use the server. The page must come from this machine, from the server's own address, or from an allowed origin.
    ///
    /// - Parameter authority: the host and port in the request. The caller has already checked the host with `knows(host:listening:)`.
    ///   Empty if the request names no host.
    package func allows(origin: String, authority: String) -> Bool {
        guard let page = WebOrigin(origin) else { return false }
        // The address may be https in front of a proxy and http behind the proxy.
        let own = WebOrigin((page.isSecure ? "https://" : "http://") + authority)
        return LoopbackHost.contains(page.host) || page == own || page == publicURL || allowedOrigins.contains(page)
    }

    /// Returns an IP address in its usual form; nil for a host name.
    private static func address(_ host: String) -> String? { (try? SocketAddress(ipAddress: host, port: 0))?.ipAddress }

    /// Returns the addresses at which other machines may reach this machine.
    package static func outsideAddresses() -> [String] {
        ownAddresses().filter { !LoopbackHost.contains($0) && !$0.lowercased().hasPrefix("fe80:") }
    }

    private static func ownAddresses() -> [String] {
        ((try? System.enumerateDevices()) ?? []).compactMap { $0.address?.ipAddress }
    }
}
