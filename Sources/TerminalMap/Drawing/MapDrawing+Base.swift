import Geo
import TerminalCanvas
import VectorTiles

/// The level of a line: tunnels are drawn first, bridges last.
private enum Level: CaseIterable {
    case tunnel, ground, bridge

    init(_ flags: FeatureFlags) {
        self = flags.contains(.tunnel) ? .tunnel : flags.contains(.bridge) ? .bridge : .ground
    }
}

extension MapDrawing {
    /// Draws areas and lines of the base map, in the order of their classes.
    func drawBase(_ views: [TileView], _ pass: MapPass, into text: inout DrawingText, view: PlaneBox) {
        for mapClass in MapClass.allCases where mapClass <= .building {
            guard let look = pass.style[area: mapClass], pass.camera.zoom >= look.minimumZoom, let fill = palette.area(look.color)
            else { continue }
            let hasWalls = pass.camera.zoom >= look.outlineZoom && look.pattern.color != .default
            let wall = hasWalls ? " stroke=\"\(palette.ink(look.pattern.color))\" stroke-width=\"1\"" : ""
            for tile in views { drawAreas(mapClass, look: "fill=\"\(fill)\"\(wall)", of: tile, into: &text, view: view) }
        }
        for level in Level.allCases {
            let ways = MapClass.allCases.filter { $0 >= .stream && $0 <= .motorway }.compactMap { mapClass in
                pass.style[line: mapClass].flatMap { pass.shows(mapClass, $0) ? Way(mapClass, $0, level, pass, palette) : nil }
            }
            var paths: [(way: Way, path: String)] = []
            for way in ways {
                let path = views.map { self.path(way.mapClass, level, of: $0, pass, into: &text, view: view) }.joined()
                if !path.isEmpty { paths.append((way, path)) }
            }
            // All edges are drawn before the lines, so that no edge cuts through another line.
            for (way, path) in paths { if let casing = way.casing { text.add("<path d=\"\(path)\" \(casing)/>") } }
            for (way, path) in paths { text.add("<path d=\"\(path)\" \(way.stroke)/>") }
        }
    }

    /// Draws the grid that replaces a missing base map.
    func drawGrid(_ pass: MapPass, into text: inout DrawingText, view: PlaneBox) {
        let (origin, area) = (pass.viewport.origin, pass.area)
        let color = palette.ink(pass.style.grid)
        for row in Steps(from: origin.row, every: 4, count: area.rows) {
            for column in Steps(from: origin.column, every: 8, count: area.columns) {
                let (x, y) = (Self.cellWidth * column + 2, Self.cellHeight * row + Self.cellHeight / 2)
                text.add("<circle cx=\"\(DrawingText.number(x))\" cy=\"\(DrawingText.number(y))\" r=\"1\" fill=\"\(color)\"/>")
            }
        }
    }

    private func drawAreas(_ mapClass: MapClass, look: String, of tile: TileView, into text: inout DrawingText, view: PlaneBox) {
        let part = tile.part(of: view)
        for feature in tile.tile.features(of: mapClass)
        where tile.tile.kinds[feature] == .polygon && tile.showsArea(tile.tile.bounds[feature]) {
            let path = tile.tile.parts(of: feature).map { text.path(around: tile.points(ofPart: $0), in: part) }.joined()
            if !path.isEmpty { text.add("<path d=\"\(path)\" \(look) fill-rule=\"evenodd\"/>") }
        }
    }

    private func path(
        _ mapClass: MapClass, _ level: Level, of tile: TileView, _ pass: MapPass, into text: inout DrawingText, view: PlaneBox
    ) -> String {
        guard let look = pass.style[line: mapClass] else { return "" }
        let part = tile.part(of: view)
        var path = ""
        for feature in tile.tile.features(of: mapClass)
        where tile.tile.kinds[feature] == .line && tile.shows(tile.tile.bounds[feature]) {
            let flags = tile.tile.flags[feature]
            guard !flags.contains(.labelOnly), Level(flags) == level, pass.shows(flags, of: mapClass, look) else { continue }
            for number in tile.tile.parts(of: feature) { path += text.path(along: tile.points(ofPart: number), in: part) }
        }
        return path
    }
}

/// The look of the lines of one class on one level.
private struct Way {
    let mapClass: MapClass
    /// The attributes of a wider stroke under the line, which shows as the line's edges; nil for no edges.
    let casing: String?
    let stroke: String

    init(_ mapClass: MapClass, _ look: MapStyle.Line, _ level: Level, _ pass: MapPass, _ palette: MapDrawing.Palette) {
        self.mapClass = mapClass
        let color = palette.ink(look.color)
        let surface = pass.hasSurfaces && level != .tunnel ? palette.area(look.surfaceColor) : nil
        let meters = look.surfaceMeters / pass.camera.metersPerColumn * MapDrawing.cellWidth
        var width = Self.width(mapClass, look, zoom: pass.camera.zoom)
        if pass.hasSurfaces, meters.isFinite { width = max(width, meters) }
        let dashes = level == .tunnel ? pass.style.tunnelDashes : look.dashes
        stroke = Self.attributes(surface ?? color, width: width, dashes: surface == nil ? dashes : .solid)
        let edge = surface != nil ? color : level == .bridge ? palette.ground : nil
        casing = edge.map { Self.attributes($0, width: width + (surface != nil ? 1.4 : 2.4), dashes: .solid) }
    }

    private static func width(_ mapClass: MapClass, _ look: MapStyle.Line, zoom: Double) -> Double {
        if mapClass.isWaterway { return max(1.4, look.waterDots * 1.6) }
        if zoom >= look.wideZoom { return 3.6 }
        switch mapClass {
        case .path, .track, .service, .pedestrian, .pier, .regionBoundary, .ferry: return 1
        case .street, .transit, .countryBoundary: return 1.8
        default: return 2.6
        }
    }

    private static func attributes(_ color: String, width: Double, dashes: DashPattern) -> String {
        let dashes = dashes.lengths.map { DrawingText.number($0 * max(2, width)) }.joined(separator: " ")
        return "fill=\"none\" stroke=\"\(color)\" stroke-width=\"\(DrawingText.number(width))\" stroke-linejoin=\"round\""
            + (dashes.isEmpty ? " stroke-linecap=\"round\"" : " stroke-dasharray=\"\(dashes)\"")
    }
}

/// The positions of grid points, in cells from the view's edge. The grid is fixed on the map.
private struct Steps: Sequence, IteratorProtocol {
    private var place: Double
    private let step: Double
    private let end: Double

    init(from origin: Double, every step: Double, count: Int) {
        place = (origin / step).rounded(.up) * step - origin
        (self.step, end) = (step, Double(count))
    }

    mutating func next() -> Double? {
        guard place < end else { return nil }
        defer { place += step }
        return place
    }
}

extension TileView {
    /// Returns the vertices of one of the tile's parts, in units of the drawing.
    fileprivate func points(ofPart part: Int) -> [DotPoint] {
        tile.vertices(ofPart: part).map { vertex in
            let place = dot(x: tile.coordinates[2 * vertex], y: tile.coordinates[2 * vertex + 1])
            return DotPoint(x: place.x * MapDrawing.dot, y: place.y * MapDrawing.dot)
        }
    }

    /// Returns the part of the view in which this tile is drawn, with a margin.
    fileprivate func part(of view: PlaneBox) -> PlaneBox {
        let margin = 24.0
        var box = PlaneBox(
            minX: view.minX - margin, minY: view.minY - margin, maxX: view.maxX + margin, maxY: view.maxY + margin)
        guard let share else { return box }
        let (first, last) = (dot(x: share.minX, y: share.minY), dot(x: share.maxX, y: share.maxY))
        box.minX = max(box.minX, first.x * MapDrawing.dot)
        box.minY = max(box.minY, first.y * MapDrawing.dot)
        box.maxX = min(box.maxX, last.x * MapDrawing.dot)
        box.maxY = min(box.maxY, last.y * MapDrawing.dot)
        return box
    }
}
