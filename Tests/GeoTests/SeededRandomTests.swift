import Geo
import Testing

@Suite("Seeded random numbers")
struct SeededRandomTests {
    @Test("the sequence of a seed never changes")
    func sequence() {
        var random = SeededRandom(seed: 1_234_567)
        let expected: [UInt64] = [
            6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423, 4_593_380_528_125_082_431,
            16_408_922_859_458_223_821,
        ]
        #expect(expected.map { _ in random.next() } == expected)
    }

    @Test("values drawn from a sequence never change")
    func draws() {
        var random = SeededRandom(seed: 42)
        #expect(random.unit() == 0.7415648787718233)
        #expect(random.int(in: -5...5) == -4)
        #expect(random.element(of: ["a", "b", "c"]) == "a")
        #expect(random.double(in: 10...20) == 13.441907165236376)
    }

    @Test("draws stay in range and fill it evenly")
    func ranges() {
        var random = SeededRandom(seed: 9)
        var counts = [Int](repeating: 0, count: 7)
        var (sum, squares, hits) = (0.0, 0.0, 0)
        for _ in 0..<70_000 {
            let unit = random.unit()
            #expect(unit >= 0 && unit < 1)
            counts[random.int(in: 0...6)] += 1
            let normal = random.normal()
            sum += normal
            squares += normal * normal
            if random.chance(0.25) { hits += 1 }
        }
        #expect(counts.allSatisfy { abs($0 - 10_000) < 500 })
        #expect(abs(sum / 70_000) < 0.02 && abs(squares / 70_000 - 1) < 0.03)
        #expect(abs(hits - 17_500) < 600)
    }

    @Test("the widest and the narrowest ranges work")
    func extremes() {
        var random = SeededRandom(seed: 10)
        #expect(random.int(in: 3...3) == 3)
        let wide = (0..<100).map { _ in random.int(in: .min...(.max)) }
        #expect(wide.contains { $0 < 0 } && wide.contains { $0 > 0 })
        #expect(random.int(in: (.max - 1)...(.max)) >= .max - 1)
        #expect(random.element(of: [Int]()) == nil)
        #expect(random.double(in: 5...5) == 5)
    }
}
