import FoundationEssentials
import HTTPCalls

/// The address and protocol of a router on the network: `osrm:URL` or `valhalla:URL`.
///
/// The description shows only the scheme and the host, and the port if it is not the default port. The path and the query are left out,
/// because the query may contain a key.
public struct WebRouterAddress: Hashable, Sendable, CustomStringConvertible {
    /// The protocol of a router.
    public enum Kind: String, CaseIterable, Hashable, Sendable {
        /// The HTTP API of OSRM, version 5.
        case osrm
        /// The API of Valhalla, with answers in OSRM's form.
        case valhalla

        /// The name for messages to users.
        public var name: String {
            switch self {
            case .osrm: "OSRM"
            case .valhalla: "Valhalla"
            }
        }
    }

    /// The protocol of the router.
    public let kind: Kind
    /// The URL with the path of the route service, without a slash at the end.
    let base: String
    /// The query of the address, without its question mark; empty if there is no query.
    let query: String
    /// The address in messages: `http://host:port`.
    public let description: String

    /// Creates an address. If the URL's path has no component `route`, `/route/v1/driving` is appended for OSRM, `/route` for
    /// Valhalla.
    ///
    /// Returns nil if the URL is not http or https, or if it has a user name, a password or a fragment. Also nil if it is longer than 4,096
    /// bytes, or has characters that a URL must not have.
    public init?(_ kind: Kind, url text: String) {
        guard text.utf8.count <= 4_096, text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && !"{}\"<>\\^`|".utf8.contains($0) }),
            let url = URL(string: text), let origin = HTTPOrigin(url), url.user() == nil, url.password() == nil, !text.contains("#")
        else { return nil }
        let parts = text.split(separator: "?", maxSplits: 1)
        var base = parts.first.map(String.init) ?? ""
        while base.hasSuffix("/") { base.removeLast() }
        let hasPath = url.path().split(separator: "/").contains("route")
        self.kind = kind
        self.base = hasPath ? base : base + (kind == .osrm ? "/route/v1/driving" : "/route")
        query = parts.count > 1 ? String(parts[1]) : ""
        description = "\(origin)"
    }
}
