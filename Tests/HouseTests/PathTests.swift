import Foundation
import Testing

/// Checks that the files and folders that Sources/README.md names exist.
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

    @Test("a path has a slash or a file extension; types, modules and kinds of files are not paths")
    func forms() {
        let text =
            "`Geo/PlaceText.swift`, `Package.swift`, `themes/`, `Geo`, `TripModel`, `CallOptions.timeout`, `.proto` files, `--log`, `.ci/run x`"
        #expect(Self.paths(in: text) == ["Geo/PlaceText.swift", "Package.swift", "themes/"])
    }

    /// Returns the paths in backticks, relative to the folder of the sources or of the package.
    private static func paths(in text: String) -> [String] {
        text.matches(of: #/`([^`\s]+)`/#).map { String($0.1) }.filter { word in
            word.contains("/") || word.contains(#/\w\.(?:swift|c|h|md|proto|pmtiles|toml)$/#)
        }
    }
}
