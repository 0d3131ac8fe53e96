import BoundedJSON
import FoundationEssentials
import Geo
import TileSources
package import VectorTiles

/// The members of a TileJSON (https://github.com/mapbox/tilejson-spec/tree/master/3.0.0) that the program uses. An optional member that is
/// missing or invalid has the specification's default, except `maxzoom`, whose default here is 14.
package struct TileJSON: Sendable {
    /// Largest size of a TileJSON, in bytes.
    static let maximumByteCount = 1 << 20

    /// The templates for the addresses of tiles, at least one.
    let templates: [TileTemplate]
    let details: TileSourceDetails

    /// Reads a TileJSON with tile addresses over http or https. The addresses may be relative to `url`. If `url` is an https address, http
    /// addresses of other servers are ignored. Returns nil if no address is left, and for any other document.
    package init?(_ bytes: [UInt8], from url: WebURL) {
        let bytes = Self.text(bytes)
        guard bytes.count <= Self.maximumByteCount, let document = try? JSONDecoder().decodeBounded(Document.self, from: Data(bytes)) else {
            return nil
        }
        let isTMS = document.scheme?.lowercased() == "tms"
        templates = document.tiles.prefix(16).compactMap { url.template($0, isTMS: isTMS) }
        guard !templates.isEmpty else { return nil }
        let zooms = TileID.zoomRange
        let last = min(document.maximumZoom ?? 14, zooms.upperBound)
        let first = max(document.minimumZoom ?? 0, zooms.lowerBound)
        let edges = document.bounds
        let center = document.center
        details = TileSourceDetails(
            metadata: TileMetadata(json: bytes), zoomRange: min(first, max(0, last))...max(0, last),
            bounds: edges.count == 4 ? TileSourceDetails.bounds(west: edges[0], south: edges[1], east: edges[2], north: edges[3]) : nil,
            center: center.count >= 2 ? Coordinate(latitude: center[1], longitude: center[0]) : nil,
            centerZoom: center.count == 3 ? Int(exactly: center[2].rounded()) : nil)
    }

    /// Returns the text without the byte order mark that some editors put before UTF-8.
    private static func text(_ bytes: [UInt8]) -> [UInt8] {
        bytes.starts(with: [0xef, 0xbb, 0xbf]) ? Array(bytes.dropFirst(3)) : bytes
    }

    /// Returns the reason why these bytes cannot be used as a TileJSON, as a clause about the server. For a style, the clause says
    /// where the tile address is.
    package static func fault(of bytes: [UInt8], from url: WebURL) -> String {
        let bytes = text(bytes)
        if bytes.count <= maximumByteCount, url.scheme == "https",
            let document = try? JSONDecoder().decodeBounded(Document.self, from: Data(bytes)),
            document.tiles.contains(where: { $0.lowercased().hasPrefix("http://") })
        {
            return "its TileJSON has http addresses for tiles, but a map at an https address needs https tiles"
        }
        guard bytes.count <= maximumByteCount, let style = try? JSONDecoder().decodeBounded(Style.self, from: Data(bytes)) else {
            return "it does not return a TileJSON with tile addresses"
        }
        let advice = "it returns a style, not a TileJSON; use the tile address inside the style"
        guard let name = style.tileSource.map({ PlainText.line($0) }), !name.isEmpty else { return advice }
        return "\(advice), under \"sources\", \"\(name)\""
    }

    /// Returns the template for a tile. If there are several templates, neighbouring tiles use different ones.
    package func template(of id: TileID) -> TileTemplate { templates[(id.x + id.y) % templates.count] }
}

extension TileJSON {
    private struct Document: Decodable {
        var tiles: [String]
        var scheme: String?
        var minimumZoom: Int?
        var maximumZoom: Int?
        var bounds: [Double]
        var center: [Double]

        private enum Keys: String, CodingKey { case tiles, scheme, minzoom, maxzoom, bounds, center }

        init(from decoder: any Decoder) throws {
            let values = try decoder.container(keyedBy: Keys.self)
            if let one = try? values.decode(String.self, forKey: .tiles) {
                tiles = [one]
            } else {
                tiles = try values.decode([String].self, forKey: .tiles)
            }
            scheme = try? values.decode(String.self, forKey: .scheme)
            minimumZoom = Self.zoom(values, .minzoom)
            maximumZoom = Self.zoom(values, .maxzoom)
            bounds = Self.numbers(values, .bounds)
            center = Self.numbers(values, .center)
        }

        private static func zoom(_ values: KeyedDecodingContainer<Keys>, _ key: Keys) -> Int? {
            (try? values.decode(Number.self, forKey: key)).flatMap { Int(exactly: $0.value.rounded(.down)) }
        }

        /// Returns the numbers in a list or in comma-separated text, as in MBTiles. Any other value gives an empty list.
        private static func numbers(_ values: KeyedDecodingContainer<Keys>, _ key: Keys) -> [Double] {
            if let numbers = try? values.decode([Number].self, forKey: key) { return numbers.map(\.value) }
            let parts = ((try? values.decode(String.self, forKey: key)) ?? "").split(separator: ",", omittingEmptySubsequences: false)
            let numbers = parts.compactMap { Number(String($0))?.value }
            return numbers.count == parts.count ? numbers : []
        }
    }

    /// A number, which may also be written as text.
    private struct Number: Decodable {
        let value: Double

        init?(_ text: String) {
            guard let value = Double(text.filter { !$0.isWhitespace }), value.isFinite else { return nil }
            self.value = value
        }

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let number = try? container.decode(Double.self) {
                value = number
            } else if let number = Number(try container.decode(String.self)) {
                self = number
            } else {
                throw DecodingError.dataCorruptedError(in: container, debugDescription: "It is not a number.")
            }
        }
    }

    /// The members of a style (https://maplibre.org/maplibre-style-spec/) that other documents do not have: layers, and sources with names.
    private struct Style: Decodable {
        private struct Layer: Decodable {}
        private struct Source: Decodable { var type: String? }

        private let layers: [Layer]
        private let sources: [String: Source]

        /// The name of a source of vector tiles; nil if the style has no such source.
        var tileSource: String? { sources.filter { $0.value.type == "vector" }.keys.min() }
    }
}

extension WebURL {
    /// Reads a tile template from the document at this address. The template may be relative to the address. Returns nil if the text
    /// is not a template, or if it leads from https to http on another server.
    ///
    /// A server behind a proxy may give http addresses for its own tiles. In such a template, https replaces http.
    func template(_ text: String, isTMS: Bool) -> TileTemplate? {
        // Braces are not valid in an address, so they are escaped here. Some servers send them escaped.
        let escaped = text.replacing("{", with: "%7B").replacing("}", with: "%7D")
        guard text.utf8.count <= Self.maximumByteCount, let base = URL(string: self.text),
            let target = URL(string: escaped, relativeTo: base)?.absoluteURL, let found = target.scheme?.lowercased()
        else { return nil }
        var address = target.absoluteString
        if scheme == "https", found == "http" {
            guard target.host()?.lowercased() == host, target.port == nil || target.port == 80 else { return nil }
            address = origin + address.dropFirst("http://".count).drop { $0 != "/" }
        }
        return TileTemplate(address, isTMS: isTMS)
    }

    /// The scheme, host and port.
    private var origin: String {
        let name = host.contains(":") && !host.hasPrefix("[") ? "[\(host)]" : host
        return port == (scheme == "https" ? 443 : 80) ? "\(scheme)://\(name)" : "\(scheme)://\(name):\(port)"
    }
}

extension TileSourceDetails {
    /// Whether a tile may contain a part of the map.
    func mayHave(_ id: TileID) -> Bool {
        guard zoomRange.contains(id.zoom) else { return false }
        guard let bounds else { return true }
        let isOverDateline = bounds.east > 180
        let east = isOverDateline ? bounds.east - 360 : bounds.east
        let first = TileID.containing(WebMercator.project(Coordinate(latitude: bounds.north, longitude: bounds.west)), zoom: id.zoom)
        let last = TileID.containing(WebMercator.project(Coordinate(latitude: bounds.south, longitude: east)), zoom: id.zoom)
        guard (first.y...max(first.y, last.y)).contains(id.y) else { return false }
        return isOverDateline ? id.x >= first.x || id.x <= last.x : first.x <= id.x && id.x <= last.x
    }
}
