import Geo
import TOMLText
import Testing

@Suite("TOML in statements")
struct TOMLStatementsTests {
    private func text(_ range: Range<Int>, of text: String) -> String { String(decoding: Array(text.utf8)[range], as: UTF8.self) }

    /// Returns the pairs of a text: each path, and its value as written in the text.
    private func pairs(_ toml: String) throws -> [String] {
        try TOMLDocument(utf8: Array(toml.utf8)).statements.compactMap { statement in
            guard case .pair(let path, let value, _) = statement.content else { return nil }
            return path.joined(separator: "/") + "=" + text(value, of: toml)
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
    func pairs(toml: String, pairs: [String]) throws { #expect(try self.pairs(toml) == pairs) }

    @Test("The lines of keys and tables, and of the tables that contain them, are known")
    func lines() throws {
        let text = "# a\n\na.b = 1\nc = [\n1 ]\n[ d . \"e\" ]\nf = '''\n'''\n\n[[g]]\nh = 1\n[[g]]\nh = 2"
        let lines = try TOMLDocument(utf8: Array(text.utf8)).lines()
        #expect(
            lines == [
                ["a"]: 3, ["a", "b"]: 3, ["c"]: 4, ["d"]: 6, ["d", "e"]: 6, ["d", "e", "f"]: 7, ["g"]: 10, ["g", "h"]: 11,
            ])
    }

    @Test("Comments inside a value are noticed")
    func comments() throws {
        let text = "a = [ 1, # one\n2 ]\nb = [ 1 ] # all\nc = \"#\"\nd = { e = [\n#\n] }"
        let found = try TOMLDocument(utf8: Array(text.utf8)).statements.compactMap { statement in
            if case .pair(_, _, let hasComments) = statement.content { hasComments } else { nil }
        }
        #expect(found == [true, false, false, true])
    }

    @Test("Statements cover every text without a gap, and the lines are counted", arguments: 0..<8)
    func cover(round: Int) throws {
        var random = SeededRandom(seed: UInt64(400 + round))
        for _ in 0..<200 {
            let bytes = Array(MadeUpTOML.document(&random).utf8)
            guard let document = try? TOMLDocument(utf8: bytes) else { continue }
            #expect(document.bytes == bytes)
            let start = bytes.starts(with: [0xef, 0xbb, 0xbf]) ? 3 : 0
            var (index, line) = (start, 1)
            for statement in document.statements {
                #expect(statement.range.lowerBound == index && statement.line == line && !statement.range.isEmpty)
                if case .pair(_, let value, _) = statement.content {
                    #expect(value.clamped(to: statement.range) == value && !value.isEmpty)
                }
                index = statement.range.upperBound
                line += bytes[statement.range].count { $0 == UInt8(ascii: "\n") }
            }
            #expect(index == bytes.count)
        }
    }
}
