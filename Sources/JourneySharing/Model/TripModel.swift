public import FleetEngine
import FoundationEssentials
import Geo

/// Settings of a model; they may change while it runs (`GMTCTripModelOptions`).
public struct TripModelOptions: Hashable, Sendable {
    /// Seconds between an answer and the next poll, at least the service's minimum. 0 means the model's default of 5 s.
    public var autoRefreshTimeInterval: Double
    /// Language and region of the requests from the next one on; nil for the client's own.
    public var tripRequestHeader: TripRequestHeader?

    /// Creates options. By default, they poll every 5 s in the client's own language and region.
    public init(
        autoRefreshTimeInterval: Double = PollMachine.Configuration.standardInterval, tripRequestHeader: TripRequestHeader? = nil
    ) {
        self.autoRefreshTimeInterval = autoRefreshTimeInterval
        self.tripRequestHeader = tripRequestHeader
    }
}

/// Model that follows one trip (`GMTCTripModel`): polls the server while it has subscribers, and reports changes.
///
/// The first subscriber (or reader of `updates`) starts the polling. Polling stops when the last one leaves, or at a final status. A
/// polling model keeps itself alive. All members except `tripName` and `updates` belong to the main actor. Subscribers may do anything
/// inside a callback: the model has settled its own state before the call.
@MainActor
public final class TripModel: PolledModel {
    /// Name of the trip.
    public nonisolated let tripName: TripName
    /// Trip of the last answer, kept through failures.
    public private(set) var currentTrip: Trip?
    /// Whether the model polls the server. A trip that is over stays inactive.
    public private(set) var state: TripModelState = .inactive
    /// Latest failure, until an answer comes.
    public private(set) var currentFailure: PollFailure?
    /// Local clock minus the server's, seconds; positive if the local clock is ahead. Nil until an answer shows it.
    public private(set) var clockOffsetSeconds: Double?
    /// Settings. A new interval restarts the present wait; a new header applies to the next request.
    public var options: TripModelOptions { didSet { if options != oldValue { applyOptions() } } }
    /// Time between an answer and the next poll, seconds, from the options and within the limits of the service.
    public var pollIntervalSeconds: Double { machine.configuration.interval }

    var wasAnswered: Bool { currentTrip != nil }

    private let client: any ConsumerClient
    private let time: any TimeSource
    private let minimumInterval: Double
    private let bookedAt: Date?
    private var machine: PollMachine
    private var random: SeededRandom
    private var subscribers: [Subscription] = []
    private var readers: [Int: AsyncStream<TripUpdate>.Continuation] = [:]
    private var nextReader = 0
    private let round: PollRound
    /// Present wait or request. Results of earlier ones are ignored.
    private var step: PollRound.Ticket?
    /// Releases the token after the last subscriber has left. The next poll waits for this, so that its own token is not dropped.
    private var release: Task<Void, Never>?

    private struct Subscription {
        weak var subscriber: (any TripModelSubscriber)?
    }

    init(
        tripName: TripName, client: any ConsumerClient, time: any TimeSource, round: PollRound, options: TripModelOptions,
        minimumInterval: Double, bookedAt: Date?, isOneOfMany: Bool, seed: UInt64
    ) {
        self.tripName = tripName
        self.client = client
        self.time = time
        self.round = round
        self.options = options
        self.minimumInterval = minimumInterval
        self.bookedAt = bookedAt
        self.random = SeededRandom(seed: seed)
        self.machine = PollMachine(
            configuration: .init(
                interval: options.autoRefreshTimeInterval, minimum: minimumInterval, bookedAt: bookedAt, isOneOfMany: isOneOfMany))
    }

    /// Adds a subscriber, once. The model holds it weakly, and calls it from the next answer on.
    public func register(_ subscriber: any TripModelSubscriber) {
        subscribers.removeAll { $0.subscriber == nil }
        guard !isRegistered(subscriber) else { return }
        subscribers.append(Subscription(subscriber: subscriber))
        startIfNeeded()
    }

    /// Removes a subscriber. It gets no more calls, not even for the rest of the present update.
    public func unregister(_ subscriber: any TripModelSubscriber) {
        subscribers.removeAll { $0.subscriber === subscriber || $0.subscriber == nil }
        stopIfUnheard()
    }

    /// Updates as a sequence, from now on. Reading counts as a subscription. The sequence ends after a final status; a sequence that starts
    /// later is empty.
    ///
    /// A slow reader loses no element, because a trip makes only a few small values per poll.
    public nonisolated var updates: AsyncStream<TripUpdate> {
        let (stream, continuation) = AsyncStream.makeStream(of: TripUpdate.self)
        Task { @MainActor in self.add(continuation) }
        return stream
    }

    /// Polls the server now. A request under way counts as this poll; if it fails, another follows at once. Has no effect without
    /// subscribers.
    public func refresh() { handle(.refresh) }

    private func add(_ continuation: AsyncStream<TripUpdate>.Continuation) {
        if machine.isEnded, let currentTrip {
            continuation.yield(TripUpdate(name: tripName, time: time.now(), kind: .ended(currentTrip.status)))
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

    private func isRegistered(_ subscriber: any TripModelSubscriber) -> Bool { subscribers.contains { $0.subscriber === subscriber } }

    private var isHeard: Bool { !readers.isEmpty || subscribers.contains { $0.subscriber != nil } }

    private func applyOptions() {
        let configuration = PollMachine.Configuration(
            interval: options.autoRefreshTimeInterval, minimum: minimumInterval, bookedAt: bookedAt,
            isOneOfMany: machine.configuration.isOneOfMany)
        let old = pollIntervalSeconds
        perform(machine.configure(configuration, now: time.now()), at: time.now())
        round.intervalChanged(of: self, from: old)
    }
}

// MARK: - The loop

extension TripModel {
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
        releaseToken()
        set(.inactive)
    }

    private func handle(_ event: PollEvent) {
        let now = time.now()
        perform(machine.handle(event, now: now, random: &random), at: now)
    }

    /// Sets the next step before any callback, because a subscriber may refresh, leave, or change the options.
    /// - Parameter now: time of the reported updates.
    private func perform(_ actions: [PollAction], telling trip: Trip? = nil, at now: Date) {
        for action in actions where action.isStep { start(action) }
        if let trip { adopt(trip, recovery: actions.first(where: \.isRecovery), at: now) }
        for action in actions {
            switch action {
            case .tellFailure(let failure): tell(failure, at: now)
            case .tellEnd(let status): end(status, at: now)
            case .tellRecovery, .poll, .wait: break
            }
        }
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

    /// Called when the wait is over.
    func wake(_ step: PollRound.Ticket) {
        guard step == self.step else { return }
        if isHeard { handle(.due) } else { stopIfUnheard() }
    }

    /// Called for each new connection.
    func connected() { handle(.connected) }

    private func releaseToken() {
        let (client, name) = (client, tripName)
        release = Task { await client.releaseToken(for: name) }
    }

    /// Polls once and reports the result.
    /// - Returns: seconds from the request to its answer; nil if no answer came or the request was cancelled.
    func poll(_ step: PollRound.Ticket) async -> Double? {
        await release?.value
        guard step == self.step else { return nil }
        let start = time.now()
        var request = GetTripRequest(after: currentTrip, name: tripName)
        request.header = options.tripRequestHeader
        do throws(FleetEngineError) {
            let answer = try await client.getTrip(request)
            guard step == self.step else { return nil }
            let trip = TripMerge.merge(answer, over: currentTrip, request: request)
            let now = time.now()
            if let offset = trip.clockOffsetSeconds(receivedAt: now) { clockOffsetSeconds = offset }
            perform(machine.handle(.succeeded(trip.status), now: now, random: &random), telling: trip, at: now)
            return now.timeIntervalSince(start)
        } catch {
            guard step == self.step else { return nil }
            let renewed = error.isAboutToken ? await client.renewToken(for: tripName) : false
            guard step == self.step else { return nil }
            var failure = error
            failure.clockOffsetSeconds = error.clockOffsetSeconds ?? clockOffsetSeconds
            handle(.failed(failure, tokenRenewed: renewed))
            return nil
        }
    }

    private func end(_ status: TripStatus, at now: Date) {
        yield(.ended(status), to: subscribers, at: now)
        stop()
        let open = readers.values
        readers = [:]
        for reader in open { reader.finish() }
    }
}

// MARK: - Reporting

extension TripModel {
    private func adopt(_ trip: Trip, recovery: PollAction?, at now: Date) {
        let old = currentTrip
        let fields = TripPropertyFields(from: old, to: trip)
        currentTrip = trip
        currentFailure = nil
        let audience = subscribers
        if case .tellRecovery(let seconds)? = recovery {
            yield(.recovered(afterSeconds: seconds), to: audience, at: now)
            tell(audience) { $0.tripModel(self, didRecoverAfterSeconds: seconds) }
        }
        yield(.trip(trip, changed: fields), to: audience, at: now)
        guard !audience.isEmpty else { return }
        tellSpecific(trip, fields, audience)
        let isETANew = old?.etaToNextWaypoint != trip.etaToNextWaypoint
        if isETANew { tell(audience) { $0.tripModel(self, didUpdateETAToNextWaypoint: trip.etaToNextWaypoint) } }
        if !fields.isEmpty || isETANew || trip.differsBesideItsFields(from: old) {
            tell(audience) { $0.tripModel(self, didUpdate: trip, updatedPropertyFields: fields) }
        }
    }

    private func tellSpecific(_ trip: Trip, _ fields: TripPropertyFields, _ audience: [Subscription]) {
        func tell(_ field: TripPropertyFields, _ call: (any TripModelSubscriber) -> Void) {
            if fields.contains(field) { self.tell(audience, call) }
        }
        tell(.tripStatus) { $0.tripModel(self, didUpdateTripStatus: trip.status) }
        tell(.pickupLocation) { $0.tripModel(self, didUpdatePickupLocation: trip.pickupPoint) }
        tell(.dropoffLocation) { $0.tripModel(self, didUpdateDropoffLocation: trip.dropoffPoint) }
        tell(.intermediateDestinations) { $0.tripModel(self, didUpdateIntermediateDestinations: trip.intermediateDestinations) }
        tell(.routeLastVehicleLocation) { $0.tripModel(self, didUpdateVehicleLocation: trip.lastLocation) }
        tell(.activeRoute) { $0.tripModel(self, didUpdateActiveRoute: trip.activeRoute.isEmpty ? nil : trip.activeRoute) }
        tell(.remainingDistanceOfActiveRoute) {
            $0.tripModel(self, didUpdateActiveRouteRemainingDistance: trip.remainingDistanceMeters)
        }
        tell(.activeRouteTraffic) { $0.tripModel(self, didUpdateActiveRouteTraffic: trip.activeRoute.traffic) }
        tell(.remainingWaypoints) { $0.tripModel(self, didUpdateRemainingWaypoints: trip.remainingWaypoints) }
        tell(.remainingRoute) { $0.tripModel(self, didUpdateRemainingRoute: trip.remainingRoute) }
        tell(.distanceOfRemainingRoute) { $0.tripModel(self, didUpdateRemainingRouteDistance: trip.remainingRouteDistanceMeters) }
        tell(.remainingRouteTraffic) { $0.tripModel(self, didUpdateRemainingRouteTraffic: trip.remainingRoute.traffic) }
        tell(.pickupTime) { $0.tripModel(self, didUpdatePickupETA: trip.pickupTime) }
        tell(.dropoffTime) { $0.tripModel(self, didUpdateDropoffETA: trip.dropoffTime) }
    }

    private func tell(_ failure: PollFailure, at now: Date) {
        currentFailure = failure
        yield(.failure(failure), to: subscribers, at: now)
        tell(subscribers) { $0.tripModel(self, didFailUpdateTrip: failure) }
    }

    private func set(_ newState: TripModelState) {
        guard state != newState else { return }
        state = newState
        yield(.state(newState), to: subscribers, at: time.now())
        tell(subscribers) { $0.tripModel(self, didUpdateModelState: newState) }
    }

    /// Calls the subscribers. They may come and go inside a callback: removed ones get no more calls, added ones wait for the next update.
    private func tell(_ audience: [Subscription], _ call: (any TripModelSubscriber) -> Void) {
        for subscription in audience {
            guard let subscriber = subscription.subscriber, isRegistered(subscriber) else { continue }
            call(subscriber)
        }
    }

    private func yield(_ kind: TripUpdate.Kind, to audience: [Subscription], at now: Date) {
        guard !readers.isEmpty || !audience.isEmpty else { return }
        let update = TripUpdate(name: tripName, time: now, kind: kind)
        for (id, reader) in readers {
            // A reader that left before it was added could not unsubscribe.
            if case .terminated = reader.yield(update) { readers[id] = nil }
        }
        tell(audience) { $0.tripModel(self, didTell: update) }
    }
}

extension Trip {
    /// Whether a part without a bit changed. Countdowns and versions do not count.
    fileprivate func differsBesideItsFields(from old: Trip?) -> Bool {
        actualPickup != old?.actualPickup || actualDropoff != old?.actualDropoff || attributes != old?.attributes ?? [:]
    }
}
