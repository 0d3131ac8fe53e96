import FleetEngineWire

/// Finds the entries in the text of a log without parsing them.
///
/// The text is a sequence of JSON values. Each value is a single entry (as in NDJSON), an array of entries, or an object that contains such
/// an array. The array's key is `rawLogs`, or `entries` as in answers of Cloud Logging's API.
struct LogEntryScanner {
    /// Position of an entry in the text.
    struct Entry: Equatable {
        let bytes: Range<Int>
        /// Line number, from 1.
        let line: Int
    }

    private static let listKeys: Set<String> = ["rawlogs", "entries"]

    private var json: JSONScanner<TripRecordingError>
    private(set) var entries: [Entry] = []

    private init(_ bytes: [UInt8], line: Int = 1) {
        json = JSONScanner(bytes, line: line, maximumDepth: FleetEngineLog.maximumDepth)
    }

    /// Returns the positions of the entries in `bytes`.
    static func entries(in bytes: [UInt8]) throws(TripRecordingError) -> [Entry] { try scanned(bytes).entries }

    private static func scanned(_ bytes: [UInt8]) throws(TripRecordingError) -> LogEntryScanner {
        var text = LogEntryScanner(bytes)
        try text.readAll()
        return text
    }

    /// Returns the entries of a text with one entry per line, and the line numbers of the incomplete lines. A server that was killed may
    /// have left an incomplete line, with complete lines after it.
    ///
    /// Returns nil if the text has another form: its last line has no entry, a line has several entries, or at most half of the lines have
    /// an entry. Also returns nil for a text that exceeds a limit.
    static func wholeLines(of bytes: [UInt8]) -> (entries: [Entry], brokenLines: [Int])? {
        var (entries, broken): ([Entry], [Int]) = ([], [])
        var (start, line) = (0, 0)
        while start < bytes.count {
            let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
            defer { start = end + 1 }
            line += 1
            guard line <= FleetEngineLog.maximumEntryCount else { return nil }
            let text = bytes[start..<end]
            guard text.count <= FleetEngineLog.maximumEntryBytes else { return nil }
            do throws(TripRecordingError) {
                let found = try scanned(Array(text))
                guard found.entries.count == 1, let entry = found.entries.first else { return nil }
                let place = start + entry.bytes.lowerBound..<start + entry.bytes.upperBound
                entries.append(Entry(bytes: place, line: line))
            } catch {
                guard !error.isLimit else { return nil }
                if text.contains(where: { $0 > 0x20 }) { broken.append(line) }
            }
        }
        guard let last = entries.last?.line, last > broken.last ?? 0, broken.count < entries.count else { return nil }
        return (entries, broken)
    }

    /// Returns the members of a line that is one JSON object: their keys, and the text of their values.
    static func members(of text: ArraySlice<UInt8>, line: Int) throws(TripRecordingError) -> [String: ArraySlice<UInt8>] {
        var json = LogEntryScanner(Array(text), line: line).json
        var members: [String: ArraySlice<UInt8>] = [:]
        if try json.enter("{", "}") {
            repeat {
                let key = try json.key()
                let value = try json.value()
                members[key] = text[text.startIndex + value.lowerBound..<text.startIndex + value.upperBound]
            } while try json.continues(until: "}")
        }
        guard json.next() == nil else { throw .notJSON(line: line) }
        guard json.valueCount <= FleetEngineLog.maximumValueCount else { throw .tooManyValues(line: line) }
        return members
    }

    private mutating func readAll() throws(TripRecordingError) {
        guard json.next() != nil else { throw .empty }
        while let byte = json.next() {
            if byte == UInt8(ascii: "[") { try list() } else { try object() }
        }
    }

    /// Reads an object. It either contains the list of entries or is an entry itself.
    private mutating func object() throws(TripRecordingError) {
        let start = (offset: json.offset, line: json.line, valueCount: json.valueCount)
        var hasList = false
        if try json.enter("{", "}") {
            repeat {
                if try member() { hasList = true }
            } while try json.continues(until: "}")
        }
        if hasList { return }
        try add(Entry(bytes: start.offset..<json.offset, line: start.line), valueCount: json.valueCount - start.valueCount)
    }

    /// Reads one `"key": value`.
    /// - Returns: whether the member was the list of entries.
    private mutating func member() throws(TripRecordingError) -> Bool {
        let key = try json.key().lowercased()
        if Self.listKeys.contains(key), json.next() == UInt8(ascii: "[") {
            try list()
            return true
        }
        _ = try json.value()
        return false
    }

    private mutating func list() throws(TripRecordingError) {
        guard try json.enter("[", "]") else { return }
        repeat {
            // An entry gets the number of the line that contains its first byte.
            _ = json.next()
            let (line, before) = (json.line, json.valueCount)
            let bytes = try json.value()
            try add(Entry(bytes: bytes, line: line), valueCount: json.valueCount - before)
        } while try json.continues(until: "]")
    }

    /// - Parameter valueCount: number of JSON values, counted as opening brackets and commas.
    private mutating func add(_ entry: Entry, valueCount: Int) throws(TripRecordingError) {
        guard entries.count < FleetEngineLog.maximumEntryCount else { throw .tooManyEntries }
        guard entry.bytes.count <= FleetEngineLog.maximumEntryBytes else { throw .entryTooLarge(line: entry.line) }
        guard valueCount <= FleetEngineLog.maximumValueCount else { throw .tooManyValues(line: entry.line) }
        entries.append(entry)
    }
}

extension TripRecordingError: JSONScannerFailure {}
