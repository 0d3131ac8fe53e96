import FleetEngine

/// Why a recording could not be read or played. `description` is one sentence; lines and entries count from 1.
public enum TripRecordingError: Error, Hashable, Sendable {
    /// Nothing but white space.
    case empty
    /// More bytes than `FleetEngineLog.maximumBytes`.
    case tooLarge(bytes: Int)
    /// The gzip data of a packed recording are damaged.
    case damagedGzip
    /// More bytes than `FleetEngineLog.maximumBytes` when it is unpacked.
    case tooLargeUnpacked
    /// Something other than JSON stands in this line.
    case notJSON(line: Int)
    /// The data ends inside a value that began in this line.
    case truncated(line: Int)
    /// Brackets nested deeper than `FleetEngineLog.maximumDepth`.
    case tooDeep(line: Int)
    /// More entries than `FleetEngineLog.maximumEntryCount`.
    case tooManyEntries
    /// The brackets of this entry match, but the text between them is not JSON.
    case unreadableEntry(number: Int, line: Int)
    /// This line of a `.trip` file is none, or holds what no such line can.
    case notATripLine(line: Int)
    /// This line of a `.trip` file is earlier than the one before.
    case outOfOrder(line: Int)
    /// A `.trip` file of another version than is read.
    case otherVersion(Int)
    /// The log was read and has no trip in it.
    case noTrip(entryCount: Int)
    /// A `.trip` file that says nothing of its trip.
    case noAnswer
    /// The log has other trips only.
    case noSuchTrip(wanted: String, available: [String])
}

extension TripRecordingError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .empty: "the recording is empty"
        case .tooLarge(let bytes): "the recording has \(bytes) bytes; at most \(FleetEngineLog.maximumBytes) are read"
        case .damagedGzip: "the gzip data of the recording are damaged"
        case .tooLargeUnpacked: "the recording has more than \(FleetEngineLog.maximumBytes) bytes when it is unpacked, and is not read"
        case .notJSON(let line): "line \(line) of the recording is not JSON"
        case .truncated(let line): "the recording ends in the middle of what begins in line \(line)"
        case .tooDeep(let line): "line \(line) of the recording is nested deeper than \(FleetEngineLog.maximumDepth) levels"
        case .tooManyEntries: "the recording has more than \(FleetEngineLog.maximumEntryCount) entries"
        case .unreadableEntry(let number, let line): "entry \(number) of the recording (line \(line)) is not valid JSON"
        case .notATripLine(let line): "line \(line) is not one of a recorded trip"
        case .outOfOrder(let line): "line \(line) of the recording is earlier than the line before"
        case .otherVersion(let version):
            version > TripLine.version
                ? "the recording has version \(version), a newer one than this program reads (\(TripLine.version)): a newer tripwatch plays it"
                : "the recording has version \(version); this program reads version \(TripLine.version)"
        case .noTrip(let count): "the recording has no trip in its \(count) \(count == 1 ? "entry" : "entries")"
        case .noAnswer: "the recording holds no answer: it ends before the server said anything of the trip"
        case .noSuchTrip(let wanted, let available):
            "the recording has no trip \(Self.quoted(wanted)); it has \(Self.listed(available))"
        }
    }

    /// How many trips are named at most.
    private static let listedTrips = 5

    private static func listed(_ names: [String]) -> String {
        let shown = names.prefix(listedTrips).map { ForeignText.line($0) }.joined(separator: ", ")
        return names.count > listedTrips ? "\(shown) and \(names.count - listedTrips) more" : shown
    }

    /// The user's own word, without what could move a terminal's cursor.
    private static func quoted(_ text: String) -> String {
        "\"\(ForeignText.line(text))\""
    }
}
