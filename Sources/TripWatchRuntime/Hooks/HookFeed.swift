package import FleetEngine
package import FoundationEssentials
package import JourneySharing
package import ProgramSurroundings
package import TripWatchSettings
import TripWatchWords

/// Sends the events of trips and shipments to hooks. Looks for events in each new state, and once a second, because some events happen
/// without a new state.
@MainActor
package final class HookFeed {
    /// The maximum time for sending the remaining events at the end, in seconds.
    static let endSeconds = 30.0

    /// A hook, with one watch for each trip and each shipment. A watch finds the events of its trip or shipment.
    private struct Listener {
        let rules: MomentRules
        let queue: HookQueue
        var watches: [TripName: MomentWatch] = [:]
        var shipments: [TaskTrackingName: ShipmentMomentWatch] = [:]
    }

    private let time: any TimeSource
    private let streams: StandardStreams
    private var listeners: [Listener]
    /// The trackers of the unfinished trips.
    private var journeys: [TripName: JourneyTracker] = [:]
    private var shipments: [TaskTrackingName: ShipmentTracker] = [:]
    private var ticker: Task<Void, Never>?

    /// Creates a feed.
    /// - Parameter noteLost: receives the number of events that have been lost since the last call.
    /// - Throws: `Failure` if a key file cannot be read or is empty.
    package init(
        _ settings: HookSettings, time: any TimeSource, in surroundings: Surroundings,
        noteLost: @escaping @Sendable (Int) -> Void = { _ in }
    ) throws(Failure) {
        self.time = time
        streams = surroundings.streams
        var receivers: [HookReceiver] = []
        for hook in settings.hooks {
            receivers.append(try HookReceiver(hook, version: settings.version, caFile: settings.caFile, in: surroundings))
        }
        listeners = zip(settings.hooks, HookReceiver.numbered(receivers)).map { hook, receiver in
            Listener(rules: hook.rules, queue: HookQueue(receiver, in: surroundings, noteLost: noteLost))
        }
    }

    /// Processes the current state of a trip.
    package func observe(_ journey: JourneyTracker, at now: Date) {
        guard let trip = journey.trip else { return }
        for index in listeners.indices {
            var watch = listeners[index].watches[journey.tripName] ?? MomentWatch(listeners[index].rules)
            for moment in watch.observe(journey, now: now) { listeners[index].queue.add(HookEvent(moment)) }
            listeners[index].watches[journey.tripName] = watch
        }
        journeys[journey.tripName] = trip.status.isFinal ? nil : journey
        startTicking()
    }

    /// Processes an update of a shipment.
    /// - Parameter tracker: the shipment's tracker, which has already processed the update.
    func observe(_ update: ShipmentUpdate, _ tracker: ShipmentTracker) {
        tell(of: tracker.name) { $0.observe(update, tracker) }
        shipments[tracker.name] = tracker.isOver(now: update.time) ? nil : tracker
        startTicking()
    }

    private func tell(of name: TaskTrackingName, _ find: (inout ShipmentMomentWatch) -> [ShipmentMoment]) {
        for index in listeners.indices {
            var watch = listeners[index].shipments[name] ?? ShipmentMomentWatch(listeners[index].rules)
            for moment in find(&watch) { listeners[index].queue.add(HookEvent(moment)) }
            listeners[index].shipments[name] = watch
        }
    }

    /// Removes a trip that is no longer followed.
    package func forget(_ name: TripName) {
        journeys[name] = nil
        for index in listeners.indices { listeners[index].watches[name] = nil }
    }

    /// Removes a shipment that is no longer followed.
    func forget(_ name: TaskTrackingName) {
        shipments[name] = nil
        for index in listeners.indices { listeners[index].shipments[name] = nil }
    }

    private var isWaiting: Bool { !journeys.isEmpty || !shipments.isEmpty }

    private func startTicking() {
        guard ticker == nil, isWaiting else { return }
        ticker = Task { [weak self, time] in await Self.tick(time) { self?.tick() ?? false } }
    }

    /// Runs `work` once a second while it returns true.
    private static func tick(_ time: any TimeSource, _ work: () -> Bool) async {
        while (try? await time.sleep(seconds: 1)) != nil, work() {}
    }

    /// Checks all trips and shipments for events that happen because time has passed.
    /// - Returns: whether there are unfinished trips or shipments.
    private func tick() -> Bool {
        let now = time.now()
        for var journey in journeys.values {
            journey.tick(now: now)
            observe(journey, at: now)
        }
        for var tracker in shipments.values {
            tracker.tick(now: now)
            shipments[tracker.name] = tracker
            tell(of: tracker.name) { $0.tick(tracker, now: now) }
        }
        if !isWaiting { ticker = nil }
        return isWaiting
    }

    /// Waits until all events are sent, for at most ``endSeconds``.
    /// - Parameter isHurried: whether to return without waiting.
    package func finish(isHurried: Bool = false) async {
        ticker?.cancel()
        let queues = listeners.map(\.queue)
        await withTaskGroup(of: Void.self) { group in
            for queue in queues { group.addTask { await queue.finish(within: isHurried ? 0 : Self.endSeconds) } }
        }
    }
}

/// The hooks, and the settings for sending events to them.
package struct HookSettings: Sendable {
    package var hooks: [Hook] = []
    /// Version of this program.
    package var version: String
    /// The path of a PEM file with CA certificates, which are used in addition to the system's.
    package var caFile: String?
    /// Whether the hooks come from the configuration, and not from flags.
    package var isConfigured: Bool

    package init(hooks: [Hook] = [], version: String, caFile: String? = nil, isConfigured: Bool = false) {
        self.hooks = hooks
        self.version = version
        self.caFile = caFile
        self.isConfigured = isConfigured
    }

    /// Whether any hook runs a program.
    package var runsCommands: Bool { hooks.contains { if case .command = $0.target { true } else { false } } }
}
