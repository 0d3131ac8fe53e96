import BoundedJSON
import FleetEngine
public import FoundationEssentials
import Geo
public import Navigation

/// A drive that `drive --record` has recorded: the inputs of its navigator, one on each line.
///
/// The first line identifies the file. An unfinished last line is ignored, because a program that was killed can leave one.
public struct DriveRecording: Sendable {
    /// An input with its time.
    public struct Entry: Hashable, Sendable {
        /// The time by the driver's clock.
        public let time: Date
        /// A fix or a command.
        public let input: NavigatorInput

        /// - Parameter time: the time of a command. A fix and a tick have their own times.
        public init(_ input: NavigatorInput, at time: Date) {
            self.input = input
            switch input {
            case .fix(_, let moment), .command(.tick(let moment)): self.time = moment
            case .command: self.time = time
            }
        }
    }

    /// Size limit of a line, in bytes. A route of 200,000 points fits into it.
    private static let longestLine = 16 << 20

    /// The inputs, in order.
    public let entries: [Entry]

    /// Returns the first line of a recording.
    /// - Parameter vehicle: the full name of the driven vehicle.
    public static func header(vehicle: String, at time: Date) -> String {
        DriveLine.text(DriveHeader(vehicle: vehicle, t: time.timeIntervalSince1970))
    }

    /// Returns the line of an entry, without its line break.
    public static func line(_ entry: Entry) -> String { DriveLine.text(DriveLine(entry)) }

    /// Returns whether a file that begins with these bytes is the recording of a drive.
    public static func isRecording(_ beginning: some Sequence<UInt8>) -> Bool {
        let line = Array(beginning.prefix { $0 != 0x0A })
        return (try? JSONDecoder().decodeBounded(DriveHeader.self, from: Data(line)))?.isKnown ?? false
    }

    /// Reads a file.
    /// - Parameter refill: returns the next piece of the file; nil at the end.
    /// - Throws: `LocationFileError` for a file that is not a recording, has an invalid line, or exceeds a limit.
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
                guard splitter.overlongCount == 0 else { throw .tooLarge(line: number, limit: "\(Self.longestLine >> 20) MiB") }
                guard found.count < RecordedTrack.maximumCount else { throw .tooLong }
                found.append(try Self.entry(line, number: number))
            }
        }
        guard number > 0 else { throw .isNot("recording of a drive") }
        entries = found
    }

    private static func entry(_ line: [UInt8], number: Int) throws(LocationFileError) -> Entry {
        let entry: Entry?
        do throws(TooManyJSONValues) {
            entry = try DriveLine.entry(line)
        } catch {
            throw .tooLarge(line: number, limit: "\(DriveLine.maximumValueCount) JSON values")
        }
        guard let entry else { throw .isNot("recording of a drive: line \(number) is invalid") }
        return entry
    }

    /// The events that the navigator produces from these inputs.
    public var events: [NavigatorEvent] {
        var state = NavigatorState()
        return entries.flatMap { state.apply($0.input) }
    }

    /// The recorded positions, as a track that can be driven again.
    public var track: RecordedTrack {
        RecordedTrack(
            timed: entries.compactMap { entry in
                if case .fix(let fix, _) = entry.input { TrackPoint(fix) } else { nil }
            })
    }

    /// The routes that were set during the drive, in order.
    public var routes: [NavigationRoute] {
        entries.compactMap { entry in
            if case .command(.setRoute(let route, _)) = entry.input { route } else { nil }
        }
    }
}
