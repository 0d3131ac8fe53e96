import Geo
import TOMLText
import Testing

@Suite("TOML from random bytes and texts")
struct TOMLFuzzTests {
    #if DEBUG || UNOPTIMIZED
        private static let textsPerRound = 300
    #else
        private static let textsPerRound = 20_000
    #endif

    /// Parses a text and edits it. Neither step may crash, and an error must state its position.
    private static func exercise(_ bytes: [UInt8]) {
        do throws(TOMLDocument.Failure) {
            let document = try TOMLDocument(utf8: bytes)
            #expect(document.bytes == bytes)
            _ = document.lines()
            if let set = try? document.setting("a", to: .string("x\u{7f}\"\\")) {
                #expect((try? TOMLDocument(utf8: set).table["a"]) == .string("x\u{7f}\"\\"))
                if let unset = try? TOMLDocument(utf8: set).commentingOut("a", showing: "1") {
                    #expect((try? TOMLDocument(utf8: unset).table["a"]) == .some(nil))
                }
            }
        } catch {
            #expect(!error.sentence.isEmpty && error.sentence.utf8.allSatisfy { (0x20..<0x7f).contains($0) })
            #expect(error.line.map { (1...bytes.count { $0 == 0x0a } + 1).contains($0) } ?? true)
        }
    }

    @Test("Any bytes", arguments: 0..<8)
    func bytes(round: Int) {
        var random = SeededRandom(seed: UInt64(round))
        for _ in 0..<Self.textsPerRound {
            Self.exercise((0..<random.int(in: 0...80)).map { _ in UInt8(truncatingIfNeeded: random.next()) })
            Self.exercise((0..<random.int(in: 0...80)).map { _ in UInt8(random.int(in: 9...126)) })
            Self.exercise(Array((0..<random.int(in: 0...60)).map { _ in random.element(of: MadeUpTOML.pieces) ?? "" }.joined().utf8))
        }
    }

    @Test("Mutations and prefixes of texts", arguments: 0..<8)
    func mutations(round: Int) {
        var random = SeededRandom(seed: UInt64(100 + round))
        for _ in 0..<Self.textsPerRound / 2 {
            let text = MadeUpTOML.document(&random)
            Self.exercise(Array(text.utf8))
            Self.exercise(MadeUpTOML.mutated(text, &random))
            Self.exercise(Array(text.utf8.prefix(random.int(in: 0...text.utf8.count))))
        }
    }

    @Test("A value that was written reads back", arguments: 0..<4)
    func literals(round: Int) throws {
        var random = SeededRandom(seed: UInt64(200 + round))
        for _ in 0..<200 {
            let text = String(String.UnicodeScalarView((0..<8).compactMap { _ in Unicode.Scalar(UInt32(random.int(in: 1...0x2ff))) }))
            let bits = Double(bitPattern: random.next())
            let value = TOMLDocument.Value.array([
                .string(text), .integer(Int(truncatingIfNeeded: random.next())), .double(bits.isNaN ? -0.0 : bits),
                .boolean(random.chance(0.5)),
                .array([]),
            ])
            let written = try TOMLDocument(utf8: []).setting("key", to: value)
            #expect(try TOMLDocument(utf8: written).table == ["key": value])
        }
    }

    @Test("The worst text that fits in a file is read or refused at once")
    func worst() {
        let size = TOMLDocument.maximumBytes
        let texts = [
            String(repeating: "[", count: size), "a = " + String(repeating: "[", count: size - 4),
            "a = " + String(repeating: "{a=", count: size / 3 - 2), "a = " + String(repeating: "9", count: size - 4),
            "a = 0x" + String(repeating: "f", count: size - 6), "a = 1e" + String(repeating: "9", count: size - 6),
            "a = \"" + String(repeating: "\\u0041", count: size / 6 - 2) + "\"", "a = \"" + String(repeating: "\\", count: size - 5),
            "a = \"\"\"" + String(repeating: "\"\"\\\"", count: size / 4 - 3), "a = " + String(repeating: "'", count: size - 4),
            String(repeating: "a.", count: size / 2 - 4) + "a = 1", String(repeating: "[a.b]\n", count: size / 6),
            String(repeating: "[[a.b]]\n", count: size / 8), "a = [" + String(repeating: "[],", count: size / 3 - 3) + "]",
            "a = [" + String(repeating: "\n", count: size - 5), String(repeating: "#a = 1\n", count: size / 7),
            (0..<5_000).map { "k\($0) = {}" }.joined(separator: "\n"), String(repeating: "a", count: size),
            String(repeating: "\"", count: size),
            "a = [ " + (0..<2_000).map { "{ k\($0).k = [{ b.c = {} }] }" }.joined(separator: ",").prefix(size - 12) + " ]",
        ]
        let clock = ContinuousClock()
        let start = clock.now
        for text in texts { Self.exercise(Array(text.utf8.prefix(size))) }
        #expect(start.duration(to: clock.now) < .seconds(60))
        Self.exercise([UInt8](repeating: 0x61, count: 1_000_000))
    }
}
