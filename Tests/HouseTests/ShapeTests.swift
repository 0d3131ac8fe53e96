import Foundation
import Testing

/// Checks the shape of the sources. Files and functions are short enough to read in one go. Private interfaces of libraries are not used,
/// except in one file. JSON is decoded with a limit on nested brackets, and assignments do not use tuples of three or more values.
@Suite("The shape of the sources")
struct ShapeTests {
    struct Source: Sendable {
        let path: String
        let lines: [String]
        var text: String { lines.joined(separator: "\n") }
    }

    private static let largestFile = 350
    private static let longestFunction = 40
    /// The only file that may use the standard library's private normalization. With Foundation's version, the program would contain all
    /// of Foundation's language tables.
    private static let usesNormalization = "FleetEngine/ResourceNames.swift"

    private static let root = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// All source files, read once for all tests.
    private static let read: Result<[Source], any Error> = Result {
        let folder = root.appending(path: "Sources")
        let paths = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
            .filter { $0.hasSuffix(".swift") && !$0.contains("Generated") }.sorted()
        return try paths.map { path in
            let text = try String(contentsOf: folder.appending(path: path), encoding: .utf8)
            return Source(path: path, lines: text.components(separatedBy: "\n"))
        }
    }

    private static func sources() throws -> [Source] { try read.get() }

    @Test("a file has at most 350 lines")
    func files() throws {
        let sources = try Self.sources()
        #expect(sources.count > 500)
        for source in sources { #expect(source.lines.count <= Self.largestFile + 1, "\(source.path)") }
    }

    @Test("a function has at most 40 lines")
    func functions() throws {
        var count = 0
        for source in try Self.sources() {
            let functions = Self.functions(in: source.lines)
            count += functions.count
            for function in functions where function.length > Self.longestFunction {
                Issue.record("\(source.path):\(function.line) has \(function.length) lines")
            }
        }
        #expect(count > 2_000)
    }

    @Test("JSON is decoded with a limit on nested brackets")
    func decoders() throws {
        let sources = try Self.sources().filter { $0.text.contains("JSONDecoder()") }
        #expect(sources.count > 20)
        for source in sources where source.text.contains(#/\b(?:JSONDecoder\(\)|decoder)\.decode\(/#) {
            Issue.record("\(source.path) calls decode instead of decodeBounded")
        }
    }

    @Test("tuples of three or more values are not used for assignments")
    func tupleAssignments() throws {
        for source in try Self.sources() {
            for (index, line) in source.lines.enumerated() where Self.assignsTuple(line) {
                Issue.record("\(source.path):\(index + 1)")
            }
        }
    }

    @Test("no private interface of a library is used, and no unsafe compiler flag")
    func publicInterfaces() throws {
        let inner = #/@_\w+|\b[A-Z]\w*\._[a-z]\w*\(/#
        for source in try Self.sources() where source.path != Self.usesNormalization {
            for (index, line) in source.lines.enumerated()
            where (line.contains("@_") || line.contains("._")) && line.contains(inner) {
                Issue.record("\(source.path):\(index + 1)")
            }
        }
        let package = try String(contentsOf: Self.root.appending(path: "Package.swift"), encoding: .utf8)
        #expect(!package.contains("unsafeFlags"))
    }

    @Test("functions, their lengths and tuple assignments are recognised in each form")
    func forms() {
        let text = """
            struct Road {
                func short() { turn() }
                static func long(
                    way: Int
                ) -> Int {
                    1
                    2
                }
                init(a: Int) {
                    b = a
                }
            }
            """
        let functions = Self.functions(in: text.components(separatedBy: "\n"))
        #expect(functions.map(\.line) == [3, 9])
        #expect(functions.map(\.length) == [2, 1])
        #expect(Self.assignsTuple("    (a, b, self.c) = (1, 2, 3)"))
        #expect(!Self.assignsTuple("    (a, b) = (b, a)"))
        #expect(!Self.assignsTuple("    let (a, b, c) = values()"))
    }

    /// Finds the functions and initializers whose bodies are on separate lines, in order.
    private static func functions(in lines: [String]) -> [(line: Int, length: Int)] {
        let start = #/^( *)(?:[a-z@]\w*(?:\(\w+\))? )*(?:func |init[?<(]|subscript[<(])/#
        let words = ["func ", "init", "subscript"]
        var found: [(line: Int, length: Int)] = []
        for (index, line) in lines.enumerated() {
            // The pattern is slow, so lines that cannot match it are skipped first.
            guard words.contains(where: { line.contains($0) }), let indent = line.firstMatch(of: start)?.1 else { continue }
            let rest = lines[index...]
            guard let opening = rest.firstIndex(where: { $0.hasSuffix("{") || $0.isEmpty }), lines[opening].hasSuffix("{")
            else { continue }
            // Skips functions without a body, and bodies on one line. For these, the search above finds a brace of later code.
            guard lines[index...opening].dropFirst().allSatisfy({ isOfSignature($0, indent) }) else { continue }
            guard let closing = lines[(opening + 1)...].firstIndex(where: { $0.hasPrefix("\(indent)}") }) else { continue }
            found.append((index + 1, closing - opening - 1))
        }
        return found
    }

    private static func isOfSignature(_ line: String, _ indent: Substring) -> Bool {
        line.hasPrefix("\(indent)    ") || line.hasPrefix("\(indent))") || line == "\(indent){"
    }

    private static func assignsTuple(_ line: String) -> Bool {
        // The pattern is slow, so lines that cannot match it are skipped first.
        guard line.utf8.first(where: { $0 != UInt8(ascii: " ") }) == UInt8(ascii: "(") else { return false }
        return line.contains(#/^\s*\([^()]*,[^()]*,[^()]*\) = \(/#)
    }
}
