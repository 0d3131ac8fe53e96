import FleetEngine

/// Why a file gives no positions, in one sentence for people; lines count from 1.
public enum LocationFileError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The system's reason.
    case unreadable(String)
    /// What it is not: `GPX file`, for instance.
    case isNot(String)
    /// Something that XML does not allow stands in this line.
    case malformed(line: Int)
    /// The file ends in the middle.
    case truncated(line: Int)
    /// More places than `RecordedTrack.maximumCount`.
    case tooLong
    /// The file is what it claims to be, and has no place in it.
    case noPlaces(String)
    /// What was looked for in a log, and what it has.
    case notInLog(String)

    /// Whether what stands before the fault may still be used.
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
        case .malformed(let line): "line \(line) is not what XML allows"
        case .truncated(let line): "it ends in the middle, in line \(line)"
        case .tooLong: "it has more than \(RecordedTrack.maximumCount) places"
        case .noPlaces(let what): "it has no \(what)"
        case .notInLog(let words): ForeignText.line(words)
        }
    }
}
