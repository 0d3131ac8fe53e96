import FleetEngine

/// The reason why a recording cannot be read or played. `description` is one sentence. Line and entry numbers start at 1.
public enum TripRecordingError: Error, Hashable, Sendable {
    /// The data is empty or only white space.
    case empty
    /// The data is larger than `FleetEngineLog.maximumBytes`.
    case tooLarge(bytes: Int)
    /// The gzip data of a compressed recording is damaged.
    case damagedGzip
    /// The unpacked data is larger than `FleetEngineLog.maximumBytes`.
    case tooLargeUnpacked
    /// The line is not JSON.
    case notJSON(line: Int)
    /// The data ends inside a value that began on this line.
    case truncated(line: Int)
    /// Brackets are nested deeper than `FleetEngineLog.maximumDepth`.
    case tooDeep(line: Int)
    /// The recording has more entries than `FleetEngineLog.maximumEntryCount`.
    case tooManyEntries
    /// The entry that begins on this line is larger than `FleetEngineLog.maximumEntryBytes`.
    case entryTooLarge(line: Int)
    /// The entry that begins on this line has more JSON values than `FleetEngineLog.maximumValueCount`.
    case tooManyValues(line: Int)
    /// The entry begins and ends with matching brackets, but the text between them is not JSON.
    case unreadableEntry(number: Int, line: Int)
    /// A line of a `.trip` file is of an unknown kind, or its contents are invalid.
    case notATripLine(line: Int)
    /// A line of a `.trip` file has an earlier time than the line before it.
    case outOfOrder(line: Int)
    /// The `.trip` file has an unsupported version.
    case otherVersion(Int)
    /// The log has no entry about a trip. It may have entries about deliveries.
    case noTrip(entryCount: Int, hasDeliveries: Bool)
    /// The `.trip` file has a header, but no answer.
    case noAnswer
    /// The `.trip` file is a recording of a shipment, not of a trip.
    case isShipment(trackingID: String)
    /// The log has trips, but not the requested one.
    case noSuchTrip(wanted: String, available: [String])
}

extension TripRecordingError {
    /// Whether the recording is valid so far but exceeds a limit.
    var isLimit: Bool {
        switch self {
        case .tooManyEntries, .entryTooLarge, .tooManyValues: true
        default: false
        }
    }
}

extension TripRecordingError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .empty: "the recording is empty"
        case .tooLarge(let bytes): "the recording has \(bytes) bytes; the limit is \(FleetEngineLog.maximumBytes)"
        case .damagedGzip: "the gzip data of the recording is damaged"
        case .tooLargeUnpacked: "the recording is too large when unpacked; the limit is \(FleetEngineLog.maximumBytes) bytes"
        case .notJSON(let line): "line \(line) of the recording is not JSON"
        case .truncated(let line): "the recording is cut off in the entry that starts on line \(line)"
        case .tooDeep(let line): "line \(line) of the recording is nested more than \(FleetEngineLog.maximumDepth) levels deep"
        case .tooManyEntries: "the recording has more than \(FleetEngineLog.maximumEntryCount) entries"
        case .entryTooLarge(let line):
            "line \(line) of the recording has an entry with more than \(FleetEngineLog.maximumEntryBytes) bytes"
        case .tooManyValues(let line):
            "line \(line) of the recording has an entry with more than \(FleetEngineLog.maximumValueCount) JSON values"
        case .unreadableEntry(let number, let line): "entry \(number) of the recording (line \(line)) is not valid JSON"
        case .notATripLine(let line): "line \(line) of the recording is not valid in a .trip file"
        case .outOfOrder(let line): "line \(line) of the recording has an earlier time than the line before it"
        case .otherVersion(let version):
            version > TripLine.version
                ? "the recording has version \(version), but this program reads version \(TripLine.version): use a newer tripwatch"
                : "the recording has version \(version); this program reads version \(TripLine.version)"
        case .noTrip(let count, let hasDeliveries):
            "the recording has no trip in its \(count) \(count == 1 ? "entry" : "entries")"
                + (hasDeliveries ? "; it has deliveries, which 'tripwatch serve --import FILE' loads" : "")
        case .noAnswer: "the recording has no answer: it ends before the server reports the trip or shipment"
        case .isShipment(let id): "the recording shows the shipment \(Self.quoted(id)), not a ride: use 'tripwatch replay' to play it"
        case .noSuchTrip(let wanted, let available):
            "the recording has no trip \(Self.quoted(wanted)); it has \(Self.listed(available))"
        }
    }

    /// The largest number of trips that an error message lists.
    private static let listedTrips = 5

    private static func listed(_ names: [String]) -> String {
        let shown = names.prefix(listedTrips).map { ForeignText.line($0) }.joined(separator: ", ")
        return names.count > listedTrips ? "\(shown) and \(names.count - listedTrips) more" : shown
    }

    /// Returns the user's text without terminal control characters.
    private static func quoted(_ text: String) -> String {
        "\"\(ForeignText.line(text))\""
    }
}
