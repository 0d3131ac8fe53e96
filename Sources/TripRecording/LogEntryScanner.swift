/// Finds the entries in the text of a log without parsing them: it only follows brackets and strings.
///
/// The text is any sequence of JSON values: one object with an array `rawLogs` (or `entries`, as Cloud Logging's own API answers),
/// one array, or one entry after another (NDJSON).
struct LogEntryScanner {
    /// Where an entry stands.
    struct Entry: Equatable {
        let bytes: Range<Int>
        /// From 1.
        let line: Int
    }

    private static let listKeys: Set<String> = ["rawlogs", "entries"]

    private let bytes: [UInt8]
    private var offset = 0
    private var line = 1
    private(set) var entries: [Entry] = []

    /// The entries of `bytes`.
    static func entries(in bytes: [UInt8]) throws(TripRecordingError) -> [Entry] {
        var text = LogEntryScanner(bytes: bytes)
        try text.readAll()
        return text.entries
    }

    /// The entries of a text that has one in each line, and the lines that hold none: a server that was killed may have left half a line, and
    /// others behind it.
    ///
    /// Nil for another text: where the last line holds none, or no more than half of them hold one.
    static func wholeLines(of bytes: [UInt8]) -> (entries: [Entry], brokenLines: [Int])? {
        var (entries, broken): ([Entry], [Int]) = ([], [])
        var (start, line) = (0, 0)
        for text in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
            defer { start += text.count + 1 }
            line += 1
            if let found = try? Self.entries(in: Array(text)) {
                guard found.count == 1, let entry = found.first, entries.count < FleetEngineLog.maximumEntryCount else { return nil }
                entries.append(Entry(bytes: start + entry.bytes.lowerBound..<start + entry.bytes.upperBound, line: line))
            } else if text.contains(where: { $0 > 0x20 }) {
                broken.append(line)
            }
        }
        guard let last = entries.last?.line, last > broken.last ?? 0, broken.count < entries.count else { return nil }
        return (entries, broken)
    }

    /// Where in a line that is one object the values of its members stand.
    static func members(of bytes: [UInt8], line: Int) throws(TripRecordingError) -> [String: Range<Int>] {
        var text = LogEntryScanner(bytes: bytes)
        text.line = line
        text.skipSpace()
        guard text.current == UInt8(ascii: "{") else { throw .notJSON(line: line) }
        text.offset += 1
        text.skipSpace()
        var members: [String: Range<Int>] = [:]
        if text.current == UInt8(ascii: "}") {
            text.offset += 1
        } else {
            repeat {
                let key = try text.key(startLine: line)
                let start = text.offset
                try text.skipValue(outerLine: line)
                members[key] = start..<text.offset
            } while try text.continues(until: UInt8(ascii: "}"), startLine: line)
        }
        text.skipSpace()
        guard text.current == nil else { throw .notJSON(line: line) }
        return members
    }

    private init(bytes: [UInt8]) {
        self.bytes = bytes
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { offset = 3 }
    }

    private var current: UInt8? { offset < bytes.count ? bytes[offset] : nil }

    private mutating func readAll() throws(TripRecordingError) {
        skipSpace()
        guard current != nil else { throw .empty }
        while let byte = current {
            switch byte {
            case UInt8(ascii: "["): try list()
            case UInt8(ascii: "{"): try object()
            default: throw .notJSON(line: line)
            }
            skipSpace()
        }
    }

    /// An object that holds the list of entries, or is an entry itself.
    private mutating func object() throws(TripRecordingError) {
        let start = (offset: offset, line: line)
        var hasList = false
        offset += 1
        skipSpace()
        if current == UInt8(ascii: "}") {
            offset += 1
        } else {
            repeat {
                if try member(startLine: start.line) { hasList = true }
            } while try continues(until: UInt8(ascii: "}"), startLine: start.line)
        }
        if !hasList { try add(Entry(bytes: start.offset..<offset, line: start.line)) }
    }

    /// One `"key": value`.
    /// - Returns: whether it was the list of entries.
    private mutating func member(startLine: Int) throws(TripRecordingError) -> Bool {
        let key = try key(startLine: startLine).lowercased()
        if Self.listKeys.contains(key), current == UInt8(ascii: "[") {
            try list()
            return true
        }
        try skipValue(outerLine: startLine)
        return false
    }

    /// A key, up to its value.
    private mutating func key(startLine: Int) throws(TripRecordingError) -> String {
        skipSpace()
        guard let byte = current else { throw .truncated(line: startLine) }
        guard byte == UInt8(ascii: "\"") else { throw .notJSON(line: line) }
        let start = offset
        try skipString()
        let key = String(decoding: bytes[start + 1..<offset - 1], as: UTF8.self)
        skipSpace()
        guard let separator = current else { throw .truncated(line: startLine) }
        guard separator == UInt8(ascii: ":") else { throw .notJSON(line: line) }
        offset += 1
        skipSpace()
        return key
    }

    private mutating func list() throws(TripRecordingError) {
        let startLine = line
        offset += 1
        skipSpace()
        if current == UInt8(ascii: "]") {
            offset += 1
            return
        }
        repeat {
            skipSpace()
            let start = (offset: offset, line: line)
            try skipValue(outerLine: startLine)
            try add(Entry(bytes: start.offset..<offset, line: start.line))
        } while try continues(until: UInt8(ascii: "]"), startLine: startLine)
    }

    private mutating func add(_ entry: Entry) throws(TripRecordingError) {
        guard entries.count < FleetEngineLog.maximumEntryCount else { throw .tooManyEntries }
        entries.append(entry)
    }

    /// Steps over a comma (true) or the closing bracket (false).
    private mutating func continues(until closing: UInt8, startLine: Int) throws(TripRecordingError) -> Bool {
        skipSpace()
        guard let byte = current else { throw .truncated(line: startLine) }
        guard byte == closing || byte == UInt8(ascii: ",") else { throw .notJSON(line: line) }
        offset += 1
        return byte != closing
    }
}

// MARK: - Stepping over values

extension LogEntryScanner {
    private mutating func skipSpace() {
        while offset < bytes.count {
            switch bytes[offset] {
            case 0x0A:
                line += 1
                offset += 1
            case 0x20, 0x09, 0x0D: offset += 1
            default: return
            }
        }
    }

    private mutating func skipValue(outerLine: Int) throws(TripRecordingError) {
        guard let byte = current else { throw .truncated(line: outerLine) }
        switch byte {
        case UInt8(ascii: "{"), UInt8(ascii: "["): try skipBrackets()
        case UInt8(ascii: "\""): try skipString()
        default: try skipWord()
        }
    }

    /// A number, `true`, `false`, `null` or nonsense, which the decoder will refuse.
    private mutating func skipWord() throws(TripRecordingError) {
        let start = offset
        scan: while offset < bytes.count {
            switch bytes[offset] {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."): offset += 1
            default: break scan
            }
        }
        if offset == start { throw .notJSON(line: line) }
    }

    private mutating func skipString() throws(TripRecordingError) {
        let startLine = line
        offset += 1
        while offset < bytes.count {
            switch bytes[offset] {
            case UInt8(ascii: "\""):
                offset += 1
                return
            case UInt8(ascii: "\\"): offset += 2
            case 0x0A: throw .notJSON(line: startLine)
            default: offset += 1
            }
        }
        throw .truncated(line: startLine)
    }

    private mutating func skipBrackets() throws(TripRecordingError) {
        let startLine = line
        var closers: [UInt8] = []
        while let byte = current {
            switch byte {
            case UInt8(ascii: "\""):
                try skipString()
                continue
            case UInt8(ascii: "{"): closers.append(UInt8(ascii: "}"))
            case UInt8(ascii: "["): closers.append(UInt8(ascii: "]"))
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                guard closers.popLast() == byte else { throw .notJSON(line: line) }
            case 0x0A: line += 1
            default: break
            }
            guard closers.count <= FleetEngineLog.maximumDepth else { throw .tooDeep(line: line) }
            offset += 1
            if closers.isEmpty { return }
        }
        throw .truncated(line: startLine)
    }
}
