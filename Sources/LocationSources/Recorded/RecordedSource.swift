public import FleetEngine
public import FoundationEssentials
public import Navigation
import Synchronization

/// Replays a recorded track. The first fix is returned at once. The others follow at the intervals of the recording, by the driver's clock.
public final class RecordedSource: LocationSource {
    private struct State {
        var index = 0
        var start: Date?
    }

    /// Name of the source, such as `GPX file`.
    public let name: String
    private let track: RecordedTrack
    private let time: any TimeSource
    private let state = Mutex(State())

    /// - Parameter time: the driver's clock. A faster clock makes a faster drive.
    public init(_ track: RecordedTrack, name: String, time: any TimeSource) {
        self.track = track
        self.name = name
        self.time = time
    }

    /// Waits for the next fix.
    /// - Throws: `LocationSourceError.ended` after the last fix.
    public func nextFix(until deadline: Date) async throws -> LocationFix? {
        let now = time.now()
        let next = state.withLock { state -> (due: Date, point: TrackPoint)? in
            guard let next = track.point(state.index) else { return nil }
            let start = state.start ?? now
            state.start = start
            return (start.addingTimeInterval(next.seconds), next.point)
        }
        guard let next else { throw LocationSourceError.ended }
        guard next.due <= max(now, deadline) else {
            try await time.sleep(until: deadline)
            return nil
        }
        if next.due > now { try await time.sleep(until: next.due) }
        try Task.checkCancellation()
        state.withLock { $0.index += 1 }
        return next.point.fix(at: next.due)
    }
}
