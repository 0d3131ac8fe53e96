import Foundation
import Testing

@testable import Fuzzers

@Suite("The fuzzers")
struct FuzzersTests {
    private static let seeds = [Array("{\"lat\":48.5,\"lon\":-9.1}".utf8), Array("<gpx/>".utf8)]

    private static func inputs(seed: UInt64, count: Int = 2_000) -> [[UInt8]] {
        var mutator = Mutator(seeds, words: ["{", "<a>"], seed: seed)
        return (0..<count).map { mutator.next($0) }
    }

    @Test("the same seed makes the same input, and another seed makes other input")
    func seeds() {
        #expect(Self.inputs(seed: 3) == Self.inputs(seed: 3))
        #expect(Self.inputs(seed: 3) != Self.inputs(seed: 4))
    }

    @Test("valid input comes first, and then input of limited size that is rarely the same")
    func mutations() {
        let inputs = Self.inputs(seed: 1)
        #expect(Array(inputs.prefix(2)) == Self.seeds)
        #expect(Set(inputs).count > 1_000)
        #expect(inputs.allSatisfy { $0.count <= Mutator.largestInput })
        // The mutator must replace numbers in texts with unusual ones, with and without a sign.
        let texts = inputs.map { String(decoding: $0, as: UTF8.self) }
        #expect(texts.contains { $0.contains("\"lat\":1e999,") } && texts.contains { $0.contains("\"lon\":nan}") })
    }

    @Test("names of targets are valid file names, and unique")
    func names() {
        let names = FuzzTarget.all.map(\.name)
        #expect(names.count > 35 && Set(names).count == names.count)
        #expect(names.allSatisfy { name in name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") } })
    }

    @Test("the parts together contain every target once")
    func parts() {
        let parts = (0..<7).map { Fuzzers.part("\($0)/7", of: FuzzTarget.all).map(\.name) }
        #expect(parts.allSatisfy { $0.count >= 5 })
        #expect(parts.flatMap { $0 }.sorted() == FuzzTarget.all.map(\.name).sorted())
        for text in ["7/7", "-1/7", "1", "1/0", "a/7", ""] { #expect(Fuzzers.part(text, of: FuzzTarget.all).isEmpty, "\(text)") }
    }

    @Test("every target has valid input")
    func corpus() {
        for target in FuzzTarget.all {
            let inputs = target.seeds() + Corpus(nil).inputs(target.endings)
            #expect(inputs.contains { !$0.isEmpty }, "\(target.name)")
        }
    }

    /// Runs `work` with a target that refuses some inputs and breaks a rule for others.
    private static func run(_ work: (FuzzRun) async throws -> Void) async throws {
        let target = FuzzTarget("made-up") { input, _ in
            if input.first == 1 { throw CancellationError() }
            if input.first == 2 { throw FuzzFault(rule: "no two") }
        }
        let path = FileManager.default.temporaryDirectory.path + "/FuzzersTests-\(UUID()).input"
        defer { try? FileManager.default.removeItem(atPath: path) }
        try await work(try FuzzRun(target, path: path))
    }

    @Test("an input is in the file while it is tried, and is accepted, refused or breaks a rule")
    func feeding() async throws {
        try await Self.run { run in
            for (input, isRead) in [([UInt8](repeating: 0, count: 9), true), ([1, 1], false)] {
                let wasRead = try await run.feed(input)
                let kept = try Data(contentsOf: URL(filePath: run.path))
                #expect(wasRead == isRead && kept == Data(input))
            }
            await #expect(throws: FuzzFault.self) { try await run.feed([2]) }
        }
    }

    @Test("a run ends after its number of inputs, and fails if all valid input is refused")
    func runs() async throws {
        try await Self.run { run in
            let outcome = try await run.run(Mutator([[0], [1]], words: [], seed: 1), seconds: 60, executions: 2)
            #expect(outcome.count == 2 && outcome.refused == 1)
            await #expect(throws: FuzzFault.self) {
                try await run.run(Mutator([[1], [1]], words: [], seed: 1), seconds: 60, executions: 9)
            }
        }
    }

    @Test("text with a control character or a change of direction breaks the rule")
    func printable() throws {
        try FuzzFault.check(printable: "Café 東京 🚗", of: "a name")
        for text in ["a\u{1b}[2J", "a\nb", "\u{202e}a", "\u{85}"] {
            #expect(throws: FuzzFault.self) { try FuzzFault.check(printable: text, of: "a name") }
        }
    }
}
