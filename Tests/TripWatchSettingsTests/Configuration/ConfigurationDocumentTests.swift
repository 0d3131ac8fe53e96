import Foundation
import Testing
import TripWatchSettings

@Suite("The configuration's document")
struct ConfigurationDocumentTests {
    @Test("docs/configuration.md has every key as the program knows it")
    func table() throws {
        let package = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let document = package.appending(path: "docs/configuration.md")
        let text = try String(contentsOf: document, encoding: .utf8)
        if ProcessInfo.processInfo.environment["RECORD_SNAPSHOTS"] != nil {
            let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
            let before = lines.prefix { !$0.hasPrefix("|") }
            let after = lines.dropFirst(before.count).drop { $0.hasPrefix("|") }
            let table = Configuration.markdownTable.split(separator: "\n")
            try (before + table + after).joined(separator: "\n").write(to: document, atomically: true, encoding: .utf8)
            Issue.record("recorded")
        }
        #expect(text.contains(Configuration.markdownTable))
    }
}
