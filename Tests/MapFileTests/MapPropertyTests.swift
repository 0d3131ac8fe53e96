import Geo
import TerminalCanvas
import TerminalMap
import Testing
import TileSources
import VectorTiles

/// Properties that every map must have, checked on the invented town and, if the test data is present, on real places.
@Suite struct MapPropertyTests {
    private static let places: [RealMap] = [RealMap.town] + (Maps.isPresent ? RealMap.files : [])

    /// Each place with each painter, at alternating zooms. A debug build is slow, so it checks half of these pairs.
    private static let cases: [(RealMap, Painter)] = places.enumerated().flatMap { place in
        Painter.allCases.enumerated().filter { isOptimized || (place.offset + $0.offset) % 2 == 0 }.map { painter in
            (place.element.at(zoom: [13, 14.37, 15.2, 16.5][(place.offset / 2 + painter.offset) % 4]), painter.element)
        }
    }

    #if DEBUG || UNOPTIMIZED
        private static let isOptimized = false
    #else
        private static let isOptimized = true
    #endif

    @Test("a window shows exactly its part of the larger view: clipping causes no chord and no gap", arguments: cases)
    func window(map: RealMap, painter: Painter) async throws {
        try await compare(map, painter, whole: Size(columns: 120, rows: 48), windowsAt: [(0, 0), (70, 1), (37, 21), (3, 27)])
    }

    @Test(
        "the largest view of a real place is drawn everywhere, and its windows show their parts", .enabled(if: Maps.isPresent),
        arguments: [RealMap.monaco.at(zoom: 15), .paris.at(zoom: 15)])
    func largestView(map: RealMap) async throws {
        let size = Size(columns: 300, rows: 100)
        let corners = [(0, 0), (250, 0), (0, 80), (250, 80), (125, 40)]
        let large = try await compare(map, .braille, whole: size, windowsAt: corners)
        #expect(large.size == size)
        // Something is drawn in each eighth of the view. This also holds for a town between a mountain and the sea.
        for column in stride(from: 0, to: 300, by: 75) {
            for row in [0, 50] {
                let part = large.cropped(Rectangle(column: column, row: row, columns: 75, rows: 50))
                #expect((0..<50).contains { part.row($0).contains { $0.glyph != .space } }, "nothing from \(column) \(row) on")
            }
        }
    }

    /// Draws a view and smaller windows of it, and records an issue if they differ. `places` are the positions of the windows' top-left
    /// cells in the view.
    @discardableResult
    private func compare(_ map: RealMap, _ painter: Painter, whole: Size, windowsAt places: [(Int, Int)]) async throws -> Canvas {
        let camera = map.camera(whole.columns, whole.rows)
        let scene = MapScene.bare(try await Maps.base(map, for: camera), painter: painter)
        let large = scene.drawn(camera).canvas
        let size = Size(columns: 50, rows: 20)
        for (column, row) in places {
            let part = camera.resized(to: size).panned(columns: column + 25 - whole.columns / 2, rows: row + 10 - whole.rows / 2)
            let small = scene.drawn(part).canvas
            for y in 0..<size.rows {
                for x in 0..<size.columns where small[x, y] != large[column + x, row + y] {
                    Issue.record("\(x) \(y) of the window at \(column) \(row): \(small[x, y]) instead of \(large[column + x, row + y])")
                    return large
                }
            }
        }
        return large
    }

    @Test("A view that is moved is drawn as a new one, whatever was drawn before", arguments: cases)
    func moved(map: RealMap, painter: Painter) async throws {
        var camera = map.camera(120, 40)
        let base = try await Maps.base(map, for: camera.resized(to: Size(columns: 320, rows: 120)))
        var random = SeededRandom(seed: 12)
        let renderer = MapRenderer()
        for depth in [ColorDepth.palette256, .ansi16, .none] {
            let scene = MapScene.bare(base, painter: painter, colors: depth)
            for step in 0..<(Self.isOptimized ? 6 : 4) {
                var canvas = Canvas(size: camera.size)
                renderer.draw(scene, camera: camera, into: &canvas, at: Rectangle(camera.size))
                #expect(canvas == scene.drawn(camera).canvas, "step \(step) in \(depth)")
                camera = camera.panned(columns: random.int(in: -30...30), rows: random.int(in: -10...10))
            }
        }
    }

    @Test("every size can be drawn, and all text lies inside", arguments: cases)
    func everySize(map: RealMap, painter: Painter) async throws {
        let largest = Self.isOptimized ? Size(columns: 300, rows: 100) : Size(columns: 120, rows: 40)
        let base = try await Maps.base(map, for: map.camera(largest.columns, largest.rows))
        let renderer = MapRenderer()
        let narrow = [1, 2, 3, 7, 12, 40].flatMap { columns in [1, 2, 5, 15].map { Size(columns: columns, rows: $0) } }
        for (index, size) in (narrow + [Size(columns: 300, rows: 1), Size(columns: 1, rows: 100), largest]).enumerated() {
            var canvas = Canvas(size: size)
            let scene = MapScene(base: base, painter: painter, colorDepth: ColorDepth.allCases[index % ColorDepth.allCases.count])
            let frame = renderer.draw(scene, camera: map.camera(size.columns, size.rows), into: &canvas, at: Rectangle(size))
            for label in frame.labels { #expect(Rectangle(size).intersection(label.cells) == label.cells) }
            if painter == .ascii { #expect(canvas.text().unicodeScalars.allSatisfy { $0.isASCII }) }
        }
    }

    @Test("names are written once, apart from each other, and stay while the map is panned", arguments: places)
    func names(map: RealMap) async throws {
        let first = map.at(zoom: 14.5).camera(110, 36)
        let scene = MapScene(base: try await Maps.base(map, for: first.resized(to: Size(columns: 160, rows: 60))))
        let renderer = MapRenderer()
        var camera = first
        var before: [String: Position] = [:]
        var (kept, moved, written) = (0, 0, 0)
        let steps = Self.isOptimized ? 30 : 9
        for step in 0..<steps {
            let (right, down) = step % 3 == 2 ? (0, 1) : (2, 0)
            var canvas = Canvas(size: camera.size)
            let labels = renderer.draw(scene, camera: camera, into: &canvas, at: Rectangle(camera.size)).labels
            #expect(Set(labels.map(\.text)).count == labels.count)
            for (index, label) in labels.enumerated() {
                #expect(label.cells.columns == displayWidth(label.text))
                for other in labels[..<index] { #expect(label.cells.intersection(other.cells).isEmpty) }
                guard let old = before[label.text] else { continue }
                if old == label.cells.origin { kept += 1 } else { moved += 1 }
            }
            written += labels.count
            // The positions that the labels must have in the next frame.
            before = Dictionary(
                uniqueKeysWithValues: labels.map { label in
                    (label.text, Position(column: label.cells.column - right, row: label.cells.row - down))
                })
            camera = camera.panned(columns: right, rows: down)
        }
        #expect(written >= steps * 4 && kept > 10 * moved, "written \(written), kept \(kept), moved \(moved)")
    }
}
