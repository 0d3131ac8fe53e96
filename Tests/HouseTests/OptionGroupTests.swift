import Foundation
import Testing

/// Checks that option groups are not nested. In a debug build, each level of nesting makes the argument parser much slower.
@Suite("The house's option groups")
struct OptionGroupTests {
    private static let options = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().appending(path: "Sources/tripwatch/Options")

    @Test("no option group contains another")
    func flat() throws {
        let files = try FileManager.default.contentsOfDirectory(atPath: Self.options.path).filter { $0.hasSuffix(".swift") }.sorted()
        #expect(!files.isEmpty)
        for file in files {
            let text = try String(contentsOf: Self.options.appending(path: file), encoding: .utf8)
            #expect(!text.contains("@OptionGroup"), "\(file)")
        }
    }
}
