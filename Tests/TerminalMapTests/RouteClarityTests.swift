import Geo
import TerminalCanvas
import TerminalMap
import Testing
import VectorTiles

/// Tests that the route can be distinguished from the map, with and without colours.
@Suite struct RouteClarityTests {
    private let size = Size(columns: 80, rows: 24)

    /// Returns the canvas of a map with one line on it and no text.
    private func canvas(
        _ line: PolylineOverlay, hasBase: Bool = true, painter: Painter = .braille, colors: ColorDepth = .palette256, zoom: Double = 14
    ) -> Canvas {
        var scene = SmallTown.scene(overlays: MapOverlays(polylines: [line]), painter: painter, colors: colors, showsLabels: false)
        scene.showsScale = false
        if hasBase { scene.base?.attribution = "" } else { scene.base = nil }
        scene.style.grid = .palette(200)
        return SmallTown.draw(scene, SmallTown.camera(zoom: zoom, size: size)).canvas
    }

    private func line(_ role: RouteRole, _ spots: [(Double, Double)], traffic: [TrafficStretch] = []) -> PolylineOverlay {
        let style = PolylineStyleOptions(strokeColor: .palette(215), isTrafficEnabled: !traffic.isEmpty)
        return PolylineOverlay(coordinates: spots.map { SmallTown.place($0.0, $0.1) }, role: role, style: style, traffic: traffic)
    }

    /// A path along the main road. The main road would show through any gap in the line.
    private let mainRoad: [(Double, Double)] = [(-64, 1600), (2200, 1580), (2900, 1570)]

    @Test("the gaps of a broken line show no other road or path", arguments: [RouteRole.behind, .later], Painter.allCases)
    func breaks(role: RouteRole, painter: Painter) {
        let path = canvas(line(.ahead, mainRoad), hasBase: false, painter: painter)
        let bare = canvas(line(role, mainRoad), hasBase: false, painter: painter)
        let full = canvas(line(role, mainRoad), painter: painter)
        var (drawn, blank) = (0, 0)
        for row in 0..<size.rows {
            for column in 0..<size.columns where path[column, row].style.foreground == .palette(215) {
                let cell = full[column, row]
                if bare[column, row].style.foreground == .palette(215) {
                    drawn += 1
                    #expect(cell.glyph == bare[column, row].glyph && cell.style.foreground == .palette(215))
                } else {
                    blank += 1
                    // In a gap, only areas of the base map may be visible: a space, or the edge of an area.
                    #expect(cell.glyph == .space || "▀▌▘▝▖▗▚▂▆".unicodeScalars.contains(cell.glyph.base), "\(cell.glyph)")
                }
            }
        }
        #expect(drawn > 5 && (blank > 5 || painter == .braille))
    }

    @Test("without colours the cells beside a route are clear", arguments: [Painter.braille, .sextant, .halfBlock], RouteRole.allCases)
    func margin(painter: Painter, role: RouteRole) {
        // The path leads to the south between two side streets, and crosses the main road and four lanes.
        let path: [(Double, Double)] = [(775, 700), (775, 3600)]
        let shape = canvas(line(.ahead, path), hasBase: false, painter: painter)
        let full = canvas(line(role, path), painter: painter, colors: .none)
        let bare = canvas(line(role, path), hasBase: false, painter: painter, colors: .none)
        var count = 0
        for row in 0..<size.rows {
            for column in 0..<size.columns where shape[column, row].style.foreground == .palette(215) {
                for side in [column - 1, column + 1] where shape[side, row].style.foreground != .palette(215) {
                    count += 1
                    #expect(full[side, row].glyph == .space, "\(side) \(row)")
                }
                #expect(full[column, row].glyph == bare[column, row].glyph)
            }
        }
        #expect(count > 20)
    }

    @Test("traffic is shown by the width of the line as well as by its colour", arguments: [Painter.braille, .sextant, .halfBlock])
    func traffic(painter: Painter) {
        let spots: [(Double, Double)] = [(0, 2000), (1000, 2000), (2000, 2000), (3000, 2000)]
        let meters = Polyline(spots.map { SmallTown.place($0.0, $0.1) }).cumulativeMeters
        let traffic = [TrafficSpeed.normal, .slow, .trafficJam].enumerated().map { index, speed in
            TrafficStretch(startMeters: meters[index], endMeters: meters[index + 1], speed: speed)
        }
        let canvas = canvas(line(.ahead, spots, traffic: traffic), hasBase: false, painter: painter)
        let colors = TrafficColors()
        let ink = [TrafficSpeed.normal, .slow, .trafficJam].map { speed in
            (0..<size.rows).flatMap(canvas.row).filter { $0.style.foreground == colors[speed] }.map { dots($0.glyph.base) }.reduce(0, +)
        }
        #expect(ink[0] > 0 && ink[1] > ink[0] * 5 / 4 && ink[2] > ink[1] * 9 / 8, "\(ink)")
    }

    @Test("a route of blocks does not touch the vehicle, which often has the same colour", arguments: [Painter.sextant, .halfBlock])
    func vehicle(painter: Painter) throws {
        let style = MarkerStyleOptions(isFlat: true, color: .palette(16), background: .palette(215))
        let vehicle = MarkerOverlay(
            id: "vehicle", coordinate: SmallTown.place(775, 2000), headingDegrees: 3, icon: .vehicle, style: style, strength: .vehicle)
        let overlays = MapOverlays(polylines: [line(.ahead, [(775, 700), (775, 3600)])], markers: [vehicle])
        let scene = SmallTown.scene(overlays: overlays, painter: painter, showsLabels: false)
        let (canvas, frame) = SmallTown.draw(scene, SmallTown.camera(zoom: 14, size: size))
        let cells = try #require(frame.markers.first).cells
        func isRoute(_ row: Int) -> Bool {
            (cells.column - 1...cells.endColumn).contains { canvas[$0, row].style.foreground == .palette(215) }
        }
        for row in cells.row - 1...cells.row + 1 { #expect(!isRoute(row), "\(row)") }
        #expect(isRoute(cells.row - 2) && isRoute(cells.row + 2))
    }

    @Test("in ASCII, no route looks like a marker", arguments: RouteRole.allCases)
    func asciiMarks(role: RouteRole) {
        let text = canvas(line(role, mainRoad), hasBase: false, painter: .ascii).text()
        for icon in [MarkerIcon.vehicle, .pickup, .stop, .destination] { #expect(!text.contains(icon.ascii), "\(icon.ascii)") }
    }

    /// Returns the number of dots that a character of a painter covers.
    private func dots(_ scalar: Unicode.Scalar) -> Int {
        switch scalar.value {
        case 0x2800...0x28ff: (scalar.value - 0x2800).nonzeroBitCount
        case 0x1fb00...0x1fb3b: [20, 41].reduce(Int(scalar.value - 0x1fb00) + 1) { $0 + ($0 > $1 ? 1 : 0) }.nonzeroBitCount
        case 0x2580, 0x2584: 1
        case 0x258c, 0x2590: 3
        case 0x2588: 6
        default: 0
        }
    }

    @Test("water can be distinguished from land in every painter without colours", arguments: Painter.allCases)
    func water(painter: Painter) {
        var scene = SmallTown.scene(overlays: MapOverlays(), painter: painter, colors: .none, showsLabels: false)
        scene.showsScale = false
        scene.base?.attribution = ""
        let camera = SmallTown.camera(zoom: 15, size: size, x: 2600, y: 2600)
        let canvas = SmallTown.draw(scene, camera).canvas
        func marks(_ x: Double, _ y: Double) -> Int {
            guard let middle = camera.cell(at: SmallTown.place(x, y)) else { return -1 }
            let columns = middle.column - 6..<middle.column + 6
            return (middle.row - 3..<middle.row + 3).map { row in columns.count { canvas[$0, row].glyph != .space } }.reduce(0, +)
        }
        #expect(marks(2600, 2500) >= 6 && marks(2240, 2600) == 0)
    }

    @Test("over the blue of sixteen colours, all text is white")
    func sixteenColors() throws {
        var scene = SmallTown.scene(colors: .ansi16)
        scene.overlays.labels = [LabelOverlay(coordinate: SmallTown.place(2600, 2000), text: "over water and land", color: .palette(8))]
        let (canvas, frame) = SmallTown.draw(scene, SmallTown.camera(zoom: 14, size: size, x: 2600))
        let label = try #require(frame.labels.first { $0.text == "over water and land" })
        let cells = (label.cells.column..<label.cells.endColumn).map { canvas[$0, label.cells.row] }
        #expect(cells.contains { $0.style.background != .default } && cells.contains { $0.style.background == .default })
        for cell in cells { #expect(cell.style.foreground == (cell.style.background == .default ? .palette(8) : .palette(231))) }
    }
}
