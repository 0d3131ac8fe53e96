/// Address at which gpsd listens.
public struct GPSDAddress: Hashable, Sendable, CustomStringConvertible {
    /// Default address of gpsd: this machine, port 2947.
    public static let standard = GPSDAddress(host: "127.0.0.1", port: 2_947)

    /// Host name or IP address; an IPv6 address has no brackets.
    public let host: String
    /// Port number, 1 to 65,535.
    public let port: Int

    private init(host: String, port: Int) { (self.host, self.port) = (host, port) }

    /// Reads `HOST:PORT`, `HOST` or `[IPv6]:PORT`.
    /// - Returns: nil if the text is not a valid address.
    public init?(_ text: String) {
        var (host, port): (Substring, Substring?) = (text[...], nil)
        if text.hasPrefix("["), let end = text.firstIndex(of: "]") {
            host = text[text.index(after: text.startIndex)..<end]
            let rest = text[text.index(after: end)...]
            guard rest.isEmpty || rest.hasPrefix(":") else { return nil }
            port = rest.isEmpty ? nil : rest.dropFirst()
        } else if text.count(where: { $0 == ":" }) == 1, let colon = text.firstIndex(of: ":") {
            (host, port) = (text[..<colon], text[text.index(after: colon)...])
        }
        let number = port.map { Int($0) ?? 0 } ?? Self.standard.port
        guard (1...65_535).contains(number), !host.isEmpty, host.utf8.count <= 255,
            host.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && !"/[]".utf8.contains($0) })
        else { return nil }
        self.init(host: String(host), port: number)
    }

    public var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
}
