import FleetEngine

/// The reason why no positions can be read from a file. The description is a clause about the file, such as `it is not a GPX file`. Line
/// numbers start at 1.
public enum LocationFileError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The file cannot be read. The text is the system's reason.
    case unreadable(String)
    /// The file does not have the named format, such as `GPX file`.
    case isNot(String)
    /// The line holds invalid XML.
    case malformed(line: Int)
    /// The file is cut off in this line, before its proper end.
    case truncated(line: Int)
    /// The line exceeds a limit. The text is the limit, such as `16 MiB`.
    case tooLarge(line: Int, limit: String)
    /// The file has more points than `RecordedTrack.maximumCount`.
    case tooLong
    /// The file has more segments and routes than `RecordedTrack.maximumPartCount`.
    case tooManyParts
    /// The file has the right format but no positions. The text names what is missing.
    case noPlaces(String)
    /// The log does not contain the requested vehicle or trip. The text is the message.
    case notInLog(String)

    /// Whether the contents before the fault may still be used.
    var isBreak: Bool {
        switch self {
        case .malformed, .truncated: true
        default: false
        }
    }

    public var description: String {
        switch self {
        case .unreadable(let reason): "it cannot be read: \(reason)"
        case .isNot(let what): "it is not a \(what)"
        case .malformed(let line): "line \(line) is not valid XML"
        case .truncated(let line): "it is cut off on line \(line)"
        case .tooLarge(let line, let limit): "line \(line) has more than \(limit)"
        case .tooLong: "it has more than \(RecordedTrack.maximumCount) points"
        case .tooManyParts: "it has more than \(RecordedTrack.maximumPartCount) segments and routes"
        case .noPlaces(let what): "it has no \(what)"
        case .notInLog(let words): ForeignText.line(words)
        }
    }
}
