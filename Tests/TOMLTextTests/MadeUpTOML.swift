import Geo

/// Creates random documents similar to TOML. Most of them are valid; some contradict themselves.
enum MadeUpTOML {
    private static let names = ["a", "b", "c", "d-1", "_", "2031", "\"a\"", "'b c'", "\"\\u00e9\"", "\"\"", "true", "1e5"]

    static func document(_ random: inout SeededRandom) -> String {
        var text = random.chance(0.05) ? "\u{feff}" : ""
        let lineEnd = random.chance(0.2) ? "\r\n" : "\n"
        for _ in 0..<random.int(in: 0...8) {
            switch random.int(in: 0...9) {
            case 0: text += blank(&random)
            case 1: text += "# " + (random.element(of: ["x", "[a]", "a = 1", "\"", "é\t"]) ?? "")
            case 2: text += blank(&random) + "[" + key(&random) + "]"
            case 3: text += "[[" + key(&random) + "]]" + comment(&random)
            default: text += pair(&random, depth: 0) + comment(&random)
            }
            text += lineEnd
        }
        return random.chance(0.3) ? text + pair(&random, depth: 0) : text
    }

    /// Returns a text as bytes, with some bytes removed, inserted or changed.
    static func mutated(_ text: String, _ random: inout SeededRandom) -> [UInt8] {
        var bytes = Array(text.utf8)
        for _ in 0...random.int(in: 0...4) {
            let place = random.int(in: 0...bytes.count)
            let end = min(bytes.count, place + random.int(in: 0...9))
            switch random.int(in: 0...5) {
            case 0: bytes.removeSubrange(place..<end)
            case 1: bytes.insert(UInt8(truncatingIfNeeded: random.next()), at: place)
            case 2: bytes.insert(contentsOf: Array(bytes[place..<end]), at: random.int(in: 0...bytes.count))
            case 3: bytes.removeSubrange(place...)
            default: bytes.insert(contentsOf: Array((random.element(of: pieces) ?? "").utf8), at: place)
            }
        }
        return bytes
    }

    static let pieces = [
        "\"", "'", "\"\"\"", "'''", "[", "]", "{", "}", "=", ".", "#", "\n", "\r\n", "\r", "\\", "\\\n", " ", "a", "é", "\u{feff}", "1",
        ",", "_",
        "e", "+", "-", ":", "0x", "\\ud800", "\\U0010ffff", "\u{7f}", "\u{1}", "\t", "inf", "00", "99999999999999999999", "1e999",
        "12:00:00",
    ]

    private static func blank(_ random: inout SeededRandom) -> String { random.element(of: ["", "", " ", "\t ", "  "]) ?? "" }

    private static func comment(_ random: inout SeededRandom) -> String { blank(&random) + (random.chance(0.1) ? "# \"'[{" : "") }

    private static func key(_ random: inout SeededRandom) -> String {
        (0..<(random.element(of: [1, 1, 1, 2, 3]) ?? 1)).map { _ in blank(&random) + (random.element(of: names) ?? "a") }.joined(
            separator: ".")
            + blank(&random)
    }

    private static func pair(_ random: inout SeededRandom, depth: Int) -> String {
        key(&random) + "=" + blank(&random) + value(&random, depth: depth)
    }

    private static func value(_ random: inout SeededRandom, depth: Int) -> String {
        switch random.int(in: 0...(depth < 3 ? 9 : 6)) {
        case 0: return random.element(of: ["true", "false"]) ?? ""
        case 1: return random.element(of: ["1", "+7", "-0", "0", "1_000", "0xdead_BEEF", "0o17", "0b1_0", "-9223372036854775808"]) ?? ""
        case 2:
            return random.element(of: ["0.0", "-1.5", "6.626e-34", "1e06", "5E+22", "1_0.2_5", "inf", "-nan", "3.1e-400", "1e400"]) ?? ""
        case 3: return random.element(of: ["'C:\\x'", "''", "'''\nx\n\n'y'''", "''''x'''''", "'\"#'"]) ?? ""
        case 4: return random.element(of: ["12:00:00", "23:59:59.999"]) ?? ""
        case 5, 6: return text(&random)
        case 7, 8:
            let separator = blank(&random) + "," + (random.element(of: ["", " ", "\n", " # c ] }\n\t", "\r\n"]) ?? "")
            let items = (0..<random.int(in: 0...3)).map { _ in value(&random, depth: depth + 1) }
            let end = random.chance(0.3) && !items.isEmpty ? ",\n" : blank(&random)
            return "[" + blank(&random) + items.joined(separator: separator) + end + "]"
        default:
            let pairs = (0..<random.int(in: 0...3)).map { _ in pair(&random, depth: depth + 1) }
            return "{" + blank(&random) + pairs.joined(separator: ",") + blank(&random) + "}"
        }
    }

    private static func text(_ random: inout SeededRandom) -> String {
        let isLong = random.chance(0.3)
        let parts = ["x", " ", "é", "東", "\\n", "\\\"", "\\\\", "\\u00e9", "\\U0001F697", "'", "#", "]", "\t"]
        let longParts = parts + ["\n", "\r\n", "\"", "\"\"x", "\\\n  \n ", "\\ \t\r\n"]
        let mark = isLong ? "\"\"\"" : "\""
        return mark + (0..<random.int(in: 0...6)).map { _ in random.element(of: isLong ? longParts : parts) ?? "" }.joined() + mark
    }
}
