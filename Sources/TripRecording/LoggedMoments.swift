import FleetEngine
import Synchronization

/// The moments of a trip in a log. They are derived in order. Only the last few are kept, because each of them holds the whole trip. To
/// derive an earlier moment again, the entries about the trip are read again from the start.
final class LoggedMoments: Sendable {
    private struct State {
        var timeline: TripTimeline
        /// Number of entries that were applied.
        var entryCount = 0
        /// Number of moments that were derived.
        var count = 0
        var kept: [RecordedMoment] = []
    }

    private static let mostKept = 8

    private let log: FleetEngineLog
    /// The indices, in the log, of the entries that can change the trip.
    private let positions: [Int]
    private let name: TripName
    private let state: Mutex<State>

    init(_ log: FleetEngineLog, of name: TripName) {
        self.log = log
        positions = log.positions(for: name)
        self.name = name
        state = Mutex(State(timeline: TripTimeline(name: name)))
    }

    /// The entries that can change the trip, in chronological order.
    var entries: some Sequence<LogEntry> { positions.lazy.compactMap { [log] in log.entry($0) } }

    /// Returns the moment with an index, from 0; nil after the last moment.
    func moment(_ index: Int) -> RecordedMoment? {
        state.withLock { state in
            if index < state.count - state.kept.count { state = State(timeline: TripTimeline(name: name)) }
            while state.count <= index {
                // Nothing changes the trip after its end.
                guard state.entryCount < positions.count, !state.timeline.isFinal else { return nil }
                let entry = log.entry(positions[state.entryCount])
                state.entryCount += 1
                guard let entry, let moment = state.timeline.apply(entry) else { continue }
                state.count += 1
                if state.kept.count == Self.mostKept { state.kept.removeFirst() }
                state.kept.append(moment)
            }
            return state.kept.dropLast(state.count - 1 - index).last
        }
    }
}
