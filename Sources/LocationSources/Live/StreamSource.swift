import Dispatch
public import FleetEngine
import FoundationEssentials
import Glibc
import Navigation

extension LiveSource {
    /// Creates a source that reads positions from the lines of a pipe or a terminal. It ends when the stream ends. A stream counts as
    /// broken if it cannot be read, if it ends without a readable line, or if too many consecutive lines are unreadable or too long.
    ///
    /// - Parameters:
    ///   - format: format of the lines.
    ///   - descriptor: file descriptor that a separate thread reads until the end.
    ///   - name: name for messages, such as `standard input`.
    ///   - time: the driver's clock.
    public static func lines(of format: StreamFormat, from descriptor: Int32, name: String, time: any TimeSource) -> LiveSource {
        let feed = FixFeed()
        DispatchQueue(label: "positions").async {
            feed.finish(read(format, from: descriptor, name: name, into: feed, time))
        }
        return LiveSource(name: name, feed: feed, time: time)
    }

    private static func read(
        _ format: StreamFormat, from descriptor: Int32, name: String, into feed: FixFeed, _ time: any TimeSource
    ) -> LocationSourceError {
        var splitter = LineSplitter(longestBytes: format.longestBytes)
        var lines = PositionLines(format)
        var timing = StreamTiming()
        let bytes = FileBytes(descriptor: descriptor)
        func put(_ fixes: [LocationFix]) { for fix in fixes { feed.put(timing.add(fix, at: time.now())) } }
        do throws(LocationFileError) {
            while let piece = try bytes.next() {
                for line in splitter.add(piece) { put(lines.add(line, at: time.now())) }
                if lines.isBroken || splitter.overlongRun > 10 { return .broken("\(name) is not a stream of \(format.name) positions") }
            }
        } catch {
            return .broken("\(name) is broken: \(error)")
        }
        put(lines.finish(splitter.finish(), at: time.now()))
        feed.put(StreamTiming.Outcome(entries: timing.finish(at: time.now())))
        return lines.hasRead ? .ended : .broken("\(name) has ended without any \(format.name) position")
    }
}
