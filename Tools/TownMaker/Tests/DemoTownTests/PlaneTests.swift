import Geo
import Glibc
import Testing

@testable import DemoTown

@Suite("Plane geometry")
struct PlaneTests {
    @Test("Own trigonometry agrees with the C library")
    func trigonometry() {
        for step in -2000...2000 {
            let angle = Double(step) * 0.0137
            let own = SteadyMath.sineAndCosine(angle)
            #expect(abs(own.sine - sin(angle)) < 1e-14)
            #expect(abs(own.cosine - cos(angle)) < 1e-14)
            let back = SteadyMath.arcTangent(y: own.sine * 3, x: own.cosine * 3)
            #expect(abs(back - atan2(own.sine, own.cosine)) < 1e-14)
        }
        #expect(SteadyMath.arcTangent(y: 0, x: 0) == 0)
        #expect(SteadyMath.arcTangent(y: 0, x: -1) == Double.pi)
        #expect(abs(SteadyMath.wrapped(7) - (7 - 2 * Double.pi)) < 1e-15)
    }

    @Test("Contours of a disc are a circle, low ground to the left, and a hole runs the other way")
    func contours() {
        let box = PlaneBox(minimum: Vector2(x: -100, y: -100), maximum: Vector2(x: 100, y: 100))
        var grid = ScalarGrid(box: box, spacing: 5, filledWith: 0)
        for row in 0..<grid.rows {
            for column in 0..<grid.columns { grid[column, row] = abs(grid.position(column: column, row: row).length - 50) }
        }
        let loops = grid.contours(at: 20).map { (area: Line.signedArea($0), ring: $0) }.sorted { $0.area < $1.area }
        #expect(loops.count == 2)
        #expect(abs(loops[0].area + Double.pi * 900) < 60)
        #expect(abs(loops[1].area - Double.pi * 4900) < 60)
        #expect(loops[1].ring.allSatisfy { abs($0.length - 70) < 0.6 })
    }

    @Test("A contour that runs off the lattice closes along its rim")
    func contourAtRim() {
        let box = PlaneBox(minimum: .zero, maximum: Vector2(x: 100, y: 100))
        var grid = ScalarGrid(box: box, spacing: 10, filledWith: 1)
        grid.lowerToCapsule(from: Vector2(x: -50, y: 50), to: Vector2(x: 200, y: 50), startHalfWidth: 15, endHalfWidth: 15, reach: 40)
        let loops = grid.contours(at: 0)
        #expect(loops.count == 1)
        #expect(Line.signedArea(loops[0]) > 2000)
    }

    @Test("A simplified line stays within its tolerance and keeps its ends")
    func simplification() {
        let line = (0...60).map { Vector2(x: Double($0) * 7, y: 40 * SteadyMath.sine(Double($0) / 9)) }
        let simple = Line.simplified(line, tolerance: 0.7)
        #expect(simple.count < line.count && simple.first == line.first && simple.last == line.last)
        for point in line {
            let distance = zip(simple, simple.dropFirst()).map { Line.distance(from: point, toSegment: $0, $1) }.min() ?? .infinity
            #expect(distance <= 0.7)
        }
    }

    @Test("Resampled lines have even steps")
    func resampling() {
        let line = [Vector2(x: 0, y: 0), Vector2(x: 3, y: 0), Vector2(x: 100, y: 0), Vector2(x: 100, y: 57)]
        let even = Line.resampled(line, step: 10)
        #expect(even.count == 17)
        #expect(even.first == line.first && even.last == line.last)
        for (start, end) in zip(even, even.dropFirst()) { #expect(start.distance(to: end) <= 10.001) }
    }

    @Test("Noise is smooth and stays in its range")
    func noise() {
        let noise = LatticeNoise(seed: 3)
        var previous = noise.value(at: Vector2(x: -500, y: 13), scale: 40)
        for step in -4999...5000 {
            let value = noise.value(at: Vector2(x: Double(step) / 10, y: 13), scale: 40)
            #expect(abs(value) <= 1 && abs(value - previous) < 0.02)
            previous = value
        }
    }

    @Test("A line without spikes keeps its ends and turns back nowhere beside a short piece")
    func spikes() {
        var random = SeededRandom(seed: 11)
        for _ in 0..<200 {
            var line = [Vector2.zero]
            for _ in 0..<random.int(in: 1...12) {
                line.append(line[line.count - 1] + Vector2(angle: random.double(in: -3...3)) * random.double(in: 0.5...60))
            }
            let smooth = Line.withoutSpikes(line)
            #expect(smooth.first == line.first && smooth.last == line.last && smooth.allSatisfy { line.contains($0) })
            for place in smooth.indices.dropFirst().dropLast() {
                let (before, after) = (smooth[place] - smooth[place - 1], smooth[place + 1] - smooth[place])
                #expect(before.dot(after) >= 0 || min(before.length, after.length) >= 30)
            }
        }
        let hook = [Vector2(x: 0, y: 0), Vector2(x: 100, y: 0), Vector2(x: 104, y: 3), Vector2(x: 60, y: 60)]
        #expect(Line.withoutSpikes(hook).count < hook.count)
        #expect(Line.withoutSpikes([.zero]) == [.zero] && Line.withoutSpikes([]).isEmpty)
    }
}
