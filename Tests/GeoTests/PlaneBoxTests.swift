import Geo
import Testing

@Suite("Boxes on a plane")
struct PlaneBoxTests {
    private let box = PlaneBox(minX: -2, minY: 0, maxX: 6, maxY: 3)

    private func isInside(_ x: Double, _ y: Double, margin: Double) -> Bool {
        x >= box.minX - margin && x <= box.maxX + margin && y >= box.minY - margin && y <= box.maxY + margin
    }

    @Test("the part of a segment inside the box contains all points inside, and no others", arguments: 0..<20)
    func clipping(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        for _ in 0..<100 {
            let start = (x: random.double(in: -12...16), y: random.double(in: -8...11))
            let end =
                switch random.int(in: 0...4) {
                case 0: (x: start.x, y: random.double(in: -8...11))
                case 1: (x: random.double(in: -12...16), y: start.y)
                case 2: start
                default: (x: random.double(in: -12...16), y: random.double(in: -8...11))
                }
            let part = box.part(ofSegmentFromX: start.x, y: start.y, toX: end.x, y: end.y)
            if let part { #expect(part.enter >= 0 && part.leave <= 1 && part.enter <= part.leave) }
            for step in 0...64 {
                let share = Double(step) / 64
                let (x, y) = (start.x + (end.x - start.x) * share, start.y + (end.y - start.y) * share)
                let isPart = part.map { share >= $0.enter && share <= $0.leave } ?? false
                if isPart { #expect(isInside(x, y, margin: 1e-9)) } else { #expect(!isInside(x, y, margin: -1e-9)) }
            }
        }
    }

    @Test("a segment along an edge or touching a corner is inside at those points, and one beside the box is outside")
    func edges() {
        let along = box.part(ofSegmentFromX: -4, y: 3, toX: 12, y: 3)
        #expect(along?.enter == 0.125 && along?.leave == 0.625)
        let corner = box.part(ofSegmentFromX: 5, y: 4, toX: 7, y: 2)
        #expect(corner?.enter == 0.5 && corner?.leave == 0.5)
        #expect(box.part(ofSegmentFromX: -4, y: 3.001, toX: 12, y: 3.001) == nil)
        #expect(box.part(ofSegmentFromX: 7, y: 9, toX: 7, y: -9) == nil)
        #expect(PlaneBox.empty.part(ofSegmentFromX: 0, y: 0, toX: 1, y: 1) == nil)
    }

    @Test("an empty box grows to just hold its points")
    func growing() {
        var box = PlaneBox.empty
        box.include(x: 3, y: -1)
        #expect(box == PlaneBox(minX: 3, minY: -1, maxX: 3, maxY: -1))
        box.include(x: -2, y: 5)
        box.include(x: 0, y: 0)
        #expect(box == PlaneBox(minX: -2, minY: -1, maxX: 3, maxY: 5))
    }
}
