import Geo
import TOMLText
import Testing

@testable import TripWatchSettings

@Suite("Random configuration files")
struct ConfigurationFuzzTests {
    #if DEBUG || UNOPTIMIZED
        private static let textsPerRound = 40
    #else
        private static let textsPerRound = 2_000
    #endif

    private static let words =
        ConfigurationKey.all.map(\.name) + [
            "\"", "'", "\"\"\"", "'''", "[", "]", "[[", "]]", "{", "}", "=", ",", ".", "#", "\n", "\n", "\r\n", "\\", "\\u0000",
            "\\U0010ffff",
            "\\ud800", "true", "nan", "1e999", "-9223372036854775808", "0x", "1979-05-27T07:32:00Z", "07:32", "profiles", "[profiles.a]\n",
            "profiles.a.", "token", "\"de\"", "'mono'", "= 5\n", "= \"\"\n", "#", "~/", "\u{feff}", "\u{202e}", "é", "東", "\u{1f697}",
            "\u{0}", "\u{7f}", "\u{1b}[2J", "\r", "\u{85}", "\u{2028}", "\u{2066}", "\t", "_",
        ]

    /// Runs every operation on a text. No operation may crash, no message may contain control characters, and no edit may
    /// change another key.
    private static func exercise(_ bytes: [UInt8], _ random: inout SeededRandom) {
        let profile = random.element(of: [nil, "a", "", "\u{1b}[31m\u{202e}"]) ?? nil
        let read = Configuration.read(utf8: bytes, home: "/home/nobody", directory: "/x", profile: profile)
        #expect(read.messages.allSatisfy(isPrintable), "\(read.messages)")
        #expect(read.messages.count <= 22)
        guard let key = random.element(of: ConfigurationKey.all), let typed = random.element(of: ValidValues.typed[key.name] ?? []) else {
            return
        }
        let old = try? TOMLDocument(utf8: bytes).table
        do throws(ConfigurationMessage) {
            let new = try Configuration.setting(key.name, to: typed, in: bytes)
            var expected = old ?? [:]
            expected[key.name] = key.form.value(typed: typed)
            #expect((try? TOMLDocument(utf8: new).table) == expected)
        } catch {
            #expect(isPrintable(error))
        }
        do throws(ConfigurationMessage) {
            let new = try Configuration.unsetting(key.name, in: bytes)
            var expected = old ?? [:]
            expected[key.name] = nil
            #expect((try? TOMLDocument(utf8: new).table) == expected || new == bytes)
        } catch {
            #expect(isPrintable(error))
        }
    }

    private static func mutated(_ bytes: [UInt8], _ random: inout SeededRandom) -> [UInt8] {
        var bytes = bytes
        for _ in 0...random.int(in: 0...8) {
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
        }
        return bytes
    }

    @Test("Random bytes", arguments: 0..<2)
    func noise(round: Int) {
        var random = SeededRandom(seed: UInt64(5_100 + round))
        for _ in 0..<Self.textsPerRound {
            let bytes = (0..<random.int(in: 0...200)).map { _ in UInt8(truncatingIfNeeded: random.next()) }
            Self.exercise(bytes, &random)
        }
    }

    @Test("Texts put together from pieces of the language", arguments: 0..<4)
    func pieces(round: Int) {
        var random = SeededRandom(seed: UInt64(5_200 + round))
        for _ in 0..<Self.textsPerRound {
            let text = (0..<random.int(in: 1...40)).map { _ in (random.element(of: Self.words) ?? "") + (random.chance(0.3) ? " " : "") }
            Self.exercise(Array(text.joined().utf8), &random)
        }
    }

    @Test("Valid files with random damage", arguments: 0..<4)
    func mutations(round: Int) {
        var random = SeededRandom(seed: UInt64(5_300 + round))
        let lines = ValidValues.written.sorted { $0.key < $1.key }.map { "\($0.key) = \($0.value.last ?? "")" }
        let texts = [lines.joined(separator: "\n"), "theme = 'mono'\n[profiles.a]\n" + lines.dropLast(9).joined(separator: "\r\n")]
        for _ in 0..<Self.textsPerRound {
            Self.exercise(Self.mutated(Array((random.element(of: texts) ?? "").utf8), &random), &random)
        }
    }

    @Test("The default file, cut off anywhere", arguments: 0..<2)
    func truncated(round: Int) {
        var random = SeededRandom(seed: UInt64(5_400 + round))
        let text = Array(Configuration.defaultText.replacing("\n#", with: round == 0 ? "\n#" : "\n").utf8)
        for _ in 0..<Self.textsPerRound / 2 { Self.exercise(Array(text.prefix(random.int(in: 0...text.count))), &random) }
    }
}
