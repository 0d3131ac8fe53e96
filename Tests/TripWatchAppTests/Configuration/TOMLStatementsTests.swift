import Geo
import Testing

@testable import TripWatchApp

@Suite("TOML in statements")
struct TOMLStatementsTests {
    private func text(_ range: Range<Int>, of text: String) -> String { String(decoding: Array(text.utf8)[range], as: UTF8.self) }

    /// The pairs of a text: the path and the value as they are written.
    private func pairs(_ toml: String) -> [String] {
        TOMLStatements(Array(toml.utf8)).all.compactMap { statement in
            guard case .pair(let path, let value) = statement.content else { return nil }
            return path.joined(separator: "/") + "=" + text(value.range, of: toml)
        }
    }

    @Test(
        "Pairs are found however they are written",
        arguments: [
            ("a=1", ["a=1"]), (" a \t=\t 1  # b = 2\r\nc = 3\r\n", ["a=1", "c=3"]), ("a . b.'c d' . \"e\\u0066\" = 1", ["a/b/c d/ef=1"]),
            ("a = \"#\\\"\" # x", ["a=\"#\\\"\""]), ("a = '#\\'#'", ["a='#\\'"]), ("a = \"\"\nb = ''", ["a=\"\"", "b=''"]),
            ("a = \"\"\"\n# no\nb = 1\"\"\"\"\" # yes\nc = 1", ["a=\"\"\"\n# no\nb = 1\"\"\"\"\"", "c=1"]),
            ("a = '''x\ny'''\nb = 1", ["a='''x\ny'''", "b=1"]), ("a = '''x'''' # '\nb = 1", ["a='''x''''", "b=1"]),
            ("a = [\n1, # ]\n'#]',\n]\nb = 1", ["a=[\n1, # ]\n'#]',\n]", "b=1"]),
            ("a = { b = [1], c = \"}\" }# d\n", ["a={ b = [1], c = \"}\" }"]), ("\u{feff}a = 1", ["a=1"]), ("\"\" = 1", ["=1"]),
        ])
    func pairs(toml: String, pairs: [String]) {
        #expect(self.pairs(toml) == pairs)
        #expect((try? TOMLDocument(utf8: Array(toml.utf8))) != nil)
    }

    @Test("Lines are told for keys, tables and what they are parts of")
    func lines() {
        let text = "# a\n\na.b = 1\nc = [\n1 ]\n[ d . \"e\" ]\nf = '''\n'''\n\n[[g]]\nh = 1\n[[g]]\nh = 2"
        let lines = TOMLStatements(Array(text.utf8)).lines()
        #expect(
            lines == [
                ["a"]: 3, ["a", "b"]: 3, ["c"]: 4, ["d"]: 6, ["d", "e"]: 6, ["d", "e", "f"]: 7, ["g"]: 10, ["g", "h"]: 11,
            ])
    }

    @Test("Statements cover every text without a gap, and the lines are counted", arguments: 0..<4)
    func cover(round: Int) {
        var random = SeededRandom(seed: UInt64(400 + round))
        let pieces = [
            "\"", "'", "\"\"\"", "'''", "[", "]", "{", "}", "=", ".", "#", "\n", "\r\n", "\\", " ", "a", "é", "\u{feff}", "1", ",",
        ]
        for _ in 0..<100 {
            let bytes = Array((0..<random.int(in: 0...60)).map { _ in random.element(of: pieces) ?? "" }.joined().utf8)
            let start = bytes.starts(with: [0xef, 0xbb, 0xbf]) ? 3 : 0
            var (index, line) = (start, 1)
            for statement in TOMLStatements(bytes).all {
                #expect(statement.range.lowerBound == index && statement.line == line && !statement.range.isEmpty)
                if case .pair(_, let value) = statement.content { #expect(value.range.clamped(to: statement.range) == value.range) }
                index = statement.range.upperBound
                line += bytes[statement.range].count { $0 == UInt8(ascii: "\n") }
            }
            #expect(index == bytes.count)
        }
    }
}
