/// A `geo:` link (RFC 5870): `geo:LAT,LNG`. A height after a second comma, and parameters after `;`, are ignored.
///
/// Android's `?z=ZOOM` and `?q=LAT,LNG(LABEL)` are supported. The coordinate of `q` takes precedence over the coordinate before it, because
/// Android apps share a location as `geo:0,0?q=…`.
public struct GeoLink: Hashable, Sendable {
    /// The location, in WGS84.
    public let coordinate: Coordinate
    /// The zoom in the link; nil if the link has none.
    public let zoom: Double?

    /// - Returns: nil for text that is not a `geo:` link, for a link without a valid location, and for a link with only a name.
    public init?(_ text: some StringProtocol) {
        guard let parts = Self.parts(text) else { return nil }
        let numbers = parts.place.split(separator: ",", omittingEmptySubsequences: false).map { $0.filter { !$0.isWhitespace } }
        guard numbers.count == 2 || numbers.count == 3, let latitude = Double(numbers[0]), let longitude = Double(numbers[1]) else {
            return nil
        }
        let place = Coordinate(latitude: latitude, longitude: longitude)
        let marked = parts.query.flatMap { PlaceText.coordinate($0.prefix { $0 != "(" }) }
        guard place.isValid, marked != nil || parts.query == nil || place.isBelievablePosition else { return nil }
        coordinate = marked ?? place
        zoom = parts.zoom
    }

    /// Returns the name in a link without a location: `geo:0,0?q=Town+Hall`.
    public static func name(in text: some StringProtocol) -> String? { GeoLink(text) == nil ? parts(text)?.query : nil }

    private static func parts(_ text: some StringProtocol) -> (place: Substring, query: String?, zoom: Double?)? {
        let text = String(text).drop { $0.isWhitespace }
        guard text.prefix(4).lowercased() == "geo:" else { return nil }
        let halves = text.dropFirst(4).split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let items = halves.count > 1 ? halves[1].split(separator: "&") : []
        func value(_ key: String) -> String? { items.first { $0.hasPrefix(key) }.map { decoded($0.dropFirst(key.count)) } }
        let query = value("q=").flatMap { $0.contains { !$0.isWhitespace } ? $0 : nil }
        return ((halves.first ?? "").prefix { $0 != ";" }, query, value("z=").flatMap { Double($0) })
    }

    /// Decodes the value of a query item, in which `+` means a space and `%2C` a comma.
    private static func decoded(_ text: Substring) -> String {
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            let digits = rest.prefix(2)
            if byte == UInt8(ascii: "%"), digits.count == 2, let value = UInt8(String(decoding: digits, as: UTF8.self), radix: 16) {
                bytes.append(value)
                rest.removeFirst(2)
            } else {
                bytes.append(byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
