import Geo
import TerminalCanvas
import Testing
import Themes

@testable import TripWatchSettings

@Suite("Random themes")
struct ThemeFuzzTests {
    private static let words = [
        "\"", "'", "\"\"\"", "'''", "[", "]", "[[", "]]", "{", "}", "=", ",", ".", "#", "\n", "\r\n", "\\", "\\u0000", "\\U0010ffff",
        "\\ud800",
        "true", "nan", "1e999", "-9223372036854775808", "0x", "0b2", "1979-05-27T07:32:00Z", "07:32", "inherits", "palette", "palette16",
        "route", "map.road", "fg", "bg", "width", "icon", "anchor", "default", "#ffffff", "fuzz", "fuzz1", "\u{feff}", "\u{202e}", "é", "東",
        "\u{1f697}",
        "\u{0}", "\u{7f}", "\u{b}", "\r", "\u{85}", "\u{2028}", "\u{a0}", "\t", "+", "_", "1_0", "e", "a.b.c.d", "256", "-1",
    ]

    private static func mutated(_ bytes: [UInt8], _ random: inout SeededRandom) -> [UInt8] {
        var bytes = bytes
        for _ in 0...random.int(in: 0...12) {
            let place = random.int(in: 0...bytes.count)
            let end = min(bytes.count, place + random.int(in: 0...40))
            switch random.int(in: 0...6) {
            case 0: bytes.removeSubrange(place..<end)
            case 1: bytes.insert(UInt8(truncatingIfNeeded: random.next()), at: place)
            case 2: if place < bytes.count { bytes[place] ^= 1 << UInt8(random.int(in: 0...7)) }
            case 3: bytes.insert(contentsOf: Array(bytes[place..<end]), at: random.int(in: 0...bytes.count))
            case 4: bytes.removeSubrange(place...)
            default: bytes.insert(contentsOf: Array((random.element(of: words) ?? "").utf8), at: place)
            }
            if bytes.isEmpty { bytes = Array("a = 1".utf8) }
        }
        return bytes
    }

    @Test("Mutated themes load or are refused, and never cause a crash", arguments: 0..<8)
    func mutations(round: Int) {
        var random = SeededRandom(seed: UInt64(7_000 + round))
        let texts = ThemeCatalog.embeddedNames.compactMap { EmbeddedThemes.all[$0] }
        for _ in 0..<30 {
            let files = [0, 1].map { _ in Self.mutated(random.element(of: texts) ?? [], &random) }
            let catalog = ThemeCatalog(userThemes: ["fuzz", "fuzz1"]) { $0 == "fuzz.toml" ? files[0] : files[1] }
            let loaded = catalog.load("fuzz", depth: random.element(of: ColorDepth.allCases) ?? .none)
            #expect(loaded.theme.name == "fuzz" || loaded.messages.contains { $0.severity == .error })
            #expect(loaded.messages.count <= 24)
            for message in loaded.messages {
                #expect(message.description.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7f })
                #expect(message.description.count < 1_500)
            }
        }
    }

    @Test("Texts put together from pieces of the language never cause a crash", arguments: 0..<8)
    func pieces(round: Int) {
        var random = SeededRandom(seed: UInt64(9_000 + round))
        for _ in 0..<40 {
            let text = (0..<random.int(in: 1...60)).map { _ in (random.element(of: Self.words) ?? "") + (random.chance(0.3) ? " " : "") }
                .joined()
            let loaded = catalog(["fuzz": text]).load("fuzz", depth: .palette256)
            #expect(!loaded.theme.name.isEmpty)
        }
    }
}
