import FleetEngine
import FoundationEssentials
import JourneySharing
import ProgramSurroundings
import TripWatchWords

/// Follows shipments and prints changes. A shipment is followed until it or its recording has ended, or until an error requires action and
/// `keepsTrying` is false. All shipments share one clock.
@MainActor
final class ShipmentLines: ShipmentModelSubscriber {
    struct Settings {
        var style: TripLinePrinter.Style
        var plain: PlainOutput.Options
        /// Whether to keep waiting after errors that need the user's action.
        var keepsTrying: Bool
        /// The name of the server, for messages about failures.
        var server: String
        /// The settings for a recording that is played; nil for a live server.
        var playback: Playback?
    }

    /// The settings for shipments that are played from a recording.
    struct Playback {
        /// Replaces the times of an update with the recorded ones.
        var correct: (ShipmentUpdate) -> ShipmentUpdate
        /// The last recorded time, for a shipment that was not recorded to its end; nil otherwise.
        var endsAt: Date?
    }

    /// A shipment, with the state of its output.
    private struct Followed {
        let model: ShipmentModel
        var tracker: ShipmentTracker
        var observer = ShipmentObserver()
        var plain: ShipmentPlain
        var spoken: ShipmentSpoken
        var hasEnded = false
        /// The time of the last update.
        var lastAt: Date?
    }

    /// The time after a recorded update, in seconds, during which changes caused only by the passing of time are printed.
    private static let longestGapSeconds = 3_600.0

    private let time: any TimeSource
    private let settings: Settings
    private let streams: StandardStreams
    private let keeper: ShipmentKeeper?
    private let hooks: HookFeed?
    private let repeater: StateRepeater?
    private let json = ShipmentJSON()
    /// The names of the shipments, in the order of the command line.
    private let names: [TaskTrackingName]
    private var shipments: [TaskTrackingName: Followed] = [:]
    private var isFailureSaid = false
    private var code = ExitCodes.success
    private var end: CheckedContinuation<Void, Never>?

    /// - Parameters:
    ///   - keeper: the keeper, which records the state of the shipments; nil to record nothing.
    ///   - repeater: repeats the state of the shipments when the user presses Enter; nil if the lines are not sentences.
    init(
        models: [ShipmentModel], time: any TimeSource, settings: Settings, streams: StandardStreams, keeper: ShipmentKeeper? = nil,
        hooks: HookFeed? = nil, repeater: StateRepeater?
    ) {
        self.repeater = repeater
        self.keeper = keeper
        self.hooks = hooks
        self.time = time
        self.settings = settings
        self.streams = streams
        names = models.map(\.name)
        for model in models {
            shipments[model.name] = Followed(
                model: model, tracker: ShipmentTracker(name: model.name, pollIntervalSeconds: model.pollIntervalSeconds),
                plain: ShipmentPlain(options: settings.plain), spoken: ShipmentSpoken(options: settings.plain))
        }
    }

    /// Follows the shipments until all have ended.
    /// - Returns: the exit code; for several shipments, the most severe one.
    func run() async -> Int32 {
        let ticker = Task {
            // For a recording, `pass` processes the time between two answers.
            guard settings.playback == nil else { return }
            while (try? await time.sleep(seconds: 1)) != nil { tick(now: time.now()) }
        }
        defer { ticker.cancel() }
        repeater?.add { [weak self] in self?.sayPresentState() }
        for shipment in shipments.values { shipment.model.register(self) }
        if isOpen { await withCheckedContinuation { end = $0 } }
        return code
    }

    private var isOpen: Bool { shipments.values.contains { !$0.hasEnded } }

    private func sayPresentState() {
        let now = time.now()
        for name in names {
            guard var shipment = shipments[name], !shipment.hasEnded else { continue }
            shipment.tracker.tick(now: now)
            streams.print(shipment.spoken.presentState(shipment.tracker, time: now))
        }
    }

    func shipmentModel(_ model: ShipmentModel, didTell update: ShipmentUpdate) {
        guard var shipment = shipments[model.name], !shipment.hasEnded else { return }
        let update = settings.playback?.correct(update) ?? update
        if settings.playback != nil { pass(to: update.time, &shipment) }
        let code = exitCode(after: update)
        shipment.tracker.pollIntervalSeconds = model.pollIntervalSeconds
        shipment.tracker.observe(update)
        hooks?.observe(update, shipment.tracker)
        if case .shipment = update.kind { keeper?.note(shipment.tracker) }
        (shipment.plain.isEnding, shipment.spoken.isEnding) = (code != nil, code != nil)
        tell(shipment.observer.observe(update, shipment.tracker), &shipment, at: update.time)
        shipment.hasEnded = code != nil
        shipments[model.name] = shipment
        if let code { finish(model, code) }
    }

    /// Prints the changes that only the passing of time caused between two updates of a recording. Each line has the time of its change.
    private func pass(to moment: Date, _ shipment: inout Followed) {
        let last = shipment.lastAt ?? moment
        shipment.lastAt = moment
        let seconds = min(moment.timeIntervalSince(last), Self.longestGapSeconds)
        for second in stride(from: 1, to: seconds, by: 1) {
            let now = last.addingTimeInterval(second)
            shipment.tracker.tick(now: now)
            tell(shipment.observer.tick(shipment.tracker, now: now), &shipment, at: now)
        }
    }

    private func finish(_ model: ShipmentModel, _ code: Int32) {
        model.unregister(self)
        self.code = TripLines.worse(self.code, code)
        guard !isOpen else { return }
        end?.resume()
        end = nil
    }

    private func tick(now: Date) {
        streams.endWithoutReader()
        for (name, known) in shipments where !known.hasEnded {
            var shipment = known
            shipment.tracker.tick(now: now)
            tell(shipment.observer.tick(shipment.tracker, now: now), &shipment, at: now)
            shipments[name] = shipment
        }
    }

    private func tell(_ facts: [ShipmentFact], _ shipment: inout Followed, at moment: Date) {
        let lines =
            switch settings.style {
            case .json: facts.map { json.line($0, of: shipment.tracker.name, time: moment) }
            case .plain: shipment.plain.lines(facts, shipment.tracker, time: moment)
            case .sentences: shipment.spoken.lines(facts, shipment.tracker, time: moment)
            }
        for line in lines { streams.print(line) }
    }

    private func exitCode(after update: ShipmentUpdate) -> Int32? {
        switch update.kind {
        case .ended(let shipment): return ExitCodes.end(of: shipment)
        case .failure(let failure):
            let isLast = isLast(update)
            let code = failure.isWithinGrace || settings.keepsTrying && !isLast ? nil : failure.errorClass.exitCode(for: failure.error)
            if settings.playback == nil { say(failure, of: update.name, isLast: code != nil) }
            return isLast ? code ?? ExitCodes.failed : code
        case .shipment: return isLast(update) ? ExitCodes.success : nil
        case .replaced, .recovered, .state: return nil
        }
    }

    /// Whether this is the last update of a recording that stops before the shipment's end.
    private func isLast(_ update: ShipmentUpdate) -> Bool { settings.playback?.endsAt.map { update.time >= $0 } ?? false }

    /// Prints a failure on standard error if the failure ends the following of its shipment. Otherwise, prints only the first failure that
    /// is not within the grace period (`isWithinGrace`). Prints nothing if the lines already show failures.
    private func say(_ failure: PollFailure, of name: TaskTrackingName, isLast: Bool) {
        guard !settings.style.hasLinesForFailures(on: streams), isLast || !isFailureSaid && !failure.isWithinGrace else { return }
        isFailureSaid = true
        let retry = isLast ? "" : " Trying again in \(TripWords.age(failure.retryInSeconds.rounded(.up)))."
        streams.say("tripwatch: \(ShipmentFailureWords(failure, of: name).sentence(at: settings.server))\(retry)")
    }
}

extension ExitCodes {
    /// Returns the exit code of a command that followed a shipment to its end.
    static func end(of shipment: TaskTrackingInfo) -> Int32 {
        shipment.outcome == .succeeded ? success : tripCanceled
    }
}
