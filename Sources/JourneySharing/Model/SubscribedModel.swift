import FleetEngine
import FoundationEssentials
import Geo

/// The polling state of one model: its poll machine, its current wait or request in the service's schedule, and the clock.
@MainActor
final class PollLoop {
    let time: any TimeSource
    let round: PollRound
    var machine: PollMachine
    var random: SeededRandom
    /// Ticket of the current wait or request. Results of earlier tickets are ignored.
    private(set) var step: PollRound.Ticket?
    /// Task that releases the token after the last subscriber has left. The next poll waits for this task. Otherwise, the task could
    /// release the token that the poll uses.
    var release: Task<Void, Never>?

    init(time: any TimeSource, round: PollRound, machine: PollMachine, seed: UInt64) {
        self.time = time
        self.round = round
        self.machine = machine
        random = SeededRandom(seed: seed)
    }

    func start(_ action: PollAction, of model: any PolledModel) {
        switch action {
        case .poll: setStep(round.ask(model))
        case .wait(let deadline): setStep(round.wake(model, at: deadline))
        case .tellFailure, .tellRecovery, .tellEnd: break
        }
    }

    func setStep(_ step: PollRound.Ticket?) {
        if let old = self.step { round.cancel(old) }
        self.step = step
    }
}

/// A model that polls its server while it has subscribers or readers. All models share the same poll loop code; each model has its own
/// calls and reports.
@MainActor
protocol SubscribedModel: PolledModel, Sendable {
    associatedtype Answer: Sendable
    associatedtype Subscriber
    associatedtype Update: Sendable

    var loop: PollLoop { get }
    var audience: Audience<Subscriber, Update> { get }
    var state: TripModelState { get set }
    /// The only update for a reader that subscribes after the model has ended; nil before the first answer.
    var lastUpdate: Update? { get }

    /// Asks the server once.
    func ask() async throws(FleetEngineError) -> Answer
    /// Processes the answer that came at `now`.
    func take(_ answer: Answer, at now: Date)
    /// Passes a failed call to the machine.
    func fail(_ error: FleetEngineError, tokenRenewed: Bool)
    func renewToken() async -> Bool
    /// Releases the token.
    func releaseToken() -> Task<Void, Never>
    func tell(_ failure: PollFailure, at now: Date)
    func tell(_ state: TripModelState, at now: Date)
}

// MARK: - Subscribers

extension SubscribedModel {
    func add(_ reader: AsyncStream<Update>.Continuation) {
        if loop.machine.isEnded, let lastUpdate {
            reader.yield(lastUpdate)
            return reader.finish()
        }
        let number = audience.add(reader)
        reader.onTermination = { [weak self] _ in
            Task { @MainActor in self?.removeReader(number) }
        }
        startIfNeeded()
    }

    private func removeReader(_ number: Int) {
        audience.removeReader(number)
        stopIfUnheard()
    }

    func startIfNeeded() {
        guard state == .inactive, !loop.machine.isEnded, !audience.isEmpty else { return }
        loop.round.enter(self)
        handle(.start)
        set(.active)
    }

    func stopIfUnheard() {
        guard state == .active, audience.isEmpty else { return }
        handle(.stop)
        stop()
    }

    private func stop() {
        guard state == .active else { return }
        loop.setStep(nil)
        loop.round.leave(self)
        loop.release = releaseToken()
        set(.inactive)
    }

    private func set(_ newState: TripModelState) {
        guard state != newState else { return }
        state = newState
        tell(newState, at: loop.time.now())
    }

    /// Stops the model for good, after its last update, and ends the readers' sequences.
    func end() {
        stop()
        audience.finishReaders()
    }
}

// MARK: - The loop

extension SubscribedModel {
    func handle(_ event: PollEvent) {
        let now = loop.time.now()
        perform(loop.machine.handle(event, now: now, random: &loop.random), at: now)
    }

    /// Carries out the steps among the actions, and reports the failures. The method `take` reports a recovery and the end. The next step
    /// is set before any subscriber is called, because a subscriber may refresh, leave, or change the options.
    /// - Parameter now: time of the reported failures.
    func perform(_ actions: [PollAction], at now: Date) {
        for action in actions where action.isStep { loop.start(action, of: self) }
        for case .tellFailure(let failure) in actions { tell(failure, at: now) }
    }

    /// Changes the settings of the machine, such as the wait after an answer.
    func configure(_ configuration: PollMachine.Configuration) {
        let (now, old) = (loop.time.now(), pollIntervalSeconds)
        perform(loop.machine.configure(configuration, now: now), at: now)
        loop.round.intervalChanged(of: self, from: old)
    }

    func wake(_ step: PollRound.Ticket) {
        guard step == loop.step else { return }
        if audience.isEmpty { stopIfUnheard() } else { handle(.due) }
    }

    func connected() { handle(.connected) }

    func poll(_ step: PollRound.Ticket) async -> Double? {
        await loop.release?.value
        guard step == loop.step else { return nil }
        let start = loop.time.now()
        do throws(FleetEngineError) {
            let answer = try await ask()
            guard step == loop.step else { return nil }
            let now = loop.time.now()
            take(answer, at: now)
            return now.timeIntervalSince(start)
        } catch {
            guard step == loop.step else { return nil }
            let renewed = error.isAboutToken ? await renewToken() : false
            guard step == loop.step else { return nil }
            fail(error, tokenRenewed: renewed)
            return nil
        }
    }
}
