import Geo
import Testing

@testable import DemoTown

@Suite("The shape of the town")
struct ShapeTests {
    @Test("The houses cover some six by five kilometres")
    func builtUpArea() throws {
        for town in Towns.few {
            let areas = town.features.filter { $0.kind == .residentialArea }.map { $0.coordinates.map { Spot($0) } }
            let largest = try #require(areas.max { $0.count < $1.count })
            let width = (largest.map(\.x).max() ?? 0) - (largest.map(\.x).min() ?? 0)
            let height = (largest.map(\.y).max() ?? 0) - (largest.map(\.y).min() ?? 0)
            #expect((4600...7600).contains(width), "seed \(town.seed)")
            #expect((3900...6600).contains(height), "seed \(town.seed)")
        }
    }

    @Test("Blocks are of the size of blocks")
    func blocks() {
        let faces = TownDraft(seed: DemoTown.defaultSeed).faces.filter { $0.area > 0 && $0.area < 400_000 }
        let areas = faces.map(\.area).sorted()
        #expect((4500...13_000).contains(areas[areas.count / 2]), "median \(areas[areas.count / 2])")
        let slivers = faces.filter { $0.thickness < 8 }
        #expect(Double(slivers.count) < Double(faces.count) * 0.01, "\(slivers.count)")
    }
}
