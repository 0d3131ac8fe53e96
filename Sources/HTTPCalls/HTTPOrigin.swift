import FleetEngine
package import FoundationEssentials

/// Scheme, host and port of a URL. Decisions about trust and secrets apply to an origin as a whole. The only exception is a redirect from
/// http to https on the same host, which may change the port; see ``mayRedirect(to:)``.
package struct HTTPOrigin: Hashable, Sendable, CustomStringConvertible {
    package let scheme: String
    package let host: String
    package let port: Int

    /// Creates the origin of a URL; nil if the URL is not http or https, has no host, or has an invalid port.
    package init?(_ url: URL) {
        guard let scheme = url.scheme?.lowercased(), scheme == "http" || scheme == "https", let host = url.host(), !host.isEmpty else {
            return nil
        }
        let port = url.port ?? (scheme == "https" ? 443 : 80)
        guard (1...65_535).contains(port) else { return nil }
        self.scheme = scheme
        self.host = host.lowercased()
        self.port = port
    }

    /// Whether the origin uses TLS or is on this machine.
    package var isSecure: Bool { scheme == "https" || LoopbackHost.contains(host) }

    /// Whether a redirect from this origin to `other` stays on the same server: either the origin does not change, or the redirect goes
    /// from http to https on the same host.
    package func mayRedirect(to other: HTTPOrigin) -> Bool {
        other == self || scheme == "http" && other.scheme == "https" && other.host == host
    }

    /// The scheme and the host, such as `https://rides.example`, with the port if it is not the default port.
    package var description: String {
        let shown = ForeignText.line(host.contains(":") && !host.hasPrefix("[") ? "[\(host)]" : host, limit: 100)
        return "\(scheme)://\(shown)" + (port == (scheme == "https" ? 443 : 80) ? "" : ":\(port)")
    }

    /// Returns the part of `text` between `://` and the path; empty if `text` does not contain `://`.
    package func authority(in text: String) -> Substring {
        guard let start = text.firstRange(of: "://")?.upperBound else { return "" }
        return text[start...].prefix { $0 != "/" && $0 != "?" && $0 != "#" }
    }
}
