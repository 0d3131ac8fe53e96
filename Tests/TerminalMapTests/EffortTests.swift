import Geo
import TerminalCanvas
import Testing
import VectorTiles

@testable import TerminalMap

/// Tests that only a part of a map is drawn if the whole map would take too long.
@Suite struct EffortTests {
    private let size = Size(columns: 80, rows: 24)

    private typealias Point = (x: Double, y: Double)

    private func paint(_ ring: [Point], number: UInt8, in plane: inout AreaPlane) {
        guard var previous = ring.last else { return }
        for point in ring {
            plane.addEdge(fromX: previous.x, y: previous.y, toX: point.x, y: point.y)
            previous = point
        }
        plane.paintPolygon(number)
    }

    @Test("areas and wide lines are painted until the effort is spent, and again in the next frame", arguments: [true, false])
    func areas(ofLines: Bool) {
        var plane = AreaPlane()
        let square: [Point] = [(2, 2), (9, 2), (9, 9), (2, 9)]
        let toothed: [Point] = (0..<400).map { (Double($0 % 70), $0 % 2 == 0 ? -5 : 90) }
        for effort in [3_000, 3_000_000] {
            plane.prepare(size, effort: effort)
            paint(square, number: 1, in: &plane)
            if ofLines {
                for step in 0..<40 { plane.paintLine(fromX: Double(step), y: -5, toX: Double(70 - step), y: 90, radius: 3, number: 2) }
            } else {
                paint(toothed, number: 2, in: &plane)
            }
            plane.paintLine(fromX: 100, y: 50, toX: 120, y: 50, radius: 1, number: 3)
            paint(square.map { ($0.x + 100, $0.y) }, number: 4, in: &plane)
            let isEnough = effort > 3_000
            // Lines are painted one by one until the limit, so some of them are painted. An area is painted as a whole or not at all.
            #expect(plane.samples.contains(1) && plane.samples.contains(2) == (isEnough || ofLines))
            #expect(plane.samples.contains(3) == isEnough && plane.samples.contains(4) == isEnough)
        }
    }

    @Test("lines and names are drawn until the effort is spent, and again in the next frame")
    func lines() throws {
        var builder = VectorTileBuilder(id: SmallTown.tileID)
        builder.beginFeature(.street, kind: .line)
        builder.beginPart()
        for index in 0..<500 { builder.addVertex(x: Int32(index * 8), y: index % 2 == 0 ? -9_000 : 9_000) }
        builder.endFeature()
        builder.addFeature(.motorway, kind: .line, name: "Last Motorway", vertices: [(0, 2000), (4096, 2000)])
        builder.addFeature(.town, kind: .point, name: "Last Town", vertices: [(2000, 2500)])
        var tiles = TileCache()
        tiles.insert(builder.finish(), for: SmallTown.tileID)
        let scene = MapScene(base: BaseMap(tiles: tiles, zoomRange: 14...14, attribution: ""), showsScale: false)
        let camera = SmallTown.camera(zoom: 14, size: size, x: 2048, y: 2048)
        let motorway = try #require(scene.style[line: .motorway]?.color)
        let renderer = MapRenderer()
        func draw(_ effort: DrawingEffort) -> (hasMotorway: Bool, names: Set<String>) {
            renderer.effortLimit = effort
            var canvas = Canvas(size: size)
            let frame = renderer.draw(scene, camera: camera, into: &canvas, at: Rectangle(size))
            let cells = (0..<size.rows).flatMap { canvas.row($0) }
            return (cells.contains { $0.style.foreground == motorway && $0.glyph != .space }, Set(frame.labels.map(\.text)))
        }
        let few = draw(DrawingEffort(lines: 20_000, names: 1))
        #expect(!few.hasMotorway && few.names.isEmpty)
        let all = draw(DrawingEffort())
        #expect(all.hasMotorway && all.names == ["Last Motorway", "Last Town"])
        #expect(renderer.effortLeft.lines > 19e6 && renderer.effortLeft.names > 999_000)
    }
}
