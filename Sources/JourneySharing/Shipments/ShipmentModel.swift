public import FleetEngine
import FoundationEssentials
import Geo

/// Settings of a model; they may change while it runs.
public struct ShipmentModelOptions: Hashable, Sendable {
    /// Seconds between an answer and the next poll, from the service's minimum to one hour. 0 means the model's default of 5 s. While the
    /// server shares no data that changes quickly, the model waits at least 30 s.
    public var autoRefreshTimeInterval: Double
    /// Language and region of later requests; nil for the client's own language and region.
    public var requestHeader: TripRequestHeader?

    /// Creates options. By default, a model polls every 5 s in the client's own language and region.
    public init(
        autoRefreshTimeInterval: Double = PollMachine.Configuration.standardInterval, requestHeader: TripRequestHeader? = nil
    ) {
        self.autoRefreshTimeInterval = autoRefreshTimeInterval
        self.requestHeader = requestHeader
    }
}

/// A model that follows one shipment: it polls the server while it has subscribers, and reports changes.
///
/// The first subscriber (or reader of `updates`) starts the polling. Polling stops when the last subscriber leaves. It ends for good with
/// an outcome, or after 60 s in the state CLOSED without an outcome. A part that an answer lacks is not shared, and its earlier value is
/// not kept. An answer without a state means that the server does not know the shipment, and counts as NOT_FOUND. All members except `name`
/// and `updates` belong to the main actor.
@MainActor
public final class ShipmentModel: SubscribedModel {
    /// Tracking name of the shipment.
    public nonisolated let name: TaskTrackingName
    /// Whether the model polls the server. The model of a shipment that is over stays inactive.
    public internal(set) var state: TripModelState = .inactive
    /// Latest failure; nil once a later poll gets an answer.
    public private(set) var currentFailure: PollFailure?
    /// Settings. A new interval applies to the current wait, unless that wait follows a failure. A new header applies to the next request.
    public var options: ShipmentModelOptions { didSet { if options != oldValue { applyPace() } } }
    /// The shipment as of the last answer. It is kept through failures.
    public var currentShipment: TaskTrackingInfo? { course.shipment }
    /// Time between the last answer and the next poll, in seconds. It depends on the options, on the shared parts and on the limits of the
    /// service.
    public var pollIntervalSeconds: Double { loop.machine.configuration.interval }
    var wasAnswered: Bool { currentShipment != nil }

    private let client: any ShipmentClient
    private let minimumInterval: Double
    private var course = ShipmentCourse()
    let loop: PollLoop
    let audience = Audience<any ShipmentModelSubscriber, ShipmentUpdate>()

    init(
        name: TaskTrackingName, client: any ShipmentClient, time: any TimeSource, round: PollRound, options: ShipmentModelOptions,
        minimumInterval: Double, seed: UInt64
    ) {
        self.name = name
        self.client = client
        self.options = options
        self.minimumInterval = minimumInterval
        let configuration = PollMachine.Configuration(interval: options.autoRefreshTimeInterval, minimum: minimumInterval)
        loop = PollLoop(time: time, round: round, machine: PollMachine(configuration: configuration), seed: seed)
    }

    /// Adds a subscriber, unless it was added before. The model holds it weakly, and calls it from the next answer on.
    public func register(_ subscriber: any ShipmentModelSubscriber) {
        if audience.add(subscriber, { [weak subscriber] in subscriber }) { startIfNeeded() }
    }

    /// Removes a subscriber. It gets no more calls, not even for the rest of the current update.
    public func unregister(_ subscriber: any ShipmentModelSubscriber) {
        audience.remove(subscriber)
        stopIfUnheard()
    }

    /// A sequence of the updates from now on. While it exists, it counts as a subscriber. The sequence ends when the shipment is over; a
    /// sequence that starts later has only the update `ended`.
    public nonisolated var updates: AsyncStream<ShipmentUpdate> {
        let (stream, continuation) = AsyncStream.makeStream(of: ShipmentUpdate.self)
        Task { @MainActor in self.add(continuation) }
        return stream
    }

    /// Polls the server now. A request in progress counts as this poll; if it fails, another request follows at once. Has no effect
    /// without subscribers.
    public func refresh() { handle(.refresh) }
}

// MARK: - Calls

extension ShipmentModel {
    /// Sets the time between an answer and the next poll.
    /// - Parameter isUsual: whether to use the interval from the options, even if the server shares no data that changes quickly.
    private func applyPace(isUsual: Bool = false) {
        let usual = PollMachine.Configuration(interval: options.autoRefreshTimeInterval, minimum: minimumInterval)
        let interval = isUsual ? usual.interval : course.intervalSeconds(wanted: usual.interval)
        guard interval != pollIntervalSeconds || usual.minimum != loop.machine.configuration.minimum else { return }
        configure(.init(interval: interval, minimum: minimumInterval))
    }

    var lastUpdate: ShipmentUpdate? { currentShipment.map { ShipmentUpdate(name: name, time: loop.time.now(), kind: .ended($0)) } }

    func ask() async throws(FleetEngineError) -> TaskTrackingInfo {
        let answer = try await client.getTaskTrackingInfo(name, header: options.requestHeader)
        guard answer.state != .unknown else {
            throw FleetEngineError(code: .notFound, message: "the answer has no state", origin: .server)
        }
        return answer
    }

    func take(_ answer: TaskTrackingInfo, at now: Date) {
        let old = course.shipment
        let isReplaced = course.observe(answer, now: now)
        applyPace()
        let isOver = course.isOver(now: now)
        let actions = loop.machine.handle(.answered(isOver: isOver), now: now, random: &loop.random)
        perform(actions, at: now)
        currentFailure = nil
        tell(answer, after: isReplaced ? nil : old, isReplaced: isReplaced, recovery: actions.first(where: \.isRecovery), at: now)
        guard isOver else { return }
        publish(.ended(answer), to: audience.subscriptions, at: now)
        end()
    }

    func fail(_ error: FleetEngineError, tokenRenewed: Bool) {
        // A missing shipment is polled at the interval from the options, because it may reappear soon.
        if error.code == .notFound { applyPace(isUsual: true) }
        handle(.failed(error, tokenRenewed: tokenRenewed))
    }

    func renewToken() async -> Bool { await client.renewToken(for: name) }

    func releaseToken() -> Task<Void, Never> {
        let (client, name) = (client, name)
        return Task { await client.releaseToken(for: name) }
    }
}

// MARK: - Reporting

extension ShipmentModel {
    private typealias Listed = Audience<any ShipmentModelSubscriber, ShipmentUpdate>.Subscription

    private func tell(_ shipment: TaskTrackingInfo, after old: TaskTrackingInfo?, isReplaced: Bool, recovery: PollAction?, at now: Date) {
        let fields = ShipmentFields(from: old, to: shipment)
        let listed = audience.subscriptions
        if case .tellRecovery(let seconds)? = recovery {
            publish(.recovered(afterSeconds: seconds), to: listed, at: now)
            audience.tell(listed) { $0.shipmentModel(self, didRecoverAfterSeconds: seconds) }
        }
        if isReplaced {
            publish(.replaced, to: listed, at: now)
            audience.tell(listed) { $0.shipmentModelDidReplace(self) }
        }
        publish(.shipment(shipment, changed: fields), to: listed, at: now)
        guard !listed.isEmpty, !fields.isEmpty else { return }
        tellSpecific(shipment, fields, listed)
        audience.tell(listed) { $0.shipmentModel(self, didUpdate: shipment, updatedFields: fields) }
    }

    private func tellSpecific(_ shipment: TaskTrackingInfo, _ fields: ShipmentFields, _ listed: [Listed]) {
        func tell(_ field: ShipmentFields, _ call: (any ShipmentModelSubscriber) -> Void) {
            if fields.contains(field) { audience.tell(listed, call) }
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

    func tell(_ failure: PollFailure, at now: Date) {
        currentFailure = failure
        publish(.failure(failure), to: audience.subscriptions, at: now)
        audience.tell(audience.subscriptions) { $0.shipmentModel(self, didFailUpdate: failure) }
    }

    func tell(_ state: TripModelState, at now: Date) {
        publish(.state(state), to: audience.subscriptions, at: now)
        audience.tell(audience.subscriptions) { $0.shipmentModel(self, didUpdateModelState: state) }
    }

    private func publish(_ kind: ShipmentUpdate.Kind, to listed: [Listed], at now: Date) {
        audience.publish(ShipmentUpdate(name: name, time: now, kind: kind), to: listed) { $0.shipmentModel(self, didTell: $1) }
    }
}
