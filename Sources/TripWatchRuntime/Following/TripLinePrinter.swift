import FleetEngine
import FoundationEssentials
import JourneySharing
import TripWatchApp

/// Follows one trip and prints what changes, until it ends or needs the user.
@MainActor
final class TripLinePrinter {
    enum Style: Sendable { case plain, sentences, json }

    struct Settings {
        var style: Style
        var framesPerSecond: Double?
        var plain: PlainOutput.Options
        /// Wait on where the user would have to do something.
        var keepsTrying: Bool
        /// A recording has no time between its moments in which anything could change.
        var isRecording = false
        /// The last recorded moment of a trip that was not recorded to its end.
        var endsAt: Date?
    }

    private let model: TripModel
    private let time: any TimeSource
    private let settings: Settings
    private let streams: StandardStreams
    private var journey: JourneyTracker
    private var observer = TripObserver()
    private var plain: PlainOutput
    private var spoken: SpokenOutput
    private let json = JSONOutput()

    init(model: TripModel, time: any TimeSource, settings: Settings, streams: StandardStreams) {
        self.model = model
        self.time = time
        self.settings = settings
        self.streams = streams
        journey = JourneyTracker(tripName: model.tripName, pollIntervalSeconds: model.pollIntervalSeconds)
        plain = PlainOutput(options: settings.plain)
        spoken = SpokenOutput(options: settings.plain)
    }

    /// - Returns: the exit code for this trip.
    func run() async -> Int32 {
        let ticker = settings.isRecording ? nil : Task { await tick() }
        let frames = settings.framesPerSecond.map { rate in Task { await drawFrames(rate) } }
        defer {
            ticker?.cancel()
            frames?.cancel()
        }
        for await update in model.updates {
            let code = exitCode(after: update)
            plain.isEnding = code != nil
            spoken.isEnding = code != nil
            journey.observe(update)
            tell(observer.observe(update, journey), at: update.time)
            if let code { return code }
            if let end = settings.endsAt, update.time >= end { return ExitCodes.success }
        }
        return ExitCodes.success
    }

    private func exitCode(after update: TripUpdate) -> Int32? {
        switch update.kind {
        case .ended(.canceled): return ExitCodes.tripCanceled
        case .ended: return ExitCodes.success
        case .failure(let failure):
            guard !settings.keepsTrying, !failure.isWithinGrace, let code = failure.errorClass.exitCode(for: failure.error) else {
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

    private func tick() async {
        while !Task.isCancelled {
            guard (try? await time.sleep(seconds: 1)) != nil else { return }
            let now = time.now()
            journey.tick(now: now)
            tell(observer.tick(journey, now: now), at: now)
        }
    }

    private func drawFrames(_ rate: Double) async {
        var last: VehicleMotion.Drawn?
        while !Task.isCancelled {
            guard (try? await time.sleep(seconds: 1 / rate)) != nil else { return }
            let now = time.now()
            journey.advance(to: now)
            guard let drawn = journey.vehicle, drawn != last else { continue }
            last = drawn
            tell([.drawn(drawn)], at: now)
        }
    }
}
