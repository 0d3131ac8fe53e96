import Foundation
import Testing

@testable import TripWatchWords

@Suite("Attributes that are read")
struct ReadAttributeTests {
    @Test("docs/attributes.md has every attribute with all its keys, in the order of the program")
    func document() throws {
        let package = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let text = try String(contentsOf: package.appending(path: "docs/attributes.md"), encoding: .utf8)
        let rows = text.split(separator: "\n").filter { $0.hasPrefix("| `") }
        let keys = rows.map { row in row.split(separator: "`").enumerated().filter { $0.offset % 2 == 1 }.map { String($0.element) } }
        #expect(keys == ReadAttribute.allCases.map(\.keys))
    }

    @Test("the first key with a text is used, and an empty text is ignored")
    func order() {
        #expect(ReadAttribute.plate.text(in: ["license_plate": "B", "plate": ""]) == "B")
        #expect(ReadAttribute.plate.text(in: ["license_plate": "B", "plate": "A"]) == "A")
        #expect(ReadAttribute.plate.text(in: ["Plate": "A"]) == nil)
    }
}
