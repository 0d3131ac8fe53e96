import FleetEngine
import FoundationEssentials
import JourneySharing
import TripWatchApp

/// Prints what changes in one trip, until it ends or needs the user.
@MainActor
final class TripLinePrinter: TripModelSubscriber {
    enum Style: Sendable { case plain, sentences, json }

    struct Settings {
        var style: Style
        var framesPerSecond: Double?
        var plain: PlainOutput.Options
        /// Wait on where the user would have to do something.
        var keepsTrying: Bool
        /// What is told is derived from a log: it has no time between its moments in which anything could change.
        var isDerived = false
        /// What a recording knows better of an update than the model that plays it.
        var correct: (TripUpdate) -> TripUpdate = { $0 }
        /// The last recorded moment of a trip that was not recorded to its end.
        var endsAt: Date?
    }

    private let model: TripModel
    private let settings: Settings
    private let streams: StandardStreams
    private let hooks: HookFeed?
    private var journey: JourneyTracker
    private var observer = TripObserver()
    private var plain: PlainOutput
    private var spoken: SpokenOutput
    private let json = JSONOutput()
    private(set) var hasEnded = false
    private var onEnd: (Int32) -> Void = { _ in }
    private var lastDrawn: VehicleMotion.Drawn?
    /// The last moment at which something came or time made news.
    private var lastNewsAt: Date?
    /// Words change a moment after the last instant of what they told before, seconds.
    private static let afterChangeSeconds = 0.002
    /// Where time makes no news when it should, it is asked again so much later, seconds.
    private static let nextLookSeconds = 1.0
    private let keeper: TripKeeper?

    init(model: TripModel, settings: Settings, streams: StandardStreams, keeper: TripKeeper?, hooks: HookFeed? = nil) {
        self.keeper = keeper
        self.model = model
        self.settings = settings
        self.streams = streams
        self.hooks = hooks
        journey = JourneyTracker(tripName: model.tripName, pollIntervalSeconds: model.pollIntervalSeconds)
        plain = PlainOutput(options: settings.plain)
        spoken = SpokenOutput(options: settings.plain)
    }

    /// - Parameter onEnd: told the exit code for this trip.
    func start(onEnd: @escaping (Int32) -> Void) {
        self.onEnd = onEnd
        model.register(self)
    }

    func tripModel(_ tripModel: TripModel, didTell update: TripUpdate) {
        guard !hasEnded else { return }
        let update = settings.correct(update)
        if !settings.isDerived { tick(now: update.time) }
        lastNewsAt = update.time
        let code = exitCode(after: update)
        plain.isEnding = code != nil
        spoken.isEnding = code != nil
        journey.observe(update)
        hooks?.observe(journey, at: update.time)
        tell(observer.observe(update, journey), at: update.time)
        if case .trip = update.kind { keeper?.note(journey) }
        if let code {
            end(code)
        } else if let end = settings.endsAt, update.time >= end {
            self.end(ExitCodes.success)
        }
    }

    private func end(_ code: Int32) {
        hasEnded = true
        model.unregister(self)
        onEnd(code)
    }

    private func exitCode(after update: TripUpdate) -> Int32? {
        switch update.kind {
        case .ended(.canceled): return ExitCodes.tripCanceled
        case .ended: return ExitCodes.success
        case .failure(let failure):
            let isLast = settings.endsAt.map { update.time >= $0 } ?? false
            guard isLast || !settings.keepsTrying, !failure.isWithinGrace, let code = failure.errorClass.exitCode(for: failure.error) else {
                return nil
            }
            if settings.style == .json { streams.say("tripwatch: \(FailureWords(failure).sentence)") }
            return code
        default: return nil
        }
    }

    private func tell(_ facts: [TripFact], at moment: Date) {
        for fact in facts {
            switch settings.style {
            case .json: json.line(fact, trip: journey.tripName, time: moment).map { streams.print($0) }
            case .plain: plain.line(fact, journey: journey, time: moment).map { streams.print($0) }
            case .sentences: spoken.line(fact, journey: journey, time: moment).map { streams.print($0) }
            }
        }
    }

    /// Says how the trip stands, for a listener who asks.
    func sayPresentState(now: Date) {
        journey.tick(now: now)
        streams.print(spoken.presentState(journey, time: now))
    }

    /// Tells what time has made news until now, with the moments at which it was.
    func tick(now: Date) {
        while let last = lastNewsAt, let news = observer.newsDue(journey, after: last) {
            let due = max(news.addingTimeInterval(Self.afterChangeSeconds), last)
            guard due < now else { return }
            journey.tick(now: due)
            let facts = observer.tick(journey, now: due)
            tell(facts, at: due)
            lastNewsAt = facts.isEmpty ? due.addingTimeInterval(Self.nextLookSeconds) : due
        }
    }

    func drawFrame(now: Date) {
        journey.advance(to: now)
        guard let drawn = journey.vehicle, drawn != lastDrawn else { return }
        lastDrawn = drawn
        tell([.drawn(drawn)], at: now)
    }
}
