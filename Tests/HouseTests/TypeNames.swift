/// The types that a source file declares, and the types that it names, read word by word. This relies on the formatter: only top-level code
/// starts in the first column.
struct TypeNames {
    /// Types that the other files of the module may use without a prefix.
    private(set) var offered: Set<String> = []
    /// Types, including nested ones, that the file names but does not declare.
    var used: Set<String> { named.subtracting(declared) }

    private var declared: Set<String> = []
    private var named: Set<String> = []

    private struct Word {
        var text: String
        /// Whether a dot precedes the word.
        var isMember: Bool
        var isType: Bool { text.first.map { "A"..."Z" ~= $0 } == true }
    }

    private static let kinds: Set<String> = ["struct", "class", "enum", "protocol", "actor", "typealias"]
    private static let quote = UInt8(ascii: "\"")

    init(in text: String) {
        var isInText = false
        for line in Array(text.utf8).split(separator: UInt8(ascii: "\n")) {
            let words = Self.words(of: Array(line), &isInText)
            if !words.isEmpty { read(words, isMember: line.first == UInt8(ascii: " ")) }
        }
    }

    private mutating func read(_ words: [Word], isMember: Bool) {
        for word in words where word.isType && !word.isMember { named.insert(word.text) }
        guard let kind = words.firstIndex(where: { Self.kinds.contains($0.text) }), words.indices.contains(kind + 1),
            words[kind + 1].isType
        else { return }
        declared.insert(words[kind + 1].text)
        let isInner = words[..<kind].contains { $0.text == "private" || $0.text == "fileprivate" }
        if !isMember, !isInner { offered.insert(words[kind + 1].text) }
    }

    /// Returns the words of a line outside comments and strings.
    /// - Parameter isInText: whether a multi-line string is open. The function updates it.
    private static func words(of line: [UInt8], _ isInText: inout Bool) -> [Word] {
        var words: [Word] = []
        var word: [UInt8] = []
        var isMember = false
        var index = 0
        func end() {
            if !word.isEmpty { words.append(Word(text: String(decoding: word, as: UTF8.self), isMember: isMember)) }
            word = []
        }
        while index < line.count {
            let byte = line[index]
            if byte == quote, line[index...].starts(with: [quote, quote, quote]) {
                end()
                isInText.toggle()
                index += 3
            } else if isInText {
                index += 1
            } else if byte == quote {
                end()
                index = endOfString(line, from: index + 1)
            } else if byte == UInt8(ascii: "/"), index + 1 < line.count, line[index + 1] == byte {
                break
            } else {
                if isOfWord(byte) {
                    if word.isEmpty { isMember = index > 0 && line[index - 1] == UInt8(ascii: ".") }
                    word.append(byte)
                } else {
                    end()
                }
                index += 1
            }
        }
        end()
        return words
    }

    /// Returns the index after a string's closing quote, or the end of the line if the quote is missing.
    private static func endOfString(_ line: [UInt8], from start: Int) -> Int {
        var index = start
        while index < line.count, line[index] != quote { index += line[index] == UInt8(ascii: "\\") ? 2 : 1 }
        return index + 1
    }

    private static func isOfWord(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
            UInt8(ascii: "_"), 0x80...:
            true
        default: false
        }
    }
}
