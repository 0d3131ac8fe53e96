import Geo
import TerminalCanvas
import Testing

@Suite("Broken lines")
struct DashTests {
    private func raster() -> DotRaster { DotRaster(size: Size(columns: 30, rows: 15), painter: .braille) }
    private func places(_ raster: DotRaster, row: Int) -> [Int] { (0..<60).filter { raster.isSet(x: $0, y: row) } }

    @Test("Dots follow the pattern, forwards and backwards")
    func rhythm() {
        var forwards = raster()
        forwards.polyline([DotPoint(x: 0, y: 0), DotPoint(x: 11, y: 0)], dashes: .sparse, ink: line)
        #expect(places(forwards, row: 0) == [0, 3, 6, 9])
        var backwards = raster()
        backwards.polyline([DotPoint(x: 11, y: 0), DotPoint(x: 0, y: 0)], dashes: .sparse, ink: line)
        #expect(places(backwards, row: 0) == [2, 5, 8, 11])
        var slanted = raster()
        slanted.polyline([DotPoint(x: 0, y: 0), DotPoint(x: 11, y: 11)], dashes: .sparse, ink: line)
        #expect(slanted.dots == [[0, 0], [3, 3], [6, 6], [9, 9]])
    }

    @Test("The phase continues over joints, over clipped parts and into the next line")
    func phase() {
        var whole = raster()
        let end = whole.polyline([DotPoint(x: -100, y: 2), DotPoint(x: 200, y: 2)], dashes: .dashed, phase: 3, ink: line)
        var pieces = raster()
        let cuts = [-100.0, -61, -3, 0, 1, 2, 4, 17, 33, 59, 60, 190, 200]
        var phase = pieces.polyline(cuts[..<6].map { DotPoint(x: $0, y: 2) }, dashes: .dashed, phase: 3, ink: line)
        phase = pieces.polyline(cuts[5...].map { DotPoint(x: $0, y: 2) }, dashes: .dashed, phase: phase, ink: line)
        #expect(pieces.dots == whole.dots)
        #expect(phase == end)
        #expect(end == (300 + 3.0).truncatingRemainder(dividingBy: 8))
        #expect(places(whole, row: 2) == (0..<60).filter { ($0 + 103) % 8 < 5 })
    }

    @Test("A broken thin line is a part of the solid one")
    func part() {
        var generator = SeededRandom(seed: 21)
        for _ in 0..<100 {
            let points = (0..<5).map { _ in DotPoint.random(in: -40...100, using: &generator) }
            var (solid, broken) = (raster(), raster())
            solid.polyline(points, ink: line)
            broken.polyline(points, dashes: DashPattern(lengths: [4, 2, 1]), ink: line)
            #expect(broken.dots.isSubset(of: solid.dots))
            if solid.dots.count > 60 { #expect(broken.dots.count > solid.dots.count / 4 && broken.dots.count < solid.dots.count) }
        }
    }

    @Test("Gaps of a wide line keep their length, and clipping adds none")
    func wide() {
        let pattern = DashPattern(lengths: [8, 6])
        for start in [0.0, -28, -1_400_000_000] {
            var line2 = raster()
            line2.polyline([DotPoint(x: start, y: 5), DotPoint(x: 1_400, y: 5)], width: 2, dashes: pattern, ink: line)
            #expect(places(line2, row: 5) == (0..<60).filter { $0 % 14 < 8 })
            #expect(places(line2, row: 4) == places(line2, row: 5))
            #expect(places(line2, row: 6).isEmpty)
        }
    }

    @Test(
        "Patterns that make no sense are solid",
        arguments: [
            [], [0, 1], [-1, 3], [.nan, 2], [.infinity, 1], [1e-9, 1e-9], [1, 1, 1, 1, 1, 1, 1, 1, 1], [1e9, 1],
        ] as [[Double]])
    func nonsense(lengths: [Double]) {
        #expect(DashPattern(lengths: lengths).isSolid)
    }

    @Test("Tiny patterns and long lines end soon")
    func long() {
        var generator = SeededRandom(seed: 22)
        for _ in 0..<50 {
            var target = raster()
            let points = (0..<20).map { _ in DotPoint.random(in: -1e9...1e9, using: &generator) }
            for width in [1.0, 4] {
                let end = target.polyline(points, width: width, dashes: DashPattern(lengths: [0.001, 1]), phase: 1e300, ink: line)
                #expect(end >= 0 && end < 1.001)
            }
        }
    }
}
