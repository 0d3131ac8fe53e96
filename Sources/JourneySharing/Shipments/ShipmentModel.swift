public import FleetEngine
import FoundationEssentials
import Geo

/// Settings of a model; they may change while it runs.
public struct ShipmentModelOptions: Hashable, Sendable {
    /// Seconds between an answer and the next poll while the server shares a quickly changing part, at least the service's minimum. 0 means
    /// the model's default of 5 s. Otherwise the model waits 30 s, or this interval if it is longer.
    public var autoRefreshTimeInterval: Double
    /// Language and region of the requests from the next one on; nil for the client's own.
    public var requestHeader: TripRequestHeader?

    /// Creates options. By default, they poll every 5 s in the client's own language and region.
    public init(
        autoRefreshTimeInterval: Double = PollMachine.Configuration.standardInterval, requestHeader: TripRequestHeader? = nil
    ) {
        self.autoRefreshTimeInterval = autoRefreshTimeInterval
        self.requestHeader = requestHeader
    }
}

/// Model that follows one shipment: polls the server while it has subscribers, and reports changes.
///
/// The first subscriber (or reader of `updates`) starts the polling. Polling stops when the last one leaves. It also ends with an outcome,
/// or after 60 s in the state CLOSED without an outcome. A part that an answer lacks is not shared, and its earlier value is not kept. An
/// answer without a state means that the server does not know the shipment, and counts as NOT_FOUND. All members except `name` and
/// `updates` belong to the main actor.
@MainActor
public final class ShipmentModel: PolledModel {
    /// Tracking name of the shipment.
    public nonisolated let name: TaskTrackingName
    /// Whether the model polls the server. A shipment that is over stays inactive.
    public private(set) var state: TripModelState = .inactive
    /// Latest failure, until an answer comes.
    public private(set) var currentFailure: PollFailure?
    /// Settings. A new interval restarts the present wait; a new header applies to the next request.
    public var options: ShipmentModelOptions { didSet { if options != oldValue { applyPace() } } }
    /// Shipment of the last answer, kept through failures.
    public var currentShipment: TaskTrackingInfo? { course.shipment }
    /// Time between the last answer and the next poll, seconds, from the options and the shared parts, within the limits of the service.
    public var pollIntervalSeconds: Double { machine.configuration.interval }
    var wasAnswered: Bool { currentShipment != nil }

    private let client: any ShipmentClient
    private let time: any TimeSource
    private let minimumInterval: Double
    private var machine: PollMachine
    private var random: SeededRandom
    private var course = ShipmentCourse()
    private var subscribers: [Subscription] = []
    private var readers: [Int: AsyncStream<ShipmentUpdate>.Continuation] = [:]
    private var nextReader = 0
    private let round: PollRound
    /// Present wait or request. Results of earlier ones are ignored.
    private var step: PollRound.Ticket?
    /// Releases the token after the last subscriber has left. The next poll waits for this, so that its own token is not dropped.
    private var release: Task<Void, Never>?

    private struct Subscription {
        weak var subscriber: (any ShipmentModelSubscriber)?
    }

    init(
        name: TaskTrackingName, client: any ShipmentClient, time: any TimeSource, round: PollRound, options: ShipmentModelOptions,
        minimumInterval: Double, seed: UInt64
    ) {
        self.name = name
        self.client = client
        self.time = time
        self.round = round
        self.options = options
        self.minimumInterval = minimumInterval
        random = SeededRandom(seed: seed)
        machine = PollMachine(configuration: .init(interval: options.autoRefreshTimeInterval, minimum: minimumInterval))
    }

    /// Adds a subscriber, once. The model holds it weakly, and calls it from the next answer on.
    public func register(_ subscriber: any ShipmentModelSubscriber) {
        subscribers.removeAll { $0.subscriber == nil }
        guard !isRegistered(subscriber) else { return }
        subscribers.append(Subscription(subscriber: subscriber))
        startIfNeeded()
    }

    /// Removes a subscriber. It gets no more calls, not even for the rest of the present update.
    public func unregister(_ subscriber: any ShipmentModelSubscriber) {
        subscribers.removeAll { $0.subscriber === subscriber || $0.subscriber == nil }
        stopIfUnheard()
    }

    /// Updates as a sequence, from now on. Reading counts as a subscription. The sequence ends with the shipment; a sequence that starts
    /// later is empty.
    public nonisolated var updates: AsyncStream<ShipmentUpdate> {
        let (stream, continuation) = AsyncStream.makeStream(of: ShipmentUpdate.self)
        Task { @MainActor in self.add(continuation) }
        return stream
    }

    /// Polls the server now. A request under way counts as this poll; if it fails, another follows at once. Has no effect without
    /// subscribers.
    public func refresh() { handle(.refresh) }

    private func add(_ continuation: AsyncStream<ShipmentUpdate>.Continuation) {
        if machine.isEnded, let currentShipment {
            continuation.yield(ShipmentUpdate(name: name, time: time.now(), kind: .ended(currentShipment)))
            return continuation.finish()
        }
        nextReader += 1
        let id = nextReader
        readers[id] = continuation
        continuation.onTermination = { [weak self] _ in
            Task { @MainActor in self?.removeReader(id) }
        }
        startIfNeeded()
    }

    private func removeReader(_ id: Int) {
        readers[id] = nil
        stopIfUnheard()
    }

    private func isRegistered(_ subscriber: any ShipmentModelSubscriber) -> Bool {
        subscribers.contains { $0.subscriber === subscriber }
    }

    private var isHeard: Bool { !readers.isEmpty || subscribers.contains { $0.subscriber != nil } }
}

// MARK: - The loop

extension ShipmentModel {
    /// Sets the machine's wait after an answer.
    /// - Parameter isUsual: whether to use the interval of the options, independent of the shared parts.
    private func applyPace(isUsual: Bool = false) {
        let usual = PollMachine.Configuration(interval: options.autoRefreshTimeInterval, minimum: minimumInterval)
        let interval = isUsual ? usual.interval : course.intervalSeconds(wanted: usual.interval)
        let old = pollIntervalSeconds
        guard interval != old || usual.minimum != machine.configuration.minimum else { return }
        let now = time.now()
        perform(machine.configure(.init(interval: interval, minimum: minimumInterval), now: now), at: now)
        round.intervalChanged(of: self, from: old)
    }

    private func startIfNeeded() {
        guard state == .inactive, !machine.isEnded, isHeard else { return }
        round.enter(self)
        handle(.start)
        set(.active)
    }

    private func stopIfUnheard() {
        guard state == .active, !isHeard else { return }
        handle(.stop)
        stop()
    }

    private func stop() {
        guard state == .active else { return }
        setStep(nil)
        round.leave(self)
        let (client, name) = (client, name)
        release = Task { await client.releaseToken(for: name) }
        set(.inactive)
    }

    private func handle(_ event: PollEvent) {
        let now = time.now()
        perform(machine.handle(event, now: now, random: &random), at: now)
    }

    /// Sets the next step before any callback, because a subscriber may refresh, leave, or change the options.
    private func perform(_ actions: [PollAction], at now: Date) {
        for action in actions where action.isStep { start(action) }
        for case .tellFailure(let failure) in actions { tell(failure, at: now) }
    }

    private func start(_ action: PollAction) {
        switch action {
        case .poll: setStep(round.ask(self))
        case .wait(let deadline): setStep(round.wake(self, at: deadline))
        case .tellFailure, .tellRecovery, .tellEnd: break
        }
    }

    private func setStep(_ step: PollRound.Ticket?) {
        if let old = self.step { round.cancel(old) }
        self.step = step
    }

    func wake(_ step: PollRound.Ticket) {
        guard step == self.step else { return }
        if isHeard { handle(.due) } else { stopIfUnheard() }
    }

    func connected() { handle(.connected) }

    func poll(_ step: PollRound.Ticket) async -> Double? {
        await release?.value
        guard step == self.step else { return nil }
        let start = time.now()
        do throws(FleetEngineError) {
            let answer = try await client.getTaskTrackingInfo(name, header: options.requestHeader)
            guard step == self.step else { return nil }
            guard answer.state != .unknown else {
                throw FleetEngineError(code: .notFound, message: "the answer has no state", origin: .server)
            }
            take(answer)
            return time.now().timeIntervalSince(start)
        } catch {
            guard step == self.step else { return nil }
            let renewed = error.isAboutToken ? await client.renewToken(for: name) : false
            guard step == self.step else { return nil }
            // A missing shipment is polled at the interval of the options, because it may return soon.
            if error.code == .notFound { applyPace(isUsual: true) }
            handle(.failed(error, tokenRenewed: renewed))
            return nil
        }
    }

    private func take(_ answer: TaskTrackingInfo) {
        let now = time.now()
        let old = course.shipment
        let isReplaced = course.observe(answer, now: now)
        applyPace()
        let isOver = course.isOver(now: now)
        let actions = machine.handle(.answered(isOver: isOver), now: now, random: &random)
        perform(actions, at: now)
        currentFailure = nil
        tell(answer, after: isReplaced ? nil : old, isReplaced: isReplaced, recovery: actions.first(where: \.isRecovery), at: now)
        if isOver { end(answer, at: now) }
    }

    private func end(_ shipment: TaskTrackingInfo, at now: Date) {
        yield(.ended(shipment), to: subscribers, at: now)
        stop()
        let open = readers.values
        readers = [:]
        for reader in open { reader.finish() }
    }
}

// MARK: - Reporting

extension ShipmentModel {
    private func tell(_ shipment: TaskTrackingInfo, after old: TaskTrackingInfo?, isReplaced: Bool, recovery: PollAction?, at now: Date) {
        let fields = ShipmentFields(from: old, to: shipment)
        let audience = subscribers
        if case .tellRecovery(let seconds)? = recovery {
            yield(.recovered(afterSeconds: seconds), to: audience, at: now)
            tell(audience) { $0.shipmentModel(self, didRecoverAfterSeconds: seconds) }
        }
        if isReplaced {
            yield(.replaced, to: audience, at: now)
            tell(audience) { $0.shipmentModelDidReplace(self) }
        }
        yield(.shipment(shipment, changed: fields), to: audience, at: now)
        guard !audience.isEmpty, !fields.isEmpty else { return }
        tellSpecific(shipment, fields, audience)
        tell(audience) { $0.shipmentModel(self, didUpdate: shipment, updatedFields: fields) }
    }

    private func tellSpecific(_ shipment: TaskTrackingInfo, _ fields: ShipmentFields, _ audience: [Subscription]) {
        func tell(_ field: ShipmentFields, _ call: (any ShipmentModelSubscriber) -> Void) {
            if fields.contains(field) { self.tell(audience, call) }
        }
        tell(.state) { $0.shipmentModel(self, didUpdateState: shipment.state) }
        tell(.outcome) { $0.shipmentModel(self, didUpdateOutcome: shipment.outcome) }
        tell(.outcomeTime) { $0.shipmentModel(self, didUpdateOutcomeTime: shipment.outcomeTime) }
        tell(.plannedLocation) { $0.shipmentModel(self, didUpdatePlannedLocation: shipment.plannedLocation) }
        tell(.targetTimeWindow) { $0.shipmentModel(self, didUpdateTargetTimeWindow: shipment.targetTimeWindow) }
        tell(.attributes) { $0.shipmentModel(self, didUpdateAttributes: shipment.attributes) }
        tell(.vehicleLocation) { $0.shipmentModel(self, didUpdateVehicleLocation: shipment.vehicleLocation) }
        tell(.route) { $0.shipmentModel(self, didUpdateRoute: shipment.route) }
        tell(.remainingStopCount) { $0.shipmentModel(self, didUpdateRemainingStopCount: shipment.remainingStopCount) }
        tell(.remainingDistance) { $0.shipmentModel(self, didUpdateRemainingDistance: shipment.remainingDistanceMeters) }
        tell(.estimatedArrivalTime) { $0.shipmentModel(self, didUpdateEstimatedArrivalTime: shipment.estimatedArrivalTime) }
        tell(.estimatedCompletionTime) { $0.shipmentModel(self, didUpdateEstimatedCompletionTime: shipment.estimatedCompletionTime) }
    }

    private func tell(_ failure: PollFailure, at now: Date) {
        currentFailure = failure
        yield(.failure(failure), to: subscribers, at: now)
        tell(subscribers) { $0.shipmentModel(self, didFailUpdate: failure) }
    }

    private func set(_ newState: TripModelState) {
        guard state != newState else { return }
        state = newState
        yield(.state(newState), to: subscribers, at: time.now())
        tell(subscribers) { $0.shipmentModel(self, didUpdateModelState: newState) }
    }

    /// Calls the subscribers. They may come and go inside a callback: removed ones get no more calls, added ones wait for the next update.
    private func tell(_ audience: [Subscription], _ call: (any ShipmentModelSubscriber) -> Void) {
        for subscription in audience {
            guard let subscriber = subscription.subscriber, isRegistered(subscriber) else { continue }
            call(subscriber)
        }
    }

    private func yield(_ kind: ShipmentUpdate.Kind, to audience: [Subscription], at now: Date) {
        guard !readers.isEmpty || !audience.isEmpty else { return }
        let update = ShipmentUpdate(name: name, time: now, kind: kind)
        for (id, reader) in readers {
            // A reader that left before it was added could not unsubscribe.
            if case .terminated = reader.yield(update) { readers[id] = nil }
        }
        tell(audience) { $0.shipmentModel(self, didTell: update) }
    }
}
