import Testing

@testable import TileFuzz

@Suite struct FuzzTests {
    #if DEBUG || UNOPTIMIZED
        private static let stepCount = 60
    #else
        private static let stepCount = 2000
    #endif

    @Test("broken input of every kind is refused or read, and never causes a crash", arguments: FuzzKind.allCases, [UInt64(1), 2])
    func steps(kind: FuzzKind, seed: UInt64) async throws {
        let scratch = try Scratch()
        var fuzzer = try Fuzzer(kind, seed: seed, directory: scratch.path)
        for _ in 0..<Self.stepCount { try await fuzzer.step() }
        #expect(fuzzer.failures.isEmpty)
        // Some inputs must be broken and some valid, or the test proves nothing.
        #expect(fuzzer.counts[.refused] ?? 0 > 0 && fuzzer.counts[.read] ?? 0 > 0)
    }

    @Test("the same seed makes the same input")
    func determinism() throws {
        let scratch = try Scratch()
        var (first, second) = (
            try Fuzzer(.pmtiles, seed: 5, directory: scratch.path), try Fuzzer(.pmtiles, seed: 5, directory: scratch.path)
        )
        for _ in 0..<50 { #expect(first.next() == second.next()) }
    }
}
