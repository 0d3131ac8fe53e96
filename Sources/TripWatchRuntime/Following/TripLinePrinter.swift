import FleetEngine
import FoundationEssentials
import JourneySharing
import ProgramSurroundings
import TripWatchWords

/// Prints the changes of one trip, until it ends or an error requires action.
@MainActor
final class TripLinePrinter: TripModelSubscriber {
    enum Style: Sendable {
        case plain, sentences, json

        /// Whether a failure is printed only as a line or sentence. On a terminal, a message on standard error would repeat it.
        func hasLinesForFailures(on streams: StandardStreams) -> Bool {
            self != .json && streams.isOutputTerminal && streams.isErrorTerminal
        }
    }

    struct Settings {
        var style: Style
        var framesPerSecond: Double?
        var plain: PlainOutput.Options
        /// The user's choice of kind, for trips whose attributes do not state one.
        var tripKind: TripKind?
        /// The arrivals that other programs show.
        var arrivalsShown: [TripName: Date] = [:]
        /// Whether to keep waiting after errors that need the user's action.
        var keepsTrying: Bool
        /// Whether the trips are recorded. The cars' details are then read even if no line shows them.
        var isRecorded = false
        /// Whether the updates come from a log. Between two entries of a log, nothing changes.
        var isDerived = false
        /// Replaces the times of an update with the recorded ones.
        var correct: (TripUpdate) -> TripUpdate = { $0 }
        /// The last recorded time, for a trip that was not recorded to its end; nil otherwise.
        var endsAt: Date?
        /// Reports on standard error the first failure among all trips; nil if no server is called, or if the lines on the terminal already
        /// show the failures.
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
    /// The time up to which the printer has looked for news.
    private var lastNewsAt: Date?
    /// Seconds added to the predicted time of a change, so that the words describe the state after the change.
    private static let afterChangeSeconds = 0.002
    /// The time until the next check if there was nothing to print at the predicted time, in seconds.
    private static let nextLookSeconds = 1.0
    private let keeper: TripKeeper?
    private let findVehicle: VehicleFinder?
    /// The facts that are held back until the search for the car's details has ended, in order; nil while none are held back.
    private var held: [Told]?
    private var heldEnd: Int32?
    /// The last search for a car's details that only the recording needs. No line waits for the result.
    private var search: Task<Void, Never>?

    /// A function that finds the details of a vehicle. Returns nil if they are not available, or not in time.
    typealias VehicleFinder = @Sendable (VehicleName) async -> Vehicle?

    /// Facts, with the state of the journey at the time when they arrived.
    private struct Told {
        var facts: [TripFact]
        var journey: JourneyTracker
        var moment: Date
        var isEnding: Bool
    }

    /// - Parameter findVehicle: finds the details of cars; nil to name cars by their ids.
    init(
        model: TripModel, settings: Settings, streams: StandardStreams, keeper: TripKeeper?, hooks: HookFeed? = nil,
        findVehicle: VehicleFinder? = nil
    ) {
        self.keeper = keeper
        self.findVehicle = settings.style == .json && !settings.isRecorded ? nil : findVehicle
        self.model = model
        self.settings = settings
        self.streams = streams
        self.hooks = hooks
        journey = JourneyTracker(
            tripName: model.tripName, pollIntervalSeconds: model.pollIntervalSeconds, fallbackKind: settings.tripKind)
        journey.arrivalShownElsewhere = settings.arrivalsShown[model.tripName]
        plain = PlainOutput(options: settings.plain)
        spoken = SpokenOutput(options: settings.plain)
    }

    /// Starts to follow the trip.
    /// - Parameter onEnd: receives the exit code of this trip.
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
        guard held == nil else { return heldEnd = code }
        guard let search else { return onEnd(code) }
        // The recording needs the answer to the search. The client may close as soon as `onEnd` is called, so the search must end first.
        Task {
            await search.value
            onEnd(code)
        }
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

    /// Writes lines until one mentions a new car. The line with the new car and all later lines wait for the car's details.
    private func tell(_ all: [Told]) {
        for (index, told) in all.enumerated() {
            guard let findVehicle, let vehicle = newVehicle(in: told) else {
                write(told)
                continue
            }
            if settings.style == .json {
                // A JSON line names the car by its id, so it does not wait for the details. They are requested only so that the recording
                // contains them.
                search = Task { _ = await findVehicle(vehicle) }
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

    /// Prints the current state of the trip, as the user requested.
    func sayPresentState(now: Date) {
        journey.tick(now: now)
        streams.print(spoken.presentState(journey, time: now))
    }

    /// Prints all news up to `now` that was caused only by the passing of time. Each line has the time of its news.
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
    /// Whether this update is the result of a call. `.recovered` does not count: the model sends it just before the result.
    fileprivate var isAnswer: Bool {
        switch self {
        case .trip, .failure: true
        case .recovered, .state, .ended: false
        }
    }
}
