import BoundedJSON
import FoundationEssentials
import Testing

/// Reads JSON with any nesting of arrays and objects.
private struct Anything: Decodable {
    init(from decoder: any Decoder) throws {
        if var values = try? decoder.unkeyedContainer() {
            while !values.isAtEnd { _ = try values.decode(Self.self) }
        } else if let values = try? decoder.container(keyedBy: Key.self) {
            for key in values.allKeys { _ = try values.decode(Self.self, forKey: key) }
        }
    }

    private struct Key: CodingKey {
        let stringValue: String
        let intValue: Int? = nil
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }
}

@Suite("JSON with nested brackets")
struct JSONNestingTests {
    private static func isRead(_ data: Data) -> Bool { (try? JSONDecoder().decodeBounded(Anything.self, from: data)) != nil }
    private static func isRead(_ text: String) -> Bool { isRead(Data(text.utf8)) }

    /// Returns the text in UTF-16, with a byte order mark.
    private static func utf16(_ text: String, isLittleEndian: Bool) -> Data {
        let units = [0xFEFF] + Array(text.utf16)
        return Data(units.flatMap { isLittleEndian ? [UInt8($0 & 0xFF), UInt8($0 >> 8)] : [UInt8($0 >> 8), UInt8($0 & 0xFF)] })
    }

    @Test("text at the limit is read, and deeper text is refused", arguments: [("[", "]"), ("{\"a\":", "}")])
    func limit(opening: String, closing: String) {
        func nested(_ depth: Int) -> String {
            String(repeating: opening, count: depth) + "[]" + String(repeating: closing, count: depth)
        }
        #expect(Self.isRead(nested(JSONNesting.maximumDepth - 1)))
        #expect(!Self.isRead(nested(JSONNesting.maximumDepth)))
    }

    @Test("text that ends inside many arrays is refused", arguments: [129, 511, 512, 513, 514, 100_000])
    func unfinished(count: Int) {
        #expect(!Self.isRead(String(repeating: "[", count: count)))
        #expect(!Self.isRead(String(repeating: "{\"a\":[", count: count / 2) + "["))
    }

    @Test("brackets in a string do not count", arguments: ["", #"\""#, #"\\"#, #"\u00e9"#, "é"])
    func strings(escape: String) {
        #expect(Self.isRead(#"[""# + escape + String(repeating: "[{", count: 300) + #"", 1]"#))
        #expect(!Self.isRead(#"[""# + escape + #"", "# + String(repeating: "[", count: 513)))
    }

    @Test("an escape does not hide brackets", arguments: [#"\u123\"#, #"\u12\\"#, #"\u\u\u"#, #"\u0041\\"#])
    func escapes(escape: String) {
        #expect(!Self.isRead(#"[""# + escape + #"","# + String(repeating: "[", count: 512)))
    }

    @Test("siblings are not nested")
    func siblings() {
        #expect(Self.isRead("[" + String(repeating: #"[[], {"a": []}], "#, count: 1_000) + "[]]"))
    }

    @Test("text with as many values as allowed is read, and text with more is refused; a string is one value", arguments: [true, false])
    func values(isUTF8: Bool) throws {
        func read(_ text: String) throws {
            let data = isUTF8 ? Data(text.utf8) : Self.utf16(text, isLittleEndian: true)
            _ = try JSONDecoder().decodeBounded(Anything.self, from: data, maximumValues: 4)
        }
        try read(#"[{"a": "[,[,[,"}, 1]"#)
        #expect(throws: TooManyJSONValues.self) { try read(#"[{"a": ""}, 1, 2, 3]"#) }
        #expect(throws: TooManyJSONValues.self) { try read("[[], [], []") }
    }

    @Test("UTF-16 is read, with the same limit", arguments: [true, false])
    func utf16(isLittleEndian: Bool) {
        func data(_ text: String) -> Data { Self.utf16(text, isLittleEndian: isLittleEndian) }
        #expect(Self.isRead(data(#"{"a": ["é", "\u00e9", 1]}"#)))
        #expect(Self.isRead(data("[1]").dropFirst(2)))
        #expect(!Self.isRead(data(String(repeating: "[", count: 513))))
        // In these characters, the bytes look like quotation marks and brackets.
        #expect(!Self.isRead(data("[\"\u{2222}\u{5B5B}\u{225D}\"," + String(repeating: "[", count: 512))))
    }

    @Test("text that was converted to UTF-16 twice is refused")
    func doubleUTF16() {
        // The character U+2201 looks like a quotation mark to a reader of bytes.
        let inner = Array("[\0\"\0\u{1}\"\"\0,\0".utf8) + Array(repeating: [0x5B, 0], count: 512).joined()
        #expect(!JSONNesting.isWithinLimit(inner) && !Self.isRead(Data(inner)))
        #expect(!Self.isRead(Data(inner.flatMap { [$0, 0] })) && !Self.isRead(Data(inner.flatMap { [0, $0] })))
    }

    @Test("data that is not JSON is refused", arguments: [[], [0], [0xFF], [0xFF, 0xFE], [0xFE, 0xFF, 0], [0, 0, 0, 0x5B], [0x5B, 0]])
    func notJSON(bytes: [UInt8]) {
        #expect(!Self.isRead(Data(bytes)))
    }
}
