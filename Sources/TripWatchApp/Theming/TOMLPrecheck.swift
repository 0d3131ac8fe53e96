/// Looks for what the TOML parser does not survive, without reading the text as TOML.
///
/// Strings, comments, brackets and line ends are followed as far as that needs. Where a text is malformed the two may see it differently,
/// but not before the place at which the parser gives up.
struct TOMLPrecheck {
    /// Lists and inline tables inside each other.
    static let maximumDepth = 16
    /// Dots in one key.
    static let maximumDots = 16

    private enum Place {
        case outside
        case comment
        /// A text between one or three quotation marks of a kind.
        case text(mark: UInt8, isLong: Bool)
    }

    fileprivate enum Word {
        case none
        /// Begins with a digit or a sign, and was a digit at last.
        case digit
        /// Begins with a digit or a sign.
        case number
        case other
    }

    private var place = Place.outside
    private var line = 1
    /// The brackets that are open.
    private var open: [UInt8] = []
    private var dots = 0
    /// Behind the equals sign of a pair at the top.
    private var isValue = false
    /// What the run of characters at this place is.
    private var word = Word.none
    /// What is wrong at this place.
    private var complaint: String?

    private init() {}

    /// The first place that must not reach the parser; nil for none.
    ///
    /// Nesting without end is taken apart recursively by the parser, down to the end of the stack. Assertions in it fail, or worse, on a
    /// table header that does not begin like a key, on a list with a closing brace or a foreign line end where a value should be, and
    /// on some dates with a digit too many.
    static func failure(_ bytes: [UInt8]) -> TOMLDocument.Failure? {
        var state = TOMLPrecheck()
        var rest = bytes.starts(with: [0xef, 0xbb, 0xbf]) ? bytes[3...] : bytes[...]
        while let byte = rest.first {
            rest = rest.dropFirst(state.take(byte, rest))
            if state.open.count > maximumDepth || state.dots > maximumDots { state.complaint = "this is nested too deeply" }
            if let complaint = state.complaint { return TOMLDocument.Failure(line: state.line, sentence: complaint) }
        }
        return nil
    }

    /// Goes on by one step and tells how many bytes it was.
    private mutating func take(_ byte: UInt8, _ rest: ArraySlice<UInt8>) -> Int {
        if byte == UInt8(ascii: "\n") {
            line += 1
            dots = 0
            if open.isEmpty { isValue = false }
        }
        switch place {
        case .comment:
            if byte == UInt8(ascii: "\n") { place = .outside }
            return 1
        case .text(let mark, let isLong): return takeText(byte, rest, mark: mark, isLong: isLong)
        case .outside: return takeOutside(byte, rest)
        }
    }

    private mutating func takeText(_ byte: UInt8, _ rest: ArraySlice<UInt8>, mark: UInt8, isLong: Bool) -> Int {
        if byte == UInt8(ascii: "\\") && mark == UInt8(ascii: "\"") && rest.dropFirst().first != UInt8(ascii: "\n") { return 2 }
        if isLong {
            let marks = rest.prefix(5).prefix { $0 == mark }.count
            // Up to two marks of the text itself may stand before the three that end it.
            if marks >= 3 { place = .outside }
            return max(1, marks)
        }
        if byte == mark || byte == UInt8(ascii: "\n") { place = .outside }
        return 1
    }

    private mutating func takeOutside(_ byte: UInt8, _ rest: ArraySlice<UInt8>) -> Int {
        if byte == UInt8(ascii: "-") && word == .digit && isValue { complaint = "dates have no use here, and a text needs quotation marks" }
        word = word.followed(by: byte)
        switch byte {
        case UInt8(ascii: "#"): place = .comment
        case UInt8(ascii: "\""), UInt8(ascii: "'"):
            let isLong = rest.prefix(3).count == 3 && rest.prefix(3).allSatisfy { $0 == byte }
            place = .text(mark: byte, isLong: isLong)
            return isLong ? 3 : 1
        case UInt8(ascii: "["), UInt8(ascii: "{"):
            if byte == UInt8(ascii: "["), open.isEmpty, !isValue, !Self.isHeader(rest) {
                complaint = "a table needs a name of letters, digits, \"-\" and \"_\", or one in quotation marks"
            }
            open.append(byte)
            dots = 0
        case UInt8(ascii: "]"), UInt8(ascii: "}"):
            if byte == UInt8(ascii: "}") && open.last == UInt8(ascii: "[") { complaint = "\"}\" stands where \"]\" is needed" }
            _ = open.popLast()
        case UInt8(ascii: "="):
            isValue = true
            dots = 0
        case UInt8(ascii: ","): dots = 0
        case UInt8(ascii: "."): dots += 1
        case UInt8(ascii: "\t"), UInt8(ascii: "\n"), UInt8(ascii: "\r"), 0x20..<0x7f: break
        default: complaint = "letters beyond ASCII and control characters stand in quotation marks only"
        }
        return 1
    }

    /// Whether one or two opening brackets are followed by the beginning of a key, or by nothing that would be taken for one.
    private static func isHeader(_ rest: ArraySlice<UInt8>) -> Bool {
        let afterFirst = rest.dropFirst()
        let afterAll = afterFirst.first == UInt8(ascii: "[") ? afterFirst.dropFirst() : afterFirst
        guard let first = afterAll.first(where: { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\t") }) else { return true }
        return switch first {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
        case UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "]"): true
        default: false
        }
    }
}

extension TOMLPrecheck.Word {
    fileprivate func followed(by byte: UInt8) -> Self {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): self == .other ? .other : .digit
        case UInt8(ascii: "_"): self == .none ? .other : self
        case UInt8(ascii: "+"), UInt8(ascii: "-"): self == .other ? .other : .number
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "."), UInt8(ascii: ":"):
            self == .none ? .other : self == .digit ? .number : self
        default: .none
        }
    }
}
