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

    @Test("traffic covers the whole line, in order and inside it")
    func speedRuns() {
        let points = (0..<10).map { Coordinate(latitude: 0, longitude: Double($0)) }
        func runs(_ traffic: [(ClosedRange<Int>, TrafficSpeed)]) -> [String] {
            let line = PolylineOverlay(
                coordinates: points, traffic: traffic.map { PolylineOverlay.TrafficInterval(points: $0.0, speed: $0.1) })
            return line.speedRuns.map { "\($0.points.lowerBound)-\($0.points.upperBound) \($0.speed)" }
        }
        #expect(runs([]).isEmpty)
        #expect(runs([(2...4, .slow)]) == ["0-2 noData", "2-4 slow", "4-9 noData"])
        #expect(runs([(5...99, .trafficJam), (-7...3, .normal)]) == ["0-3 normal", "3-5 noData", "5-9 trafficJam"])
        #expect(runs([(0...6, .normal), (3...9, .slow)]) == ["0-6 normal", "6-9 slow"])
        #expect(runs([(20...30, .slow), (4...4, .slow)]) == ["0-9 noData"])
    }
}
