public import Geo
import TerminalCanvas
public import VectorTiles

/// An object on a map that can be found by its name.
public struct NamedPlace: Sendable, Hashable {
    /// The kind of a place. Equally good matches are ordered by kind, in the order of these cases.
    public enum Kind: Int, Sendable, Hashable, Comparable, CaseIterable {
        /// A stop of a trip. It has the name that the screen shows, not the name on the map.
        case tripStop
        /// A settlement, or a part of one.
        case place
        /// A train, tram or bus stop, or a station.
        case stop
        /// A street or a road with a name.
        case street
        /// A park, a shop, a sight or another point of interest.
        case pointOfInterest
        /// A river, a lake or a sea.
        case water

        public static func < (left: Kind, right: Kind) -> Bool { left.rawValue < right.rawValue }
    }

    /// The name without control characters, at most 80 characters.
    public var name: String
    /// The kind of place.
    public var kind: Kind
    /// The place's position; for a street or a river, the middle of its line.
    public var coordinate: Coordinate
    /// A zoom that shows the place well.
    public var zoom: Double
}

/// An index of the names in a map's tiles, for searching while the user types. Accents and case make no difference. If the local name of a
/// place differs from its name, the place is found by either name.
public struct PlaceIndex: Sendable {
    private struct Entry: Sendable {
        var place: NamedPlace
        let folded: String
        /// The local name; nil if it is the same as the name.
        let local: LocalName?
        /// The zoom of the tile from which the place was read; a higher zoom is more precise. An entrance has 0, so that the station of
        /// the same name replaces it.
        var tileZoom: Int
        /// Two places with the same name count as different if they are at least this far apart, in metres.
        let sameMeters: Double

        /// Whether both entries are the same place. A station may also be a point of interest of the same name.
        func isSame(as other: Entry) -> Bool {
            let kinds: Set<NamedPlace.Kind> = [place.kind, other.place.kind]
            guard kinds.count == 1 || kinds == [.stop, .pointOfInterest] else { return false }
            return place.coordinate.distanceMeters(to: other.place.coordinate) < min(sameMeters, other.sameMeters)
        }

        /// Whether this entry replaces another entry for the same place.
        func isBetter(than other: Entry, near middle: Coordinate) -> Bool {
            if place.kind != other.place.kind { return place.kind < other.place.kind }
            let isByDistance = place.kind == .street || place.kind == .water && tileZoom == other.tileZoom
            guard isByDistance else { return tileZoom > other.tileZoom }
            return place.coordinate.distanceMeters(to: middle) < other.place.coordinate.distanceMeters(to: middle)
        }
    }

    /// Largest number of names in the index.
    private static let maximumCount = 200_000

    private struct LocalName: Sendable {
        let text: String
        let folded: String

        /// Creates a local name. Returns nil if the text has no letters or digits.
        init?(_ text: String) {
            self.text = sanitised(text, maximumLength: PlaceIndex.maximumNameLength)
            folded = PlaceIndex.folded(self.text)
            if folded.isEmpty { return nil }
        }
    }

    private static let maximumNameLength = 80
    private var entries: [Entry] = []
    private var numbers: [String: [Int]] = [:]

    /// Creates an empty index.
    public init() {}

    /// Number of names.
    public var count: Int { entries.count }

    /// Adds the names of a tile.
    ///
    /// - Parameters:
    ///   - kinds: the kinds of names to add.
    ///   - middle: if a street or a river lies in several tiles, the part nearest to this coordinate is kept.
    public mutating func add(_ tile: VectorTile, kinds: Set<NamedPlace.Kind>, near middle: Coordinate) {
        for feature in 0..<tile.featureCount where tile.nameIndexes[feature] != 0 {
            guard entries.count < Self.maximumCount else { return }
            let mapClass = tile.classes[feature]
            guard let (kind, zoom) = mapClass.search, kinds.contains(kind), tile.kinds[feature] != .polygon,
                let text = tile.name(of: feature), let coordinate = tile.middle(of: feature)
            else { continue }
            let name = sanitised(text, maximumLength: Self.maximumNameLength)
            let place = NamedPlace(name: name, kind: kind, coordinate: coordinate, zoom: zoom)
            let local = tile.localName(of: feature).flatMap(LocalName.init)
            let tileZoom = mapClass == .entrance ? 0 : tile.id.zoom
            add(
                Entry(place: place, folded: Self.folded(name), local: local, tileZoom: tileZoom, sameMeters: mapClass.sameMeters),
                near: middle)
        }
    }

    /// Adds a stop of a trip under the name that the screen shows.
    public mutating func addTripStop(_ name: String, at coordinate: Coordinate) {
        let name = sanitised(name, maximumLength: Self.maximumNameLength)
        let place = NamedPlace(name: name, kind: .tripStop, coordinate: coordinate, zoom: 16)
        add(Entry(place: place, folded: Self.folded(name), local: nil, tileZoom: 0, sameMeters: 8_000), near: coordinate)
    }

    private mutating func add(_ entry: Entry, near middle: Coordinate) {
        guard !entry.folded.isEmpty else { return }
        for number in numbers[entry.folded] ?? [] where entries[number].isSame(as: entry) {
            if entry.isBetter(than: entries[number], near: middle) { entries[number] = entry }
            return
        }
        numbers[entry.folded, default: []].append(entries.count)
        entries.append(entry)
    }

    /// Returns the places with these words in their name, the best matches first: the whole name, the start of the name, the start of
    /// a word, the inside of a word. Equally good matches are ordered by kind, then by distance. If the local name is the better
    /// match, it is appended in brackets to the name of the returned place.
    public func search(_ words: String, near middle: Coordinate, limit: Int = 50) -> [NamedPlace] {
        let wanted = Self.folded(words)
        guard !wanted.isEmpty, limit > 0 else { return [] }
        var found: [(rank: Int, meters: Double, place: NamedPlace)] = []
        for entry in entries {
            guard let (rank, place) = Self.match(wanted, entry) else { continue }
            found.append((rank, place.coordinate.distanceMeters(to: middle), place))
        }
        found.sort { ($0.rank, $0.place.kind, $0.meters, $0.place.name) < ($1.rank, $1.place.kind, $1.meters, $1.place.name) }
        return found.prefix(limit).map(\.place)
    }

    /// Returns the places with exactly this name. If a settlement, a stop or a street is among them, the result has no points of
    /// interest, rivers or lakes. If no place has this name, returns all places with these words in their names. The order is that of
    /// ``search(_:near:limit:)``.
    public func best(_ words: String, near middle: Coordinate) -> [NamedPlace] {
        let wanted = Self.folded(words)
        let exact = entries.filter { $0.folded == wanted || $0.local?.folded == wanted }
        guard !exact.isEmpty else { return search(words, near: middle, limit: Self.maximumCount) }
        let found = search(words, near: middle, limit: exact.count)
        guard let first = found.first, first.kind <= .street else { return found }
        return found.filter { $0.kind <= .street }
    }

    private static func match(_ wanted: String, _ entry: Entry) -> (rank: Int, place: NamedPlace)? {
        let own = rank(of: wanted, in: entry.folded)
        guard let local = entry.local, let other = rank(of: wanted, in: local.folded), other < own ?? .max else {
            return own.map { ($0, entry.place) }
        }
        var place = entry.place
        if local.folded != entry.folded { place.name += " (\(local.text))" }
        return (other, place)
    }

    private static func rank(of wanted: String, in name: String) -> Int? {
        if name == wanted { return 0 }
        if name.hasPrefix(wanted) { return 1 }
        let (wanted, bytes) = (Array(wanted.utf8), Array(name.utf8))
        var isInside = false
        guard wanted.count < bytes.count else { return nil }
        for start in 1...(bytes.count - wanted.count) where bytes[start..<start + wanted.count].elementsEqual(wanted) {
            if bytes[start - 1] == UInt8(ascii: " ") { return 2 }
            isInside = true
        }
        return isInside ? 3 : nil
    }

    /// Returns a name in lower case without accents. Each run of characters other than letters and digits becomes one space, and spaces at
    /// the ends are removed.
    static func folded(_ text: String) -> String {
        var result = ""
        for character in sanitised(text, maximumLength: 200) {
            let plain = transliterated(String(character))
            let letters = plain.contains("?") ? String(character) : plain
            for letter in letters.lowercased() where letter.isLetter || letter.isNumber || result.last != " " {
                result.append(letter.isLetter || letter.isNumber ? letter : " ")
            }
        }
        while result.first == " " { result.removeFirst() }
        while result.last == " " { result.removeLast() }
        return result
    }
}

extension MapClass {
    /// The kind of place to which names of this class belong in a search, and a zoom that shows the place well; nil for classes that are
    /// not searched.
    fileprivate var search: (NamedPlace.Kind, Double)? {
        switch self {
        case .country: (.place, 6)
        case .region: (.place, 8)
        case .city: (.place, 12)
        case .town, .island: (.place, 13)
        case .village, .hamlet, .suburb: (.place, 14)
        case .quarter: (.place, 15)
        case .station, .tramStop, .busStop: (.stop, 16)
        case .entrance: (.stop, 17)
        case _ where isRoad: (.street, 16)
        case .pointOfInterest: (.pointOfInterest, 16)
        case .parkName: (.pointOfInterest, 15)
        case .river, .canal, .waterName: (.water, 14)
        case .seaName: (.water, 6)
        default: nil
        }
    }

    /// Two places of this class with the same name count as different if they are at least this far apart, in metres. Shops of a chain are
    /// often near each other, and rivers are long.
    fileprivate var sameMeters: Double {
        switch self {
        case .pointOfInterest: 100
        case .parkName: 1_000
        case .river, .canal, .seaName: 50_000
        default: 8_000
        }
    }
}

extension VectorTile {
    /// Returns the feature's point. For a line, returns the middle vertex of its first part.
    fileprivate func middle(of feature: Int) -> Coordinate? {
        guard let part = parts(of: feature).first else { return nil }
        let vertices = vertices(ofPart: part)
        guard !vertices.isEmpty else { return nil }
        let vertex = vertices[vertices.startIndex + vertices.count / 2]
        let count = Double(1 << id.zoom)
        let (x, y) = (Double(coordinates[2 * vertex]) / Double(extent), Double(coordinates[2 * vertex + 1]) / Double(extent))
        let coordinate = WebMercator.unproject(MercatorPoint(x: (Double(id.x) + x) / count, y: (Double(id.y) + y) / count))
        return coordinate.isValid ? coordinate : nil
    }
}
