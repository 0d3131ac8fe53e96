import FleetEngine
import FoundationEssentials
package import VectorTiles

/// The address of a base map on the network: a template for the addresses of tiles, or the address of a TileJSON or a PMTiles archive.
///
/// The description has only the scheme and the host, because paths and queries may hold keys.
public struct MapAddress: Hashable, Sendable, CustomStringConvertible {
    enum Kind: Hashable, Sendable {
        case template(TileTemplate)
        case tileJSON(WebURL)
        case archive(WebURL)
    }

    let kind: Kind
    /// Host of the server that gets the first request, with the port unless it is the default port.
    public let host: String
    /// Scheme and host, as shown to users.
    public let description: String

    /// The vector tiles of OpenStreetMap, in the Shortbread schema (https://vector.openstreetmap.org). The program follows their usage
    /// policy.
    public static let openStreetMap = "https://vector.openstreetmap.org/shortbread_v1/{z}/{x}/{y}.mvt"

    /// Reads an http or https address. An address with braces is a template; it must contain `{z}`, `{x}`, and `{y}` or `{-y}`. An address
    /// whose path ends in `.pmtiles` leads to an archive, and any other address to a TileJSON.
    public init(_ text: String) throws(MapAddressError) {
        let text = TileTemplate.unescaped(text)
        let plain = text.filter { $0 != "{" && $0 != "}" }
        guard let url = WebURL(plain) else {
            throw MapAddressError(description: "it is not an http or https address, or it contains a user name or password")
        }
        (host, description) = (url.shownHost, url.shownOrigin)
        if text.contains(where: { $0 == "{" || $0 == "}" }) {
            guard let template = TileTemplate(text) else {
                throw MapAddressError(description: "it must have {z}, {x} and {y} or {-y} after the host, and nothing else in braces")
            }
            kind = .template(template)
        } else if url.path.hasSuffix(".pmtiles") {
            kind = .archive(url)
        } else {
            // Many servers offer a TileJSON at an address that does not end in .json. Only the content shows whether it is a TileJSON.
            kind = .tileJSON(url)
        }
    }
}

/// The reason an address of a map cannot be used.
public struct MapAddressError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The reason as a clause. It does not repeat the address.
    public let description: String
}

/// An http or https address with a host, and without a user name and password.
package struct WebURL: Hashable, Sendable {
    /// Largest length of an address, in bytes.
    static let maximumByteCount = 8_192

    /// The address without a fragment.
    let text: String
    /// The scheme in lower case.
    let scheme: String
    let host: String
    let port: Int
    let path: String

    package init?(_ text: String) {
        guard text.utf8.count <= Self.maximumByteCount, text.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7f }) else { return nil }
        let text = String(text.prefix { $0 != "#" })
        guard let url = URL(string: text), let scheme = url.scheme?.lowercased(), scheme == "http" || scheme == "https",
            let host = url.host()?.lowercased(), !host.isEmpty, url.user() == nil, url.password() == nil
        else { return nil }
        let port = url.port ?? (scheme == "https" ? 443 : 80)
        guard (1...65_535).contains(port) else { return nil }
        self.text = text
        self.scheme = scheme
        self.host = host
        self.port = port
        path = url.path()
    }

    /// The host for messages to users, with the port unless it is the default port.
    var shownHost: String {
        let name = ForeignText.line(host.contains(":") && !host.hasPrefix("[") ? "[\(host)]" : host, limit: 100)
        return port == (scheme == "https" ? 443 : 80) ? name : "\(name):\(port)"
    }

    var shownOrigin: String { "\(scheme)://\(shownHost)" }

    /// Returns the address to which a redirect leads; nil if it is not usable, or if the redirect leads from https to http.
    package func redirected(to location: String) -> WebURL? {
        guard let base = URL(string: text), let target = URL(string: location, relativeTo: base)?.absoluteURL,
            let url = WebURL(target.absoluteString), scheme == "http" || url.scheme == "https"
        else { return nil }
        return url
    }
}

/// A template for the addresses of tiles, with placeholders for zoom, column and row.
package struct TileTemplate: Hashable, Sendable {
    private let text: String
    /// Whether rows are counted from the south.
    private let isTMS: Bool

    /// A name that identifies the map's tiles in the store. It includes any keys in the address.
    var name: String { isTMS ? "tms " + text : text }

    /// - Parameter isTMS: whether the rows for `{y}` are counted from the south. Rows for `{-y}` are always counted from the south.
    init?(_ text: String, isTMS: Bool = false) {
        let text = Self.unescaped(text)
        let filled = Self.filled(text, ["1", "1", "1", "1"])
        let hasAll = text.contains("{z}") && text.contains("{x}") && (text.contains("{y}") || text.contains("{-y}"))
        guard hasAll, !filled.contains("{"), !filled.contains("}"), let url = WebURL(filled),
            let other = WebURL(Self.filled(text, ["2", "3", "4", "5"])), url.shownOrigin == other.shownOrigin
        else { return nil }
        (self.text, self.isTMS) = (text, isTMS)
    }

    /// Returns the text with unescaped braces and without `{r}`, which only raster tiles use.
    static func unescaped(_ text: String) -> String {
        [("%7B", "{"), ("%7b", "{"), ("%7D", "}"), ("%7d", "}"), ("{r}", "")].reduce(text) { $0.replacing($1.0, with: $1.1) }
    }

    private static func filled(_ text: String, _ values: [String]) -> String {
        zip(["{z}", "{x}", "{y}", "{-y}"], values).reduce(text) { $0.replacing($1.0, with: $1.1) }
    }

    package func url(of id: TileID) -> WebURL? {
        let fromSouth = (1 << id.zoom) - 1 - id.y
        return WebURL(Self.filled(text, ["\(id.zoom)", "\(id.x)", "\(isTMS ? fromSouth : id.y)", "\(fromSouth)"]))
    }
}
