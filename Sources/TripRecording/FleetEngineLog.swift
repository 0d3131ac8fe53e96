import BoundedJSON
public import FleetEngine
import FleetEngineWire
public import FoundationEssentials

/// An exported log of a Fleet Engine: the calls of drivers, provider backends and riders, with the server's answers.
///
/// The log may be `{"rawLogs": […]}` (fleet-debugger), `{"entries": […]}` (Cloud Logging's API), an array of log entries, or one entry
/// after another (NDJSON). The entries may be in any order. Keys may be in camelCase, in lower case or with underscores. Entries that are
/// not about a trip, a vehicle, a task or a delivery vehicle are counted and left out.
public struct FleetEngineLog: Sendable {
    /// Size limit of a log or a `.trip` file, in bytes.
    public static let maximumBytes = 128 << 20
    /// Largest number of entries in a log, and of lines in a `.trip` file.
    public static let maximumEntryCount = 250_000
    /// Size limit of an entry of a log, or a line of a `.trip` file, in bytes. A route of 70,000 points fits into a line.
    public static let maximumEntryBytes = 8 << 20
    /// Largest number of JSON values in an entry of a log, or in a line of a `.trip` file, counted as opening brackets and commas. A value
    /// can need 100 times as much memory as its text. The points of a route can occur twice in an answer, the second time in the path to
    /// the next stop. A point has three values each time.
    public static let maximumValueCount = 450_000
    private static let progressEntries = 100
    /// Largest depth to which brackets may be nested in an entry.
    public static let maximumDepth = 64

    /// Number of entries in the text, including the entries that were left out.
    public private(set) var entryCount = 0
    /// Number of calls that the server refused. These calls changed nothing.
    public private(set) var refusedCallCount = 0
    /// Number of entries of kinds that a recording does not use.
    public private(set) var unknownEntryCount = 0
    /// Number of entries of a known kind that lack a time, a name or contents.
    public private(set) var unusableEntryCount = 0
    /// Line numbers, from 1, of the incomplete lines that were left out. Only a log with one entry per line can have such lines.
    public private(set) var brokenLines: [Int] = []

    private let text: [UInt8]
    private var members = LogMembers()
    /// The places of the usable entries in the text, sorted by time. Entries with the same time are in the order in which they were
    /// logged.
    private var places: [Place] = []

    private struct Place {
        let time: LogInstant
        let bytes: Range<Int>
        /// The number of the trip or vehicle; nil for an entry about tasks or a delivery vehicle.
        let member: Int?
        let isAboutTrip: Bool
    }

    /// A description of the missing parts, as a sentence without its full stop; nil if everything was read.
    public var lack: String? {
        guard let first = brokenLines.first else { return nil }
        let others = brokenLines.count - 1
        return others == 0
            ? "line \(first) of the recording is incomplete and was left out"
            : "line \(first) of the recording and \(others) more line\(others == 1 ? "" : "s") are incomplete and were left out"
    }

    /// Whether no entry is a call about a trip, a vehicle, a task or a delivery vehicle. The text may be another kind of file, or a log of
    /// other calls.
    package var lacksCalls: Bool { places.isEmpty && refusedCallCount == 0 }

    /// Reads a log, which may be compressed with gzip. In a log with one entry per line, incomplete lines are left out, with two
    /// exceptions. An incomplete last line is an error, because it shows that the end of the log is missing. It is also an error if at
    /// least half of the lines are incomplete.
    /// - Parameter progress: called from time to time with the share of the entries that has been read, 0 ... 1.
    /// - Throws: `TripRecordingError` if the text is not JSON, is cut off, or exceeds one of the limits above.
    public init(_ data: Data, progress: (Double) -> Void = { _ in }) throws(TripRecordingError) {
        try self.init(bytes: Array(data), progress: progress)
    }

    /// Reads a log without copying its bytes.
    package init(bytes: [UInt8], progress: (Double) -> Void = { _ in }) throws(TripRecordingError) {
        try self.init(text: try GzipText.recording(bytes), progress: progress)
    }

    /// Reads a log from its unpacked text.
    init(text: [UInt8], progress: (Double) -> Void = { _ in }) throws(TripRecordingError) {
        self.text = text
        let found = try findEntries(in: text)
        for (index, entry) in found.enumerated() {
            if index % Self.progressEntries == 0 { progress(Double(index) / Double(found.count)) }
            guard let reading = read(entry.bytes) else { throw .unreadableEntry(number: index + 1, line: entry.line) }
            add(reading, entry)
        }
        entryCount = found.count
        // Logs list the newest entry first by default. In such a log, entries with the same time are in reverse order, too.
        let sign = isNewestFirst ? -1 : 1
        let order = places.indices.sorted { (places[$0].time, sign * $0) < (places[$1].time, sign * $1) }
        places = order.map { places[$0] }
    }

    /// Whether the time decreases more often than it increases from one entry to the next.
    private var isNewestFirst: Bool {
        zip(places, places.dropFirst()).reduce(0) { $0 + ($1.0.time > $1.1.time ? 1 : $1.0.time < $1.1.time ? -1 : 0) } > 0
    }

    /// Decodes the entry in a range of the text; nil if it is not JSON.
    private func read(_ bytes: Range<Int>) -> LogEntry.Reading? {
        (try? JSONDecoder().decodeBounded(JSONValue.self, from: Data(text[bytes]))).map { LogEntry.read($0) }
    }

    private mutating func findEntries(in bytes: [UInt8]) throws(TripRecordingError) -> [LogEntryScanner.Entry] {
        do throws(TripRecordingError) {
            return try LogEntryScanner.entries(in: bytes)
        } catch {
            guard !error.isLimit, let (entries, broken) = LogEntryScanner.wholeLines(of: bytes) else { throw error }
            brokenLines = broken
            return entries
        }
    }

    private mutating func add(_ reading: LogEntry.Reading, _ found: LogEntryScanner.Entry) {
        switch reading {
        case .entry(let entry):
            var isAboutTrip = false
            if case .trip = entry.content { isAboutTrip = true }
            places.append(Place(time: entry.time, bytes: found.bytes, member: members.add(entry), isAboutTrip: isAboutTrip))
        case .refused: refusedCallCount += 1
        case .unknown: unknownEntryCount += 1
        case .unusable: unusableEntryCount += 1
        }
    }

    /// Returns the indices of the entries about a trip and about all vehicles that it had, in order of time.
    func positions(for trip: TripName) -> [Int] {
        let numbers = members.numbers(for: trip)
        return places.indices.filter { places[$0].member.map(numbers.contains) ?? false }
    }

    /// Returns the entry at an index, with its full name. Entries are ordered by time. An entry is decoded each time, because a
    /// decoded entry can need many times as much memory as its text.
    func entry(_ index: Int) -> LogEntry? {
        guard case .entry(let entry)? = read(places[index].bytes) else { return nil }
        return members.provider.map { entry.named(in: $0) } ?? entry
    }

    /// The entries in chronological order, with full names.
    var entries: some Sequence<LogEntry> { places.indices.lazy.compactMap { entry($0) } }

    /// The trips of the log, in order of first appearance.
    public var tripNames: [TripName] {
        var names: [TripName] = []
        var seen: Set<TripName> = []
        var seenMembers: Set<Int?> = []
        // One trip can have two member numbers, one for its bare id and one for its full name. `entry` returns the full name for both, so
        // the names are also compared.
        for (index, place) in places.enumerated() where place.isAboutTrip && seenMembers.insert(place.member).inserted {
            if case .trip(let name, _) = entry(index)?.content, seen.insert(name).inserted { names.append(name) }
        }
        return names
    }

    /// Returns the recording of one trip; nil if the log does not have the trip.
    public func recordedTrip(_ name: TripName) -> RecordedTrip? { RecordedTrip(name, in: self) }

    /// Returns the recording of the requested trip.
    /// - Parameter wanted: a bare trip id or a full trip name; nil takes the first trip of the log.
    /// - Throws: `TripRecordingError.noTrip` or `.noSuchTrip`.
    public func recordedTrip(matching wanted: String?) throws(TripRecordingError) -> RecordedTrip {
        let names = tripNames
        guard let first = names.first else {
            // An entry without a member is about deliveries.
            throw .noTrip(entryCount: entryCount, hasDeliveries: places.contains { $0.member == nil })
        }
        let name = wanted.map { wanted in names.first { $0.trip == wanted || $0.description == wanted } } ?? first
        guard let name, var trip = recordedTrip(name) else {
            throw .noSuchTrip(wanted: wanted ?? first.trip, available: names.map(\.trip))
        }
        trip.tripCountInFile = names.count
        return trip
    }
}
