import Foundation
import Testing

/// Checks docs/security.md: the suites that it names exist, and it lists every limit in the sources with the correct value.
@Suite("The page about security")
struct SecurityPageTests {
    private static let root = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    private static func text(_ path: String) throws -> String { try String(contentsOf: root.appending(path: path), encoding: .utf8) }

    /// Returns the cells of the table rows below a heading, without the titles of the columns.
    private static func rows(_ heading: String) throws -> [[String]] {
        let sections = try text("docs/security.md").components(separatedBy: "\n## ")
        let section = try #require(sections.first { $0.hasPrefix(heading + "\n") }, "\(heading)")
        let lines = section.split(separator: "\n")
        let next = lines.dropFirst().map(String.init) + [""]
        let rows = zip(lines, next).filter { $0.hasPrefix("| ") && !$1.hasPrefix("|---") }.map { $0.0 }
        return rows.map { $0.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) } }
    }

    @Test("every suite that the page names for a promise exists")
    func suites() throws {
        let folder = Self.root.appending(path: "Tests")
        let files = try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".swift") }
        let suites = try files.reduce(into: Set<String>()) { all, file in
            let text = try String(contentsOf: folder.appending(path: file), encoding: .utf8)
            all.formUnion(text.matches(of: #/@Suite\(\s*"([^"]+)"/#).map { String($0.1) })
        }
        let rows = try Self.rows("Promises")
        #expect(rows.count > 20 && suites.count > 200)
        for row in rows {
            let named = try #require(row.last).matches(of: #/\*([^*]+)\*/#).map { String($0.1) }
            #expect(row.count == 3 && !named.isEmpty, "\(row)")
            for name in named { #expect(suites.contains(name), "\(name)") }
        }
    }

    @Test("every limit has the value of its constant")
    func limits() throws {
        let rows = try Self.rows("Limits")
        #expect(rows.count > 100)
        for row in rows {
            try #require(row.count == 4, "\(row)")
            let (path, name) = (row[2].filter { $0 != "`" }, row[3].filter { $0 != "`" })
            let source = try Self.text("Sources/" + path)
            #expect(try Self.value(shown: row[1]) == Self.value(of: name, in: source), "\(row[0])")
        }
    }

    /// The usual names of constants that limit data from outside.
    private static let names =
        "maximumBytes|maximumByteCount|maximumDepth|maximumValueCount|largestAnswer|largestFile|longestLine|largestMessageBytes|remembered"
    /// Files in which such a constant limits only memory for the program's own drawing.
    private static let exceptions: Set<String> = ["TerminalMap/BaseLayer.swift", "TerminalMap/LabelStock.swift"]

    /// Returns the names of the constants in a source file that must be on the page. In a file of limits, these are the constants of its
    /// first type. In other files, they are the constants with a limit's usual name.
    private static func constants(of file: String) throws -> [String] {
        let source = try text("Sources/" + file)
        let isLimits = file.hasSuffix("Limits.swift")
        let part = isLimits ? source.components(separatedBy: "\n}\n").first ?? "" : source
        let pattern = try Regex<(Substring, Substring)>(#"\b(?:let|var) (\#(isLimits ? "\\w+" : names))(?:: \w+)? = [0-9]"#)
        return part.matches(of: pattern).map { String($0.output.1) }
    }

    @Test("every constant of a file of limits, and every constant with a limit's usual name, is on the page")
    func missing() throws {
        let shown = Set(try Self.rows("Limits").map { row in row.suffix(2).map { $0.filter { $0 != "`" } } })
        let folder = Self.root.appending(path: "Sources")
        let files = try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".swift") }
        let found = try files.filter { !Self.exceptions.contains($0) }.flatMap { file in try Self.constants(of: file).map { [file, $0] } }
        #expect(found.count > 80)
        for constant in found { #expect(shown.contains(constant), "\(constant)") }
    }

    @Test("values are read in each notation, on the page and in a source file")
    func notations() throws {
        let source = "let a = 1_000\n    public var b = 16 * 1_024\n    static let c = 8 << 20\nlet d: Int = 4 * 60 // s\nlet e = 30.0\n"
        let values = try ["a", "b", "c", "d", "e"].map { try Self.value(of: $0, in: source) }
        #expect(values == [1_000, 16_384, 8_388_608, 240, 30])
        #expect(try ["1,000", "16 KiB", "8 MiB", "30 s"].map(Self.value(shown:)) == [1_000, 16_384, 8_388_608, 30])
    }

    /// Parses a number with a unit: bytes, seconds, or a count without a unit.
    private static func value(shown text: String) throws -> Double {
        let words = text.filter { $0 != "," }.split(separator: " ")
        let number = try #require(words.first.flatMap { Double($0) }, "\(text)")
        switch words.dropFirst().first {
        case nil, "s": return number
        case "KiB": return number * 1_024
        case "MiB": return number * 1_048_576
        default: throw UnknownUnit(text: text)
        }
    }

    private struct UnknownUnit: Error { let text: String }

    /// Returns the value of a constant in a source text. The constant is a number, a product or a shifted number.
    private static func value(of name: String, in source: String) throws -> Double {
        let pattern = try Regex<(Substring, Substring)>(#"\b(?:let|var) \#(name)(?:: \w+)? = ([0-9][0-9_. *<]*)"#)
        let found = try #require(source.firstMatch(of: pattern)?.output.1, "\(name)")
        let parts = found.filter { $0 != "_" && $0 != " " }.replacing("<<", with: "<")
        let shifted = parts.split(separator: "<")
        let product = try shifted.first.map { try $0.split(separator: "*").map { try #require(Double($0)) }.reduce(1, *) }
        let shift = shifted.count == 2 ? Double(sign: .plus, exponent: try #require(Int(shifted[1])), significand: 1) : 1
        return try #require(product) * shift
    }
}
