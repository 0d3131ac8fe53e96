import TOMLText
import TerminalCanvas
import TerminalMap

/// The options, other than colours, that a theme has for a route, a marker or a map area.
struct ThemeOptions: Hashable, Sendable {
    var strokeWidth: Double?
    var isVisible: Bool?
    var isGeodesic: Bool?
    var isTrafficEnabled: Bool?
    var zIndex: Int?
    var isFlat: Bool?
    var groundAnchor: GroundAnchor?
    var icon: MarkerIcon?
    /// Whether an area without a background colour is drawn with dots, even if other areas are filled.
    var isTextured: Bool?

    private static let markers: Set<String> = ["vehicle", "pickup", "stop", "dropoff", "you", "other"]
    private static let areas: Set<String> = ["map.water", "map.park", "map.wood", "map.grass"]

    /// Returns the option keys that are allowed in a scope's table; empty for most scopes.
    static func keys(of scope: String) -> [String] {
        let root = scope.prefix { $0 != "." }
        if root == "route" { return ["width", "visible", "geodesic", "traffic", "z"] }
        if areas.contains(scope) { return ["texture"] }
        return markers.contains(String(root)) ? ["icon", "visible", "flat", "anchor", "z"] : []
    }

    /// Returns these options. Options that are not set are taken from `other`.
    func filled(from other: ThemeOptions) -> ThemeOptions {
        ThemeOptions(
            strokeWidth: strokeWidth ?? other.strokeWidth, isVisible: isVisible ?? other.isVisible,
            isGeodesic: isGeodesic ?? other.isGeodesic,
            isTrafficEnabled: isTrafficEnabled ?? other.isTrafficEnabled, zIndex: zIndex ?? other.zIndex, isFlat: isFlat ?? other.isFlat,
            groundAnchor: groundAnchor ?? other.groundAnchor, icon: icon ?? other.icon, isTextured: isTextured ?? other.isTextured)
    }

    /// Sets an option whose key is in ``keys(of:)``. Returns nil if the value is valid, otherwise a description of the allowed
    /// values.
    mutating func set(_ value: TOMLDocument.Value, for key: String) -> String? {
        switch (key, value) {
        case ("width", _):
            guard let width = Self.number(value), (0...8).contains(width) else { return "a number of dots from 0 to 8" }
            strokeWidth = width
        case ("visible", .boolean(let flag)): isVisible = flag
        case ("geodesic", .boolean(let flag)): isGeodesic = flag
        case ("traffic", .boolean(let flag)): isTrafficEnabled = flag
        case ("flat", .boolean(let flag)): isFlat = flag
        case ("texture", .boolean(let flag)): isTextured = flag
        case ("z", _):
            guard case .integer(let index) = value, (-10_000...10_000).contains(index) else { return "a whole number from -10000 to 10000" }
            zIndex = index
        case ("anchor", _):
            guard case .array(let parts) = value, parts.count == 2, let x = parts.first.flatMap(Self.number),
                let y = parts.last.flatMap(Self.number), (0...1).contains(x), (0...1).contains(y)
            else { return "a list of two numbers from 0 to 1, like [0.5, 1.0]" }
            groundAnchor = GroundAnchor(x: x, y: y)
        case ("icon", _):
            guard let read = MarkerIcon(value) else { return MarkerIcon.allowed }
            icon = read
        default: return "true or false"
        }
        return nil
    }

    private static func number(_ value: TOMLDocument.Value) -> Double? {
        switch value {
        case .integer(let number): Double(number)
        case .double(let number): number
        default: nil
        }
    }
}

extension MarkerIcon {
    fileprivate static let allowed = """
        text of 1 to 4 cells, or { text = "…", ascii = "…" }, which can also have headings and ascii_headings: each is \
        a list of eight texts, clockwise from north
        """

    /// Parses the icon of a marker in a theme file.
    fileprivate init?(_ value: TOMLDocument.Value) {
        switch value {
        case .string(let word):
            guard let text = Self.text(word) else { return nil }
            self.init(text: text, ascii: Self.ascii(word) ?? "*")
        case .table(let table):
            guard Set(table.keys).isSubset(of: ["text", "ascii", "headings", "ascii_headings"]),
                case .string(let word)? = table["text"], let text = Self.text(word)
            else { return nil }
            var plain = Self.ascii(word) ?? "*"
            if let value = table["ascii"] {
                guard case .string(let word) = value, let ascii = Self.ascii(word) else { return nil }
                plain = ascii
            }
            self.init(text: text, ascii: plain)
            if let value = table["headings"] {
                guard let texts = Self.eight(value, Self.text) else { return nil }
                headings = texts
            }
            if let value = table["ascii_headings"] {
                guard let texts = Self.eight(value, Self.ascii) else { return nil }
                asciiHeadings = texts
            }
        default: return nil
        }
    }

    private static func text(_ word: String) -> String? {
        let safe = sanitised(word, maximumLength: 16)
        return safe == word && (1...4).contains(displayWidth(safe)) ? safe : nil
    }

    private static func ascii(_ word: String) -> String? {
        word.unicodeScalars.allSatisfy { $0.isASCII } ? text(word) : nil
    }

    private static func eight(_ value: TOMLDocument.Value, _ read: (String) -> String?) -> [String]? {
        guard case .array(let items) = value, items.count == 8 else { return nil }
        let texts = items.compactMap { item in
            if case .string(let word) = item { read(word) } else { nil }
        }
        return texts.count == 8 ? texts : nil
    }
}
