package import FoundationEssentials

/// Limits bracket nesting and counts values in JSON from untrusted sources.
package enum JSONNesting {
    /// Maximum number of open brackets. Any thread's stack is large enough to decode JSON of this depth.
    package static let maximumDepth = 128

    /// Returns whether the brackets in UTF-8 text, valid JSON or not, are at most `maximumDepth` deep. Text with a NUL is refused, because
    /// `JSONDecoder` may read such text as UTF-16.
    package static func isWithinLimit(_ text: some Collection<UInt8>) -> Bool {
        guard !text.contains(0) else { return false }
        var depth = 0
        var bytes = text.makeIterator()
        while let byte = bytes.next() {
            switch byte {
            case UInt8(ascii: "["), UInt8(ascii: "{"):
                depth += 1
                guard depth <= maximumDepth else { return false }
            case UInt8(ascii: "]"), UInt8(ascii: "}"): depth -= 1
            case UInt8(ascii: "\""): skipString(&bytes)
            default: break
            }
        }
        return true
    }

    /// Returns the number of values, counted as opening brackets and commas.
    fileprivate static func valueCount(of text: some Collection<UInt8>) -> Int {
        var count = 0
        var bytes = text.makeIterator()
        while let byte = bytes.next() {
            switch byte {
            case UInt8(ascii: "["), UInt8(ascii: "{"), UInt8(ascii: ","): count += 1
            case UInt8(ascii: "\""): skipString(&bytes)
            default: break
            }
        }
        return count
    }

    /// Moves past the end of a string. Any four bytes after `\u` are taken as digits, so that this check and `JSONDecoder` find the
    /// same end.
    private static func skipString(_ bytes: inout some IteratorProtocol<UInt8>) {
        while let byte = bytes.next(), byte != UInt8(ascii: "\"") {
            guard byte == UInt8(ascii: "\\"), bytes.next() == UInt8(ascii: "u") else { continue }
            for _ in 0..<4 { _ = bytes.next() }
        }
    }
}

/// The JSON has more values than its reader allows.
package struct TooManyJSONValues: Error {}

extension JSONDecoder {
    /// Decodes JSON that may be hostile. Without the limit on nested brackets, `JSONDecoder` crashes on some deeply nested arrays.
    /// - Parameter maximumValues: the maximum number of opening brackets and commas; nil for no limit. The decoder needs about 50
    ///   bytes for each of them.
    /// - Throws: `DecodingError.dataCorrupted` for a NUL or too many nested brackets; ``TooManyJSONValues``; the errors of `decode`.
    package func decodeBounded<Value: Decodable>(_ type: Value.Type, from data: Data, maximumValues: Int? = nil) throws -> Value {
        let text = UTF16Text.utf8(data) ?? data
        guard JSONNesting.isWithinLimit(text) else {
            throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "The text has a NUL, or too many nested brackets."))
        }
        if let maximumValues, JSONNesting.valueCount(of: text) > maximumValues { throw TooManyJSONValues() }
        return try decode(type, from: text)
    }
}

/// Converts UTF-16, which `JSONDecoder` also reads, to UTF-8, so that the brackets can be found.
private enum UTF16Text {
    /// Returns the text in UTF-8; nil if the data is not UTF-16. Text without a byte order mark is recognised by a zero in the first two
    /// bytes.
    static func utf8(_ data: Data) -> Data? {
        let isLittleEndian: Bool
        switch (data.first, data.dropFirst().first) {
        case (0xFF, 0xFE), (_, 0): isLittleEndian = true
        case (0xFE, 0xFF), (0, _): isLittleEndian = false
        default: return nil
        }
        let bytes = Array(data)
        let units = stride(from: 0, to: bytes.count - 1, by: 2).map { index in
            let pair = (UInt16(bytes[index]), UInt16(bytes[index + 1]))
            return isLittleEndian ? pair.1 << 8 | pair.0 : pair.0 << 8 | pair.1
        }
        return Data(String(decoding: units, as: UTF16.self).utf8)
    }
}
