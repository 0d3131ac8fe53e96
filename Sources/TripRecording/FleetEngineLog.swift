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
    /// Largest number of JSON values in such an entry or line, counted as opening brackets and commas. A value can need 100 times as much
    /// memory as its text. A route of 70,000 points has 210,000 values.
    public static let maximumValueCount = 250_000
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

    /// The entries in the order of their times, with full names. Entries with the same time are in the order in which they were logged.
    private(set) var entries: [LogEntry] = []

    /// A description of the missing parts, as a sentence without its full stop; nil if everything was read.
    public var lack: String? {
        guard let first = brokenLines.first else { return nil }
        let others = brokenLines.count - 1
        return others == 0
            ? "line \(first) of the recording is incomplete and was left out"
            : "line \(first) of the recording and \(others) more line\(others == 1 ? "" : "s") are incomplete and were left out"
    }

    /// Reads a log, which may be compressed with gzip. In a log with one entry per line, incomplete lines are left out. An incomplete last
    /// line is an error, because it shows that the end of the log is missing.
    /// - Parameter progress: called from time to time with the share of the entries that has been read, 0 ... 1.
    /// - Throws: `TripRecordingError` if the text is not JSON, is cut off, or exceeds one of the limits above.
    public init(_ data: Data, progress: (Double) -> Void = { _ in }) throws(TripRecordingError) {
        try self.init(bytes: Array(data), progress: progress)
    }

    /// Reads a log without a copy of its bytes.
    package init(bytes: [UInt8], progress: (Double) -> Void = { _ in }) throws(TripRecordingError) {
        try self.init(text: try GzipText.recording(bytes), progress: progress)
    }

    /// Reads a log from its unpacked text.
    init(text: [UInt8], progress: (Double) -> Void = { _ in }) throws(TripRecordingError) {
        let found = try findEntries(in: text)
        let decoder = JSONDecoder()
        for (index, entry) in found.enumerated() {
            if index % Self.progressEntries == 0 { progress(Double(index) / Double(found.count)) }
            guard let value = try? decoder.decodeBounded(JSONValue.self, from: Data(text[entry.bytes])) else {
                throw .unreadableEntry(number: index + 1, line: entry.line)
            }
            add(LogEntry.read(value))
        }
        entryCount = found.count
        // Logs list the newest entry first by default. In such a log, entries with the same time are in reverse order, too.
        let sign = isNewestFirst ? -1 : 1
        let order = entries.indices.sorted { (entries[$0].time, sign * $0) < (entries[$1].time, sign * $1) }
        entries = order.map { entries[$0] }.withFullNames
    }

    /// Whether the time decreases more often than it increases from one entry to the next.
    private var isNewestFirst: Bool {
        zip(entries, entries.dropFirst()).reduce(0) { $0 + ($1.0.time > $1.1.time ? 1 : $1.0.time < $1.1.time ? -1 : 0) } > 0
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

    private mutating func add(_ reading: LogEntry.Reading) {
        switch reading {
        case .entry(let entry): entries.append(entry)
        case .refused: refusedCallCount += 1
        case .unknown: unknownEntryCount += 1
        case .unusable: unusableEntryCount += 1
        }
    }

    /// The trips of the log, in order of first appearance.
    public var tripNames: [TripName] {
        var names: [TripName] = []
        var seen: Set<TripName> = []
        for entry in entries {
            if case .trip(let name, _) = entry.content, seen.insert(name).inserted { names.append(name) }
        }
        return names
    }

    /// Returns the recording of one trip; nil if the log does not have the trip.
    public func recordedTrip(_ name: TripName) -> RecordedTrip? {
        var timeline = TripTimeline(name: name)
        for entry in entries { timeline.apply(entry) }
        return RecordedTrip(name: name, moments: timeline.moments)
    }

    /// Returns the recording of the requested trip.
    /// - Parameter wanted: a bare trip id or a full trip name; nil takes the first trip of the log.
    /// - Throws: `TripRecordingError.noTrip` or `.noSuchTrip`.
    public func recordedTrip(matching wanted: String?) throws(TripRecordingError) -> RecordedTrip {
        let names = tripNames
        guard let first = names.first else { throw .noTrip(entryCount: entryCount) }
        let name = wanted.map { wanted in names.first { $0.trip == wanted || $0.description == wanted } } ?? first
        guard let name, let trip = recordedTrip(name) else {
            throw .noSuchTrip(wanted: wanted ?? first.trip, available: names.map(\.trip))
        }
        return trip
    }
}
