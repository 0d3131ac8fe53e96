import Foundation
import Testing

@Suite("The products of the package")
struct ProductTests {
    private static let root = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    private static func text(_ path: String) throws -> String {
        try String(contentsOf: root.appending(path: path), encoding: .utf8)
    }

    @Test("docs/libraries.md has a task for each library product, and names no other product")
    func table() throws {
        let manifest = try Self.text("Package.swift")
        let list = try #require(manifest.firstMatch(of: #/let libraries = \[([^\]]*)\]/#)).1
        let products = Set(list.matches(of: #/"(\w+)"/#).map { String($0.1) })
        let page = try Self.text("docs/libraries.md")
        let rows = page.split(separator: "\n").filter { $0.hasPrefix("| ") }.flatMap { $0.matches(of: #/`(\w+)`/#) }
        #expect(products.count > 20)
        #expect(Set(rows.map { String($0.1) }) == products)
        let imported = page.matches(of: #/\.product\(name: "(\w+)", package: "tripwatch"\)/#).map { String($0.1) }
        #expect(!imported.isEmpty && products.isSuperset(of: imported))
    }

    @Test("the README says how to depend on a product, and its table has rows of docs/libraries.md")
    func readme() throws {
        let (page, readme) = (try Self.text("docs/libraries.md"), try Self.text("README.md"))
        let section = try #require(readme.components(separatedBy: "\n## For developers\n").last)
        #expect(
            section.contains(".package(path: \"../tripwatch\")")
                && section.contains(".product(name: \"JourneySharing\", package: \"tripwatch\")"))
        let rows = section.split(separator: "\n").filter { $0.hasPrefix("|") }
        #expect(rows.count >= 7 && Set(page.split(separator: "\n")).isSuperset(of: rows))
    }
}
