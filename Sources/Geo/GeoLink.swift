/// A `geo:` link (RFC 5870): `geo:LAT,LNG`, with a height that is passed over, parameters after `;`, and Android's `?z=ZOOM`.
public struct GeoLink: Hashable, Sendable {
    /// The place, in WGS84.
    public let coordinate: Coordinate
    /// How near it is to be looked at, as it stands there; nil where that is not said.
    public let zoom: Double?

    /// - Returns: nil for a text that is no such link, or whose place is none.
    public init?(_ text: some StringProtocol) {
        let text = String(text)
        guard text.prefix(4).lowercased() == "geo:" else { return nil }
        let parts = text.dropFirst(4).split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let place = (parts.first ?? "").prefix { $0 != ";" }
        let numbers = place.split(separator: ",", omittingEmptySubsequences: false).map { String($0) }
        guard numbers.count == 2 || numbers.count == 3, let latitude = Double(numbers[0]), let longitude = Double(numbers[1]) else {
            return nil
        }
        coordinate = Coordinate(latitude: latitude, longitude: longitude)
        guard coordinate.isValid else { return nil }
        let query = parts.count > 1 ? parts[1].split(separator: "&") : []
        zoom = query.first { $0.hasPrefix("z=") }.flatMap { Double(String($0.dropFirst(2))) }
    }
}
