import FoundationEssentials

/// The parts of an http or https address. They are used to check a setting before the program connects.
struct WebAddress: Hashable {
    /// A host and its port.
    struct Authority: Hashable {
        /// The host, without the brackets of an IPv6 address.
        let host: String
        /// The port; nil for the default.
        let port: Int?

        /// Parses `HOST:PORT`, `HOST` or `[IPv6]:PORT`. An IPv6 address without a port needs no brackets.
        init?(_ text: some StringProtocol) {
            guard text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f }) else { return nil }
            var host = String(text)
            var port: String?
            if host.hasPrefix("["), let end = host.firstIndex(of: "]") {
                let rest = host[host.index(after: end)...]
                guard rest.isEmpty || rest.hasPrefix(":") else { return nil }
                port = rest.isEmpty ? nil : String(rest.dropFirst())
                host = String(host[..<end].dropFirst())
            } else if let colon = host.firstIndex(of: ":"), host.lastIndex(of: ":") == colon {
                port = String(host[host.index(after: colon)...])
                host = String(host[..<colon])
            }
            let number = port.flatMap(Int.init)
            guard (1...255).contains(host.utf8.count), !host.contains(where: { "/[]@?#".contains($0) }),
                port == nil || number.map({ (1...65_535).contains($0) }) == true
            else { return nil }
            (self.host, self.port) = (host, number)
        }
    }

    /// Maximum length of an address, in bytes.
    private static let maximumLength = 8_192

    let isSecure: Bool
    let authority: Authority
    /// Path, query and fragment.
    let rest: Substring

    /// Returns nil unless the text is an http or https address that has a host and no user name or password.
    init?(_ text: String) {
        guard text.utf8.count <= Self.maximumLength, text.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7f }),
            let scheme = ["https://", "http://"].first(where: { text.lowercased().hasPrefix($0) })
        else { return nil }
        let afterScheme = text.dropFirst(scheme.count)
        let name = afterScheme.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        let plain = text.filter { $0 != "{" && $0 != "}" }
        guard let authority = Authority(name), URL(string: plain)?.host() != nil else { return nil }
        isSecure = scheme == "https://"
        self.authority = authority
        rest = afterScheme[name.endIndex...]
    }
}
