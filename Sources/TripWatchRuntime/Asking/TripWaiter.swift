import FleetEngine
import FoundationEssentials
import JourneySharing
import ProgramSurroundings
import TripWatchWords

/// Watches a trip until it has reached the goal.
@MainActor
struct TripWaiter {
    let name: TripName
    let goal: WaitGoal
    /// The kind of the trip if its attributes do not state one; nil for a ride.
    let tripKind: TripKind?
    let client: any ConsumerClient
    let time: any TimeSource
    let interval: Double
    let minimumInterval: Double
    let keepsTrying: Bool
    /// Name of the server.
    let server: String
    let surroundings: Surroundings

    private enum Event: Sendable {
        case update(TripUpdate)
        case tick
        case ended
    }

    /// Runs until the trip has reached the goal, or can no longer reach it. A failure that needs the user also ends the run, after its
    /// grace period. It does not end the run if the server only refuses calls for a while, or if `keepsTrying` is set.
    /// - Returns: the exit code.
    /// - Throws: `Failure` if a trip of this kind cannot reach the goal.
    func run() async throws -> Int32 {
        let service = TripService(client: client, time: time, minimumInterval: minimumInterval)
        let model = service.tripModel(for: name, options: TripModelOptions(autoRefreshTimeInterval: interval))
        let (events, continuation) = AsyncStream.makeStream(of: Event.self)
        let reading = Task {
            for await update in model.updates { continuation.yield(.update(update)) }
            continuation.yield(.ended)
        }
        let ticking = Task {
            while !Task.isCancelled, (try? await time.sleep(seconds: 1)) != nil { continuation.yield(.tick) }
        }
        defer {
            reading.cancel()
            ticking.cancel()
        }
        var journey = JourneyTracker(tripName: name, pollIntervalSeconds: model.pollIntervalSeconds, fallbackKind: tripKind)
        journey.arrivalShownElsewhere = surroundings.stateFile?.arrivalsShown(now: time.now())[name]
        let firstFailure = FirstFailure(at: server, surroundings.streams)
        var progress = ProgressLine(goal: goal, surroundings: surroundings)
        for await event in events {
            let now = time.now()
            switch event {
            case .tick: journey.tick(now: now)
            case .ended: return finish(&progress, ExitCodes.failed)
            case .update(let update):
                journey.observe(update)
                if let code = exitCode(after: update, firstFailure, &progress) { return finish(&progress, code) }
            }
            try checkGoal(for: journey, &progress)
            if goal.isReached(by: journey, now: now) { return finish(&progress, ExitCodes.success) }
            if journey.trip?.status.isFinal == true { return finish(&progress, ExitCodes.tripCanceled) }
            progress.show(journey, now: now)
        }
        return ExitCodes.failed
    }

    /// Checks whether trips of this kind can reach the goal. The kind is known only after an answer.
    private func checkGoal(for journey: JourneyTracker, _ progress: inout ProgressLine) throws(Failure) {
        guard journey.trip != nil, let refusal = goal.refusal(for: journey.kind) else { return }
        progress.clear()
        throw WaitRun.failure(refusal)
    }

    private func exitCode(after update: TripUpdate, _ firstFailure: FirstFailure, _ progress: inout ProgressLine) -> Int32? {
        guard case .failure(let failure) = update.kind else { return nil }
        let code = keepsTrying || failure.isWithinGrace ? nil : failure.errorClass.exitCode(for: failure.error)
        progress.clear()
        firstFailure.say(failure, isLast: code != nil)
        return code
    }

    private func finish(_ progress: inout ProgressLine, _ code: Int32) -> Int32 {
        progress.clear()
        return code
    }
}

/// A line on standard error that is overwritten at every change. Nothing is written if standard error is not a terminal, or if the user has
/// a screen reader.
private struct ProgressLine {
    let goal: WaitGoal
    let surroundings: Surroundings
    private let isShown: Bool
    private var last = ""

    init(goal: WaitGoal, surroundings: Surroundings) {
        self.goal = goal
        self.surroundings = surroundings
        isShown = surroundings.streams.isErrorTerminal && !surroundings.wantsSentences
    }

    mutating func show(_ journey: JourneyTracker, now: Date) {
        guard isShown else { return }
        let options = StatusReport.Options(
            secondsFromGMT: LocalZone.secondsFromGMT, measurementSystem: surroundings.locale.measurementSystem,
            isASCII: !surroundings.locale.isUTF8)
        let state =
            if let failure = journey.failure {
                FailureWords(failure).meaning
            } else if journey.trip != nil {
                StatusReport(journey, now: now, options: options).line
            } else {
                "connecting"
            }
        let text = "waiting until \(goal): \(state)"
        guard text != last else { return }
        surroundings.streams.noteInPlace(text)
        last = text
    }

    mutating func clear() {
        guard !last.isEmpty else { return }
        surroundings.streams.noteInPlace("")
        last = ""
    }
}
