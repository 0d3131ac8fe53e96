import FoundationEssentials

/// The scheme, host and port of a web address, as browsers compare them.
public struct WebOrigin: Hashable, Sendable {
    let isSecure: Bool
    /// The host in lower case; an IPv6 address has no brackets here.
    let host: String
    let port: Int

    /// Creates an origin; nil unless the text is an http or https URL with a host and without a user name. Path and query are ignored.
    public init?(_ text: String) {
        guard let url = URL(string: text), let scheme = url.scheme?.lowercased(), scheme == "http" || scheme == "https",
            let host = url.host(), !host.isEmpty, url.user() == nil
        else { return nil }
        isSecure = scheme == "https"
        self.host = Self.bare(host)
        port = url.port ?? (isSecure ? 443 : 80)
    }

    /// The origin as a web address, such as `https://rides.example`.
    var text: String {
        let host = host.contains(":") ? "[\(host)]" : host
        return (isSecure ? "https://" : "http://") + host + (port == (isSecure ? 443 : 80) ? "" : ":\(port)")
    }

    /// Returns the host in a `Host` header, without its port; nil if the header does not name a host.
    package static func host(ofAuthority authority: String) -> String? {
        var host = Substring(authority)
        if host.hasPrefix("[") {
            guard let end = host.firstIndex(of: "]") else { return nil }
            let rest = host[host.index(after: end)...]
            guard isPort(rest) else { return nil }
            host = host[host.index(after: host.startIndex)..<end]
        } else if let colon = host.firstIndex(of: ":") {
            guard isPort(host[colon...]) else { return nil }
            host = host[..<colon]
        }
        return host.isEmpty ? nil : host.lowercased()
    }

    /// Whether the text is empty, or a colon with any number of digits after it, such as `:8080`.
    private static func isPort(_ text: Substring) -> Bool {
        text.isEmpty || text.first == ":" && text.dropFirst().utf8.allSatisfy { (0x30...0x39).contains($0) }
    }

    private static func bare(_ host: String) -> String {
        let host = host.lowercased()
        return host.hasPrefix("[") && host.hasSuffix("]") ? String(host.dropFirst().dropLast()) : host
    }
}
