import FoundationEssentials
import HTTPCalls

/// Where a router answers over HTTP, and what it speaks: `osrm:URL` or `valhalla:URL`.
///
/// Its description shows no query, in which a key may stand.
public struct WebRouterAddress: Hashable, Sendable, CustomStringConvertible {
    /// What a router speaks.
    public enum Kind: String, CaseIterable, Hashable, Sendable {
        /// The HTTP API of OSRM, version 5.
        case osrm
        /// Valhalla's own API, answering in OSRM's form.
        case valhalla

        /// For people.
        public var name: String {
            switch self {
            case .osrm: "OSRM"
            case .valhalla: "Valhalla"
            }
        }
    }

    /// What the router speaks.
    public let kind: Kind
    /// With the path of its routes, and no slash at the end.
    let base: String
    /// Of the address, without its question mark; empty where there is none.
    let query: String
    /// `http://host:port`.
    public let description: String

    /// An address with only scheme, host and port gets the usual path of routes (`/route/v1/driving`, `/route`), as does a path in which
    /// there is no `route`; another path is taken as it is, and so is the query.
    ///
    /// Nil for anything but an http or https URL without name, password and fragment.
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
