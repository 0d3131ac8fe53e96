import TerminalCanvas
import VectorTiles

/// The names that may be written at one zoom, from the visible tiles. The name of a street comes with the stretches along which it may be
/// written.
///
/// Positions are in cells from the top left corner of each tile. The possible positions of a feature's name are found once, when the
/// feature first comes into view. Each frame then only selects the visible positions.
struct LabelStock {
    /// Position of a name relative to its point.
    enum Stand {
        /// The middle of the name is at the point.
        case over
        /// The name begins this many cells to the right of the point. If there is no room, it ends this many cells to the left.
        case beside(Int)
    }

    /// A possible position for a name: a point, or a stretch of a line.
    struct Prospect {
        /// Index of the name in ``LabelStock/texts``.
        var name: Int
        var width: Int
        var kind: LabelCandidate.Kind
        /// Score of the name. Names with higher scores are written first.
        var score: Int
        /// The part of the score that grows with the length of the stretch.
        var lengthScore = 0
        var style: Style
        /// The stretch along which the name may be written; nil for a name at a point.
        var run: LineRun?
        /// Position of the name relative to its point.
        var stand = Stand.over
        /// The top left and bottom right corners of the box around the stretch or point.
        var first: DotPoint
        var last: DotPoint
    }

    /// A name as it is written on the map.
    struct Text {
        let text: String
        /// Width in columns.
        let width: Int
        /// The first eight bytes as a number, which is enough to compare most names.
        private let beginning: UInt64

        init(_ text: String) {
            (self.text, width) = (text, displayWidth(text))
            beginning = text.utf8.prefix(8).enumerated().reduce(0) { $0 | UInt64($1.element) << (56 - 8 * $1.offset) }
        }

        /// Whether this name comes before another one with the same score. Such names are ordered by their bytes.
        func precedes(_ other: Text) -> Bool {
            if beginning != other.beginning { return beginning < other.beginning }
            return text.utf8.lexicographicallyPrecedes(other.text.utf8)
        }
    }

    /// The names of one tile.
    struct TileNames {
        let tile: VectorTile
        /// The features with a name that may be written, in the order of their classes.
        var features: [(feature: Int, mapClass: MapClass, prospects: Range<Int>?)] = []
        var prospects: [Prospect] = []
        /// The tile that has the house numbers of `tile` (``VectorTile/houses``); nil until they are first needed.
        var houses: VectorTile?
    }

    /// Largest width of a name in columns. Wider names are left out.
    private static let maximumWidth = 28
    /// Height of the shortest steep stretch that can have a name, in rows.
    static let leastSteepRows = 3.0
    /// Memory limit for the names of all tiles, in bytes. When the limit is exceeded, all names are dropped.
    private static let maximumByteCount = 1 << 20

    private(set) var tiles: [TileNames] = []
    /// The distinct names as they are written, without control characters.
    private(set) var texts: [Text] = []
    private var numbers: [String: Int] = [:]
    private var numbersOfNames: [String: Int] = [:]
    private var style: MapStyle?
    private var scale: [Double] = []
    private var byteCount = 0

    /// Prepares the tiles of the next frame. Keeps the names of tiles that were in view before.
    mutating func begin(_ choice: TileChoice, _ pass: MapPass) {
        let view = pass.viewport
        let scale = [view.zoom, view.worldHeight, Double(view.painter.dotsPerCell.rows), pass.isPlain || pass.scene.fills != .all ? 1 : 0]
        if style != pass.style || scale != self.scale || byteCount > Self.maximumByteCount { self = LabelStock() }
        (style, self.scale) = (pass.style, scale)
        tiles = choice.placed.map { placed in
            tiles.first { $0.tile.isIdentical(to: placed.tile) } ?? Self.names(of: placed.tile, pass)
        }
    }

    private static func names(of tile: VectorTile, _ pass: MapPass) -> TileNames {
        var names = TileNames(tile: tile)
        for mapClass in MapClass.allCases where mapClass.labelScore > 0 {
            guard let look = pass.style[label: mapClass] else { continue }
            let (isSeen, areCapitals) = (look.zooms.contains(pass.camera.zoom), look.showsCapitals(at: pass.camera.zoom))
            guard isSeen || areCapitals else { continue }
            for feature in tile.features(of: mapClass) where tile.nameIndexes[feature] != 0 && tile.kinds[feature] != .polygon {
                guard isSeen || tile.flags[feature].contains(.capital) else { continue }
                names.features.append((feature, mapClass, nil))
            }
        }
        return names
    }

    /// Returns the index of a text in ``texts``. Adds the text if it is new.
    mutating func number(of text: String) -> Int {
        if let known = numbers[text] { return known }
        texts.append(Text(text))
        numbers[text] = texts.count - 1
        byteCount += 64 + text.utf8.count
        return texts.count - 1
    }

    /// Converts a name to its written form, and returns the index of that form in ``texts``.
    private mutating func number(ofName name: String, isASCII: Bool) -> Int {
        if let known = numbersOfNames[name] { return known }
        let number = number(of: Self.text(name, isASCII: isASCII))
        numbersOfNames[name] = number
        return number
    }

    /// Converts a name to its written form, and returns the index of that form in ``texts``. On a map that looks like an atlas,
    /// names of countries are in capital letters, and names of capital cities begin with a symbol.
    private mutating func number(ofName name: String, _ mapClass: MapClass, isCapital: Bool, _ pass: MapPass) -> Int {
        let number = number(ofName: name, isASCII: pass.isASCII)
        guard pass.isAtlas, texts[number].width > 0 else { return number }
        if mapClass == .country { return self.number(of: texts[number].text.uppercased()) }
        return isCapital ? self.number(of: (pass.isASCII ? "* " : "✪ ") + texts[number].text) : number
    }

    /// Returns a name in its written form. In ASCII the result is empty if more than half of it would be question marks.
    private static func text(_ name: String, isASCII: Bool) -> String {
        let text = MapPass.shown(name, isASCII: isASCII)
        guard isASCII else { return text }
        let lost = text.utf8.count { $0 == UInt8(ascii: "?") }
        return lost * 2 > text.utf8.count ? "" : text
    }

    /// Returns the tile that has the house numbers of the tile at an index (``VectorTile/houses``).
    mutating func houses(of tile: Int) -> VectorTile {
        if let known = tiles[tile].houses { return known }
        let houses = tiles[tile].tile.houses
        tiles[tile].houses = houses
        if !houses.isIdentical(to: tiles[tile].tile) { byteCount += houses.byteCount }
        return houses
    }

    /// Returns the possible positions of a feature's name, as indexes into the tile's prospects. Returns nil if the allowed work, counted
    /// in vertices, is used up.
    mutating func prospects(of index: Int, in tile: Int, _ view: TileView, _ pass: MapPass, effort: inout Int) -> Range<Int>? {
        if let known = tiles[tile].features[index].prospects { return known }
        let (feature, mapClass, _) = tiles[tile].features[index]
        effort -= 1
        guard effort > 0 else { return nil }
        let start = tiles[tile].prospects.count
        for prospect in find(feature, mapClass, view, pass, effort: &effort) { tiles[tile].prospects.append(prospect) }
        guard effort > 0 else {
            tiles[tile].prospects.removeSubrange(start...)
            return nil
        }
        let found = start..<tiles[tile].prospects.count
        tiles[tile].features[index].prospects = found
        byteCount += found.count * MemoryLayout<Prospect>.stride
        return found
    }

    private mutating func find(
        _ feature: Int, _ mapClass: MapClass, _ view: TileView, _ pass: MapPass, effort: inout Int
    ) -> [Prospect] {
        let tile = view.tile
        guard let name = tile.name(of: feature), let look = pass.style[label: mapClass] else { return [] }
        let isCapital = tile.kinds[feature] == .point && tile.flags[feature].contains(.capital)
        let number = number(ofName: name, mapClass, isCapital: isCapital, pass)
        let width = texts[number].width
        guard width > 0, width <= Self.maximumWidth, view.hasRoom(for: width, feature) else { return [] }
        let style = Style(foreground: look.color, background: pass.background, attributes: look.attributes)
        var prospect = Prospect(
            name: number, width: width, kind: mapClass.labelKind, score: pass.labelScore(of: mapClass), style: style, run: nil,
            first: DotPoint(x: 0, y: 0), last: DotPoint(x: 0, y: 0))
        if isCapital && pass.isAtlas { prospect.score += 12 }
        if isCapital && pass.isAtlas || mapClass == .entrance { prospect.stand = .beside(mapClass == .entrance ? 2 : 0) }
        if tile.kinds[feature] == .point {
            guard let vertex = tile.parts(of: feature).first.map(tile.vertices)?.first else { return [] }
            prospect.first = view.cells(ofVertex: vertex)
            prospect.last = prospect.first
            prospect.score -= min(Int(tile.ranks[feature]), 39)
            return [prospect]
        }
        var found: [Prospect] = []
        for part in tile.parts(of: feature) {
            let vertices = tile.vertices(ofPart: part)
            effort -= vertices.count
            guard effort > 0 else { return [] }
            let line = vertices.map(view.cells)
            byteCount += line.count * MemoryLayout<DotPoint>.stride
            for run in LineRun.runs(of: line) where run.length >= (run.isLevel ? Double(width) - 1 : Self.leastSteepRows) {
                var stretch = prospect
                stretch.run = run
                let length = run.isLevel ? run.length : run.length * 2
                stretch.lengthScore = Int(min(length, 60) / 2)
                stretch.score += stretch.lengthScore - (run.isLevel ? 0 : 15)
                (stretch.first, stretch.last) = run.corners
                found.append(stretch)
            }
        }
        return found
    }
}

extension MapStyle.Label {
    /// Whether the map looks like an atlas at a zoom and shows the names of capital cities there. On such a map, the names of capitals
    /// appear at lower zooms than the names of other towns.
    fileprivate func showsCapitals(at zoom: Double) -> Bool {
        zoom >= zooms.lowerBound - 1.5 && zoom <= min(zooms.upperBound, MapStyle.atlasZoom)
    }
}

extension MapPass {
    /// Whether the map looks like an atlas, in which countries and their capitals are emphasised.
    var isAtlas: Bool { camera.zoom <= MapStyle.atlasZoom }

    /// Returns the score of a class's names at this zoom. At high zooms, stations and tram stops have a higher score, since riders look for
    /// them.
    fileprivate func labelScore(of mapClass: MapClass) -> Int {
        let isStop = mapClass == .station || mapClass == .tramStop
        return mapClass.labelScore + (isStop && camera.zoom >= MapStyle.closeZoom ? 100 : 0)
    }
}

extension TileView {
    /// Returns the position of a vertex, in cells from the tile's corner.
    fileprivate func cells(ofVertex vertex: Int) -> DotPoint {
        DotPoint(
            x: Double(tile.coordinates[2 * vertex]) * cells.scaleX, y: Double(tile.coordinates[2 * vertex + 1]) * cells.scaleY)
    }

    /// Whether a name of this width may fit on a feature: always at a point, and on a line if its box is wide or tall enough.
    fileprivate func hasRoom(for width: Int, _ feature: Int) -> Bool {
        guard tile.kinds[feature] == .line else { return true }
        let bounds = tile.bounds[feature]
        let columns = Double(bounds.maxX &- bounds.minX) * cells.scaleX
        let rows = Double(bounds.maxY &- bounds.minY) * cells.scaleY
        return columns >= Double(width) - 1 || rows >= LabelStock.leastSteepRows
    }
}

extension LineRun {
    /// The top left and bottom right corners of the box around the stretch.
    fileprivate var corners: (first: DotPoint, last: DotPoint) {
        var (first, last) = (points.first ?? DotPoint(x: 0, y: 0), points.first ?? DotPoint(x: 0, y: 0))
        for point in points {
            first = DotPoint(x: min(first.x, point.x), y: min(first.y, point.y))
            last = DotPoint(x: max(last.x, point.x), y: max(last.y, point.y))
        }
        return (first, last)
    }
}
