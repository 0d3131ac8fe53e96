import Foundation
import Testing

/// Checks that the paths in Sources/README.md and the tests in .ci/sanitize-skips exist.
@Suite("The paths of the house")
struct PathTests {
    private static let root = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    private static let sources = root.appending(path: "Sources")

    @Test("every path that Sources/README.md names exists")
    func paths() throws {
        let text = try String(contentsOf: Self.sources.appending(path: "README.md"), encoding: .utf8)
        let paths = Self.paths(in: text)
        #expect(paths.count > 100)
        for path in paths {
            let places = [Self.sources, Self.root].map { $0.appending(path: path).path }
            #expect(places.contains { FileManager.default.fileExists(atPath: $0) }, "\(path)")
        }
    }

    @Test("every test that .ci/sanitize leaves out exists, and has a reason")
    func leftOutTests() throws {
        let text = try String(contentsOf: Self.root.appending(path: ".ci/sanitize-skips"), encoding: .utf8)
        let lines = text.split(separator: "\n").filter { !$0.hasPrefix("#") }
        #expect(lines.count > 5)
        for line in lines {
            let words = try #require(line.wholeMatch(of: #/(?:thread|address|both) +(\w+)\.(\w+)/(\w+)\([\w:]*\) +[a-z].*/#), "\(line)")
            let folder = Self.root.appending(path: "Tests/\(words.1)")
            let files = try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".swift") }
            let texts = try files.map { try String(contentsOf: folder.appending(path: $0), encoding: .utf8) }
            #expect(texts.contains { $0.contains(" \(words.2)") && $0.contains("func \(words.3)(") }, "\(line)")
        }
    }

    @Test("a path has a slash or a file extension; types, modules and kinds of files are not paths")
    func forms() {
        let text =
            "`Geo/PlaceText.swift`, `Package.swift`, `themes/`, `Geo`, `TripModel`, `CallOptions.timeout`, `.proto` files, `--log`, `.ci/run x`"
        #expect(Self.paths(in: text) == ["Geo/PlaceText.swift", "Package.swift", "themes/"])
    }

    /// Returns the paths that the text has in backticks, as written. Each is relative to the folder of the sources or of the package.
    private static func paths(in text: String) -> [String] {
        text.matches(of: #/`([^`\s]+)`/#).map { String($0.1) }.filter { word in
            word.contains("/") || word.contains(#/\w\.(?:swift|c|h|md|proto|pmtiles|toml)$/#)
        }
    }
}
