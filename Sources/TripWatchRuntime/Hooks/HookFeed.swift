package import FleetEngine
package import FoundationEssentials
package import JourneySharing
package import ProgramSurroundings
package import TripWatchSettings
import TripWatchWords

/// Tells hooks the moments of trips: what is known goes in as it comes, and once a second the time.
@MainActor
package final class HookFeed {
    /// How long events may be told after the end, seconds.
    static let endSeconds = 30.0

    /// A hook, and what it has been told of each trip.
    private struct Listener {
        let rules: MomentRules
        let queue: HookQueue
        var watches: [TripName: MomentWatch] = [:]
    }

    private let time: any TimeSource
    private let streams: StandardStreams
    private var listeners: [Listener]
    /// Trips that go on.
    private var journeys: [TripName: JourneyTracker] = [:]
    private var ticker: Task<Void, Never>?

    /// - Parameter noteLost: told how many more events were lost.
    /// - Throws: `Failure` for a key that cannot be read.
    package init(
        _ settings: HookSettings, time: any TimeSource, in surroundings: Surroundings,
        noteLost: @escaping @Sendable (Int) -> Void = { _ in }
    ) throws(Failure) {
        self.time = time
        streams = surroundings.streams
        var listeners: [Listener] = []
        for hook in settings.hooks {
            let receiver = try HookReceiver(hook, version: settings.version, caFile: settings.caFile, in: surroundings)
            listeners.append(Listener(rules: hook.rules, queue: HookQueue(receiver, in: surroundings, noteLost: noteLost)))
        }
        self.listeners = listeners
    }

    /// Takes in what a trip's journey is now.
    package func observe(_ journey: JourneyTracker, at now: Date) {
        guard let trip = journey.trip else { return }
        for index in listeners.indices {
            var watch = listeners[index].watches[journey.tripName] ?? MomentWatch(listeners[index].rules)
            for moment in watch.observe(journey, now: now) { listeners[index].queue.add(HookEvent(moment)) }
            listeners[index].watches[journey.tripName] = watch
        }
        journeys[journey.tripName] = trip.status.isFinal ? nil : journey
        if ticker == nil, !journeys.isEmpty { ticker = Task { [weak self, time] in await Self.tick(time) { self?.tick() ?? false } } }
    }

    /// Forgets a trip that nobody follows any more.
    package func forget(_ name: TripName) {
        journeys[name] = nil
        for index in listeners.indices { listeners[index].watches[name] = nil }
    }

    /// Does work once a second, as long as it wants to go on.
    private static func tick(_ time: any TimeSource, _ work: () -> Bool) async {
        while (try? await time.sleep(seconds: 1)) != nil, work() {}
    }

    /// - Returns: whether trips go on.
    private func tick() -> Bool {
        let now = time.now()
        for var journey in journeys.values {
            journey.tick(now: now)
            observe(journey, at: now)
        }
        if journeys.isEmpty { ticker = nil }
        return !journeys.isEmpty
    }

    /// Waits until everything is told, at most ``endSeconds``.
    /// - Parameter isHurried: nothing is waited for.
    package func finish(isHurried: Bool = false) async {
        ticker?.cancel()
        let queues = listeners.map(\.queue)
        await withTaskGroup(of: Void.self) { group in
            for queue in queues { group.addTask { await queue.finish(within: isHurried ? 0 : Self.endSeconds) } }
        }
    }
}

/// Who is told.
package struct HookSettings: Sendable {
    package var hooks: [Hook] = []
    /// This program's.
    package var version: String
    /// Certificates in PEM that are trusted besides the system's.
    package var caFile: String?

    package init(hooks: [Hook] = [], version: String, caFile: String? = nil) {
        self.hooks = hooks
        self.version = version
        self.caFile = caFile
    }

    /// Whether programs are run.
    var runsCommands: Bool { hooks.contains { if case .command = $0.target { true } else { false } } }
}
