import FleetEngine
public import FoundationEssentials
import Geo
public import Navigation

/// A drive as `drive --record` has written it down: what went into its navigator, a line each.
///
/// The first line says what the file is. A last line without its end is left out: a program that was killed has left it so.
public struct DriveRecording: Sendable {
    /// An input, and when it came.
    public struct Entry: Hashable, Sendable {
        /// By the driver's clock.
        public let time: Date
        /// A fix or a command.
        public let input: NavigatorInput

        /// - Parameter time: of a command; a fix and a tick have times of their own.
        public init(_ input: NavigatorInput, at time: Date) {
            self.input = input
            switch input {
            case .fix(_, let moment), .command(.tick(let moment)): self.time = moment
            case .command: self.time = time
            }
        }
    }

    /// The longest line that is read, bytes: a route of 500,000 places.
    private static let longestLine = 64 << 20

    /// In the order in which they went in.
    public let entries: [Entry]

    /// What a file begins with.
    /// - Parameter vehicle: the full name of the vehicle that is driven.
    public static func header(vehicle: String, at time: Date) -> String {
        DriveLine.text(DriveHeader(vehicle: vehicle, t: time.timeIntervalSince1970))
    }

    /// The line of an entry, without its end.
    public static func line(_ entry: Entry) -> String { DriveLine.text(DriveLine(entry)) }

    /// Whether a file that begins so is such a recording.
    public static func isRecording(_ beginning: some Sequence<UInt8>) -> Bool {
        let line = Array(beginning.prefix { $0 != 0x0A })
        return (try? JSONDecoder().decode(DriveHeader.self, from: Data(line)))?.isKnown ?? false
    }

    /// Reads a file.
    /// - Parameter refill: its next piece; nil at its end.
    /// - Throws: `LocationFileError` for what is no recording, and for a line in it that is none of its lines.
    public init(_ refill: () throws(LocationFileError) -> [UInt8]?) throws(LocationFileError) {
        var splitter = LineSplitter(longestBytes: Self.longestLine)
        var (found, number): ([Entry], Int) = ([], 0)
        while let piece = try refill() {
            for line in splitter.add(piece) {
                number += 1
                guard number > 1 else {
                    guard Self.isRecording(line) else { throw .isNot("recording of a drive") }
                    continue
                }
                guard splitter.overlongCount == 0, let entry = DriveLine.entry(line) else {
                    throw .isNot("recording of a drive from line \(number) on")
                }
                guard found.count < RecordedTrack.maximumCount else { throw .tooLong }
                found.append(entry)
            }
        }
        guard number > 0 else { throw .isNot("recording of a drive") }
        entries = found
    }

    /// What the navigator made of it, event by event.
    public var events: [NavigatorEvent] {
        var state = NavigatorState()
        return entries.flatMap { state.apply($0.input) }
    }

    /// The positions, to be driven again.
    public var track: RecordedTrack {
        RecordedTrack(
            timed: entries.compactMap { entry in
                if case .fix(let fix, _) = entry.input { TrackPoint(fix) } else { nil }
            })
    }

    /// The ways that were driven, in their order.
    public var routes: [NavigationRoute] {
        entries.compactMap { entry in
            if case .command(.setRoute(let route, _)) = entry.input { route } else { nil }
        }
    }
}
