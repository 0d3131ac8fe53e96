import Geo
import TerminalCanvas
import Testing

@testable import TerminalMap

@Suite struct LineAndScaleTests {
    @Test("a scale bar is the longest round length that fits", arguments: ScaleUnits.allCases)
    func scale(units: ScaleUnits) throws {
        var random = SeededRandom(seed: 11)
        for _ in 0..<300 {
            let metersPerCell = 0.2 * random.double(in: 1...8) * [1, 10, 100, 1000, 10000][random.int(in: 0...4)]
            let bar = try #require(ScaleBar(metersPerCell: metersPerCell, maximumCells: 14, units: units))
            #expect(bar.halfCells <= 28 && bar.halfCells >= 9)
            let number = try #require(Double(bar.label.split(separator: " ")[0]))
            let unit = ["m": 1.0, "km": 1000, "ft": 0.3048, "mi": 1609.344][String(bar.label.split(separator: " ")[1])]
            let length = number * (try #require(unit))
            #expect(abs(length / metersPerCell * 2 - Double(bar.halfCells)) <= 0.5)
        }
    }

    @Test("the bar ends where its length ends, to half a cell")
    func barText() throws {
        let even = try #require(ScaleBar(metersPerCell: 25, maximumCells: 10, units: .metric))
        #expect(even.bar(isBraille: true) == "⣇⣀⣀⣀⣀⣀⣀⣸" && even.label == "200 m")
        let odd = try #require(ScaleBar(metersPerCell: 200.0 / 7.5, maximumCells: 9, units: .metric))
        #expect(odd.bar(isBraille: true) == "⣇⣀⣀⣀⣀⣀⣀⡇" && odd.bar(isBraille: false) == "|------|")
        for broken in [Double.nan, 0, -1, .infinity, 1e-9] {
            #expect(ScaleBar(metersPerCell: broken, maximumCells: 10, units: .metric) == nil)
        }
        #expect(ScaleBar(metersPerCell: 1e6, maximumCells: 10, units: .metric)?.label == "5000 km")
        #expect(ScaleBar(metersPerCell: 1e9, maximumCells: 10, units: .imperial) == nil)
        #expect(ScaleBar(metersPerCell: 10, maximumCells: 1, units: .metric) == nil)
    }

    @Test("a line is cut into level and steep stretches of one direction")
    func runs() throws {
        let line = [(0, 0), (10, 1), (20, 1), (21, 9), (20, 15), (5, 14), (9, 14)].map { DotPoint(x: Double($0.0), y: Double($0.1)) }
        let runs = LineRun.runs(of: line)
        #expect(runs.map(\.isLevel) == [true, false, true, true])
        #expect(runs.map(\.length) == [20, 14, 15, 4])
        #expect(runs[0].point(at: 5) == DotPoint(x: 5, y: 0.5) && runs[0].point(at: 25) == nil)
        #expect(LineRun.runs(of: []).isEmpty && LineRun.runs(of: [DotPoint(x: 1, y: 1)]).isEmpty)
    }

    @Test("a great circle bends towards the pole and keeps its ends")
    func greatCircle() throws {
        let (start, end) = (Coordinate(latitude: 50, longitude: -100), Coordinate(latitude: 50, longitude: 20))
        let line = GreatCircle.densified([start, end])
        #expect(line.first == start && line.last == end && line.count > 60)
        let highest = try #require(line.map(\.latitude).max())
        #expect(highest > 65)
        #expect(GreatCircle.densified([start, start]) == [start, start])
        #expect(GreatCircle.densified([]).isEmpty)
        let opposite = Coordinate(latitude: -50, longitude: 80)
        #expect(GreatCircle.densified([start, opposite]) == [start, opposite])
    }

    @Test("where traffic overlaps, the worse is drawn; none is drawn outside its stretches")
    func traffic() throws {
        let (start, end) = (Coordinate(latitude: 0, longitude: 0), Coordinate(latitude: 0, longitude: 1))
        let length = Polyline([start, end]).lengthMeters
        let traffic = [
            TrafficStretch(startMeters: -900, endMeters: 0.6 * length, speed: .slow),
            TrafficStretch(startMeters: 0.3 * length, endMeters: 0.8 * length, speed: .trafficJam),
            TrafficStretch(startMeters: 0.5 * length, endMeters: 0.7 * length, speed: .normal),
            TrafficStretch(startMeters: .nan, endMeters: length, speed: .trafficJam),
        ]
        let style = PolylineStyleOptions(isTrafficEnabled: true)
        let line = PolylineOverlay(coordinates: [start, end], style: style, traffic: traffic)
        let scene = MapScene(overlays: MapOverlays(polylines: [line]), showsScale: false)
        let camera = Camera(center: Coordinate(latitude: 0, longitude: 0.5), zoom: 8, size: Size(columns: 100, rows: 9))
        let canvas = SmallTown.draw(scene, camera).canvas
        let colors = style.trafficColors
        func color(_ fraction: Double) throws -> Color {
            let cell = try #require(camera.cell(at: Coordinate(latitude: 0, longitude: fraction)))
            return canvas[cell.column, cell.row].style.foreground
        }
        for fraction in [0.05, 0.25] { #expect(try color(fraction) == colors.slow) }
        for fraction in [0.35, 0.55, 0.65, 0.75] { #expect(try color(fraction) == colors.trafficJam) }
        #expect(try color(0.9) == colors.noData)
    }
}
