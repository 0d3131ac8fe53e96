import FleetEngine
import FoundationEssentials
import Synchronization

@testable import TripRecording

/// A clock that does not sleep: it jumps to the end of every sleep.
final class JumpingTimeSource: TimeSource {
    private struct State {
        var now = Date(timeIntervalSinceReferenceDate: 1_000_000)
        var sleepCount = 0
    }
    private let state = Mutex(State())

    var sleepCount: Int { state.withLock { $0.sleepCount } }

    func now() -> Date { state.withLock { $0.now } }

    func sleep(until deadline: Date) async throws {
        try Task.checkCancellation()
        state.withLock {
            $0.now = max($0.now, deadline)
            $0.sleepCount += 1
        }
        await Task.yield()
    }

    func advance(seconds: Double) { state.withLock { $0.now.addTimeInterval(seconds) } }
}

/// An answer that a poll loop received, and the time at which it arrived.
struct Poll: Sendable {
    let time: Date
    let trip: Trip
}

/// Polls as a trip model does: it requests the trip, applies the answer, and sleeps for an interval, until the trip has a final status.
/// - Parameter work: called after each answer, before the clock is read again.
func pollUntilFinal(
    _ playback: PlaybackTimeSource, intervalSeconds: Double = 5, work: @Sendable () async -> Void = {}
) async throws -> [Poll] {
    let client = RecordedTripClient(playback)
    var polls: [Poll] = []
    var request = GetTripRequest(name: playback.trip.name)
    while true {
        let trip = try await client.getTrip(request)
        await work()
        polls.append(Poll(time: playback.now(), trip: trip))
        if trip.status.isFinal { return polls }
        request.activeRouteVersion = trip.activeRouteVersion
        request.activeRouteTrafficVersion = trip.activeRouteTrafficVersion
        request.remainingWaypointsRouteVersion = trip.remainingWaypointsRouteVersion
        try await playback.sleep(until: playback.now().addingTimeInterval(intervalSeconds))
    }
}

extension Array where Element: Equatable {
    /// The elements, with each run of equal elements reduced to one.
    var withoutRepetitions: [Element] { enumerated().filter { $0.offset == 0 || self[$0.offset - 1] != $0.element }.map(\.element) }
}
