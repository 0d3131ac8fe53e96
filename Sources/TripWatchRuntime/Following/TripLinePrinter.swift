import FleetEngine
import FoundationEssentials
import JourneySharing
import ProgramSurroundings
import TripWatchWords

/// Prints what changes in one trip, until it ends or needs the user.
@MainActor
final class TripLinePrinter: TripModelSubscriber {
    enum Style: Sendable { case plain, sentences, json }

    struct Settings {
        var style: Style
        var framesPerSecond: Double?
        var plain: PlainOutput.Options
        /// What the user says that trips are whose attributes do not say it.
        var tripKind: TripKind?
        /// Wait on where the user would have to do something.
        var keepsTrying: Bool
        /// What is told is derived from a log: it has no time between its moments in which anything could change.
        var isDerived = false
        /// What a recording knows better of an update than the model that plays it.
        var correct: (TripUpdate) -> TripUpdate = { $0 }
        /// The last recorded moment of a trip that was not recorded to its end.
        var endsAt: Date?
        /// Says the first failure of all trips; nil where no server is asked.
        var firstFailure: FirstFailure?
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
    private let findVehicle: VehicleFinder?
    /// What is told once it is known which car it is about, in its order; nil while nothing waits for that.
    private var held: [Told]?
    private var heldEnd: Int32?

    /// What a vehicle is, as soon as that is known or it has taken too long; nil where nobody can say.
    typealias VehicleFinder = @Sendable (VehicleName) async -> Vehicle?

    /// Facts, and what was known when they came.
    private struct Told {
        var facts: [TripFact]
        var journey: JourneyTracker
        var moment: Date
        var isEnding: Bool
    }

    /// - Parameter findVehicle: nil tells cars by their ids.
    init(
        model: TripModel, settings: Settings, streams: StandardStreams, keeper: TripKeeper?, hooks: HookFeed? = nil,
        findVehicle: VehicleFinder? = nil
    ) {
        self.keeper = keeper
        self.findVehicle = settings.style == .json ? nil : findVehicle
        self.model = model
        self.settings = settings
        self.streams = streams
        self.hooks = hooks
        journey = JourneyTracker(
            tripName: model.tripName, pollIntervalSeconds: model.pollIntervalSeconds, fallbackKind: settings.tripKind)
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
        journey.observe(update)
        hooks?.observe(journey, at: update.time)
        tell(observer.observe(update, journey), at: update.time, isEnding: code != nil)
        if case .trip = update.kind { keeper?.note(journey) }
        if let code {
            end(code)
        } else if let end = settings.endsAt, update.time >= end, update.kind.isAnswer {
            self.end(ExitCodes.success)
        }
    }

    private func end(_ code: Int32) {
        hasEnded = true
        model.unregister(self)
        if held == nil { onEnd(code) } else { heldEnd = code }
    }

    private func exitCode(after update: TripUpdate) -> Int32? {
        switch update.kind {
        case .ended(.canceled): return ExitCodes.tripCanceled
        case .ended: return ExitCodes.success
        case .failure(let failure):
            let code = failure.isWithinGrace || settings.keepsTrying ? nil : failure.errorClass.exitCode(for: failure.error)
            if code == nil { settings.firstFailure?.say(failure) }
            let isLast = settings.endsAt.map { update.time >= $0 } ?? false
            guard isLast || !settings.keepsTrying, !failure.isWithinGrace, let code = failure.errorClass.exitCode(for: failure.error) else {
                return nil
            }
            if let firstFailure = settings.firstFailure {
                firstFailure.say(failure, isLast: true)
            } else if settings.style == .json {
                streams.say("tripwatch: \(FailureWords(failure).sentence)")
            }
            return code
        default: return nil
        }
    }

    private func tell(_ facts: [TripFact], at moment: Date, isEnding: Bool = false) {
        guard !facts.isEmpty else { return }
        let told = Told(facts: facts, journey: journey, moment: moment, isEnding: isEnding)
        if held == nil { tell([told]) } else { held?.append(told) }
    }

    /// Writes the lines, up to the first that is about another car: that one waits for what the car is, and all behind it.
    private func tell(_ all: [Told]) {
        for (index, told) in all.enumerated() {
            guard let findVehicle, let vehicle = newVehicle(in: told) else {
                write(told)
                continue
            }
            held = Array(all.dropFirst(index))
            Task { [weak self] in
                let found = await findVehicle(vehicle)
                self?.release(found)
            }
            return
        }
    }

    private func newVehicle(in told: Told) -> VehicleName? {
        let id = told.facts.lazy.compactMap { if case .vehicle(let id?) = $0 { id } else { nil } }.last
        return id.flatMap { try? VehicleName(provider: model.tripName.provider, vehicle: $0) }
    }

    private func release(_ vehicle: Vehicle?) {
        (plain.vehicle, spoken.vehicle) = (vehicle, vehicle)
        guard let told = held, let first = told.first else { return }
        held = nil
        write(first)
        tell(Array(told.dropFirst()))
        if held == nil, let code = heldEnd { onEnd(code) }
    }

    private func write(_ told: Told) {
        (plain.isEnding, spoken.isEnding) = (told.isEnding, told.isEnding)
        for fact in told.facts {
            switch settings.style {
            case .json: json.line(fact, trip: told.journey.tripName, kind: told.journey.kind, time: told.moment).map { streams.print($0) }
            case .plain: plain.line(fact, journey: told.journey, time: told.moment).map { streams.print($0) }
            case .sentences: spoken.line(fact, journey: told.journey, time: told.moment).map { streams.print($0) }
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

extension TripUpdate.Kind {
    /// Whether this is what a call has brought: the model tells of the call, and that a server is back, before it.
    fileprivate var isAnswer: Bool {
        switch self {
        case .trip, .failure: true
        case .recovered, .state, .ended: false
        }
    }
}
