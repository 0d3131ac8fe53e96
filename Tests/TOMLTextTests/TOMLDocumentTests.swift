import TOMLText
import Testing

@Suite("TOML as values")
struct TOMLDocumentTests {
    private static func failure(_ bytes: [UInt8]) -> TOMLDocument.Failure? {
        do throws(TOMLDocument.Failure) {
            _ = try TOMLDocument(utf8: bytes)
            return nil
        } catch { return error }
    }

    private static func failure(_ text: String) -> TOMLDocument.Failure? { failure(Array(text.utf8)) }

    @Test("Every kind of value arrives")
    func values() throws {
        let text = """
            text = "Mölln \\u2192"
            whole = -7
            hex = 0xff
            real = 1.5
            endless = inf
            yes = true
            no = false
            list = [1, "two", [3]]
            small = 1.5e-3
            minus = [-1, -2.5, +3]
            2031-05-04 = "a key"
            clock = 14:07:12
            "quoted.key" = 1
            dotted.key = 2
            [table]
            inner = { deep = "x" }
            [[rows]]
            n = 1
            [[rows]]
            n = 2
            """
        let document = try TOMLDocument(utf8: Array(text.utf8))
        #expect(
            document.table == [
                "text": .string("Mölln →"), "whole": .integer(-7), "hex": .integer(255), "real": .double(1.5),
                "endless": .double(.infinity),
                "yes": .boolean(true), "no": .boolean(false), "list": .array([.integer(1), .string("two"), .array([.integer(3)])]),
                "small": .double(0.0015), "minus": .array([.integer(-1), .double(-2.5), .integer(3)]), "2031-05-04": .string("a key"),
                "clock": .time, "quoted.key": .integer(1), "dotted": .table(["key": .integer(2)]),
                "table": .table(["inner": .table(["deep": .string("x")])]),
                "rows": .array([.table(["n": .integer(1)]), .table(["n": .integer(2)])]),
            ])
        #expect(try TOMLDocument(utf8: []).table == [:])
        #expect(try TOMLDocument(utf8: [0xef, 0xbb, 0xbf] + Array("a = 1".utf8)).table == ["a": .integer(1)])
    }

    @Test(
        "A mistake is reported with its line",
        arguments: [
            ("a = ", 1), ("a = 1\nb = = 2\n", 2), ("a = 1\na = 2\n", 2), ("\n\n[x\n", 3), ("a = \"open\n", 1),
            ("a = 99999999999999999999\n", 1),
            ("x = 1\n[x]\ny = 2\n", 2), ("a = 0x", 1), ("a.b = 1\na = 2", 2),
        ])
    func mistakes(text: String, line: Int) throws {
        let failure = try #require(Self.failure(text))
        #expect(failure.line == line)
        #expect(failure.column != nil)
        #expect(!failure.sentence.isEmpty)
        #expect(failure.sentence.unicodeScalars.allSatisfy { $0.value >= 0x20 })
    }

    @Test("A file that is not text, too long or nested too deeply is refused")
    func guarded() {
        #expect(Self.failure([0x61, 0x3d, 0x22, 0xff, 0xfe, 0x22])?.sentence == "the file is not UTF-8 text")
        #expect(Self.failure([0x61, 0xed, 0xa0, 0x80])?.sentence == "the file is not UTF-8 text")
        #expect(Self.failure("a = 1\n\u{0}b = 2")?.sentence == "the file contains a NUL character")
        #expect(Self.failure([UInt8](repeating: 0x20, count: 10_000_000))?.sentence == "the file is larger than 64 KiB")
        #expect(Self.failure([UInt8](repeating: 0x0a, count: 65_536)) == nil)
        #expect(Self.failure("x = 1\n" + String(repeating: "a.", count: 30_000) + "a = 1")?.line == 2)
        #expect(Self.failure("[" + String(repeating: "a.", count: 30_000) + "a]")?.sentence == "this is nested too deeply")
        #expect(Self.failure("a = " + String(repeating: "[", count: 60_000)) != nil)
        #expect(Self.failure(String(repeating: "a = {", count: 10_000)) != nil)
        #expect(Self.failure("a = [\n" + String(repeating: "[\n", count: 20_000))?.line == 17)
        #expect(Self.failure("a = 'x'''\"\"\"[[[") != nil)
    }

    @Test(
        "A table header without a proper beginning is refused",
        arguments: ["[=]", "[.a]", "[[ .a]]", "a = 1\n  [#]", "a = \"\"\"x\"\"\"\n[\\]", "a = [1,\n2]\n[,]", "[\n]", "[[[a]]]"])
    func headers(text: String) {
        #expect(Self.failure(text)?.sentence.hasPrefix("a table's name must") == true)
        #expect(Self.failure("[a]\n[ \"b\" ]\n[['c']]\n[[ _d-1 ]]\nx = [[1], [\n[2]]]") == nil)
    }

    @Test(
        "Foreign characters outside of texts, and braces that close lists, are refused",
        arguments: [
            "[é]", "é = 1", "a = [\u{2028}]", "a = [1,\u{85}2]", "[ \u{a0}a]", "a = \u{1}", "a = [}", "a = [1, }", "a = { b = [ { }, } ] }",
            "[a}",
        ])
    func foreign(text: String) {
        #expect(Self.failure(text)?.line == 1)
        #expect(Self.failure("\"é\" = 'ü' # ö\na = [ { b = [] }, {} ]") == nil)
    }

    @Test(
        "Dates are refused, since nothing has a use for them",
        arguments: ["2031-05-04", "2031-05-04 5", "[1, 2_031-05-04T14:07:12Z]", "{ a = 1-2 }"])
    func dates(value: String) {
        #expect(Self.failure("x = 1\na = \(value)")?.line == 2)
        #expect(Self.failure("x = 1\na = \(value)")?.sentence.hasPrefix("dates are not supported") == true)
        #expect(Self.failure("a = { b-1 = 1, c1-2 = 2 }\n[2031-05]\n1-2 = 0x1a\n[3-4.5-6]\n7-8.9-0 = 1") == nil)
    }

    @Test("A NUL may be written with a backslash")
    func escapedNul() throws {
        let document = try TOMLDocument(utf8: Array("\"a\\u0000b\" = 1\nc = \"d\\u0000e\"".utf8))
        #expect(document.table == ["a\0b": .integer(1), "c": .string("d\0e")])
    }

    @Test(
        "Brackets and dots in texts and comments do not count as nesting",
        arguments: [
            "# " + String(repeating: "[.", count: 200), "a = \"" + String(repeating: "{.", count: 200) + "\"",
            "a = '" + String(repeating: "[.\\", count: 200) + "'", "a = \"\"\"\n" + String(repeating: "[.\"\\\"", count: 200) + "\n\"\"\"",
            "a = '''\n" + String(repeating: "[.'", count: 200) + "\n'''", "a = \"\\\"" + String(repeating: "[", count: 99) + "\"",
            "a = \"\"\"x\"\"\"\"\" # \"" + String(repeating: "[", count: 99), "a = \"\" # \"" + String(repeating: "[", count: 99),
            "a = [" + String(repeating: "1.5, ", count: 99) + "2.5]", String(repeating: "a.b = 1\n[x.y]\n", count: 0) + "a = [[[[1]]]]",
        ])
    func notNested(text: String) {
        #expect(Self.failure(text) == nil)
    }

    @Test("The deepest allowed nesting is read")
    func deepest() throws {
        let depth = TOMLDocument.maximumDepth
        let list = "a = " + String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        #expect(Self.failure(list) == nil)
        let key = Array(repeating: "k", count: TOMLDocument.maximumDepth + 1).joined(separator: ".")
        var text = "[\(key)]\n\(key) = "
        for _ in 0..<depth { text += "{ \(key) = " }
        text += "1" + String(repeating: " }", count: depth)
        #expect(Self.failure(text) == nil)
        #expect(Self.failure("a = [" + list.dropFirst(4) + "]") != nil)
        #expect(Self.failure(key + ".k = 1") != nil)
    }

    @Test(
        "A mistake is described in a sentence, with line and column",
        arguments: [
            ("a =", "1:4 a value is missing here"), ("a = 1\nb = = 2", "2:5 a value is missing here"),
            ("a = [1,, 2]", "1:8 a value is missing here"),
            ("a = mono", "1:5 text must be in quotation marks"),
            ("a = 1.", "1:5 this is not a number; text must be in quotation marks"),
            ("a = 5s # x", "1:5 this is not a number; text must be in quotation marks"),
            ("a = 5 s", "1:7 the line must end here; only a comment that starts with \"#\" can follow"),
            ("a = 'ü'x", "1:8 the line must end here; only a comment that starts with \"#\" can follow"),
            ("a = 9223372036854775808", "1:5 this whole number is too large"),
            ("\n a = \"x\n\"", "2:6 the text that starts here has no quotation mark at its end"),
            ("a = \"\"\"x\n\"\"", "1:5 the text that starts here has no quotation mark at its end"),
            ("a = \"\\ud800\"", "1:6 no Unicode character has this code"),
            ("a = \"\\U00110000\"", "1:6 no Unicode character has this code"),
            ("a = \"\\u12g4\"", "1:6 \\u needs 4 hexadecimal digits"), ("a = \"\\U1234567\"", "1:6 \\U needs 8 hexadecimal digits"),
            ("a = \"C:\\me\"", "1:8 a backslash must be doubled, or the text must be in single quotes"),
            ("a = '\u{7}'", "1:6 a control character must be written with a backslash, such as \\u001b"),
            ("a = 1 # \u{7}", "1:9 a control character is not allowed in a comment"),
            ("a = [1 2]", "1:8 a list needs \"]\" at its end, and \",\" between its values"),
            ("a = [\n1,\n", "1:5 the list that starts here has no \"]\" at its end"),
            ("a = { b = 1 c = 2 }", "1:13 a table in braces needs \"}\" at its end, on the same line, and \",\" between its pairs"),
            ("a = { b = 1\n}", "1:12 a table in braces needs \"}\" at its end, on the same line, and \",\" between its pairs"),
            ("a = { b = 1, }", "1:14 a key must consist of letters, digits, \"-\" and \"_\", or be in quotation marks"),
            ("just words", "1:6 a key must be followed by \"=\" and a value"),
            ("a\nb = 1", "1:2 a key must be followed by \"=\" and a value"),
            ("[a", "1:3 the name of this table must end here with \"]\""),
            ("[[a]", "1:4 the name of this table must end here with \"]]\""),
            ("a = 1\n'a' = 2", "2:1 this key is already used on line 1"),
            ("[a]\n\n[ a ]", "3:1 this table's name is already used on line 1"),
            ("ä = 1", "1:1 only printable ASCII is allowed outside straight quotation marks and comments"),
            ("a = 1\rb = 2", "1:6 the line must end here; only a comment that starts with \"#\" can follow"),
        ])
    func sentences(text: String, message: String) throws {
        let failure = try #require(Self.failure(text))
        #expect("\(failure.line ?? 0):\(failure.column ?? 0) \(failure.sentence)" == message)
    }

    @Test(
        "A table is opened once, and dotted keys do not open a table that a header has opened",
        arguments: [
            ("[a]\n[b]\n[a]", 3), ("[a]\n[[a]]", 2), ("[[a]]\n[a]", 2), ("[a.b]\n[[a]]", 2), ("a = []\n[[a]]", 2), ("a = {}\n[a.b]", 2),
            ("a = {}\na.b = 1", 2), ("a = { b = 1, b.c = 2 }", 1), ("a.b = 1\n[a]", 2), ("[a]\nb.c = 1\n[a.b]", 3),
            ("[a.b.c]\nz = 1\n[a]\nb.c.t = 1", 4), ("[[a.b]]\n[a]\nb.c = 1", 3), ("a = 1\n[a.b]", 2), ("a = 1\na.b = 2", 2),
        ])
    func clashes(text: String, line: Int) { #expect(Self.failure(text)?.line == line) }

    @Test(
        "Tables below an existing one may come in any order",
        arguments: [
            "[a.b]\n[a]\nx = 1\n[a.c]", "[[a]]\n[a.b]\n[[a]]\n[a.b]", "a.b.c = 1\na.b.d = 2\na.e = 3", "[a.b.c]\n[a]\nb.d = 1",
            "[a]\nb.c = 1\n[a.b.d]", "a = { b.c = 1, b.d = 2 }", "[a]\n[[a.b]]\n[[a.b]]\nc = [[], {}]",
        ])
    func orders(text: String) { #expect(Self.failure(text) == nil) }
}
