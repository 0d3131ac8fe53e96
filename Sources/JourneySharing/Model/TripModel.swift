public import FleetEngine
import FoundationEssentials
import Geo

/// Settings of a model; they may change while it runs (`GMTCTripModelOptions`).
public struct TripModelOptions: Hashable, Sendable {
    /// Seconds between an answer and the next poll; the service's minimum is kept. 0 leaves it to the model: 5 s.
    public var autoRefreshTimeInterval: Double
    /// Language and region of the requests from the next one on; nil takes the client's own.
    public var tripRequestHeader: TripRequestHeader?

    /// Options that poll every 5 s in the client's own language and region, unless said otherwise.
    public init(
        autoRefreshTimeInterval: Double = PollMachine.Configuration.standardInterval, tripRequestHeader: TripRequestHeader? = nil
    ) {
        self.autoRefreshTimeInterval = autoRefreshTimeInterval
        self.tripRequestHeader = tripRequestHeader
    }
}

/// One trip, followed (`GMTCTripModel`): polls the server while it has subscribers, and reports what changed.
///
/// The first subscriber (or reader of `updates`) starts the polling, the last one to go stops it; a final status ends it. While it polls
/// it keeps itself alive. All members except `tripName` and `updates` belong to the main actor. Subscribers may do anything inside a
/// callback: the model has settled its own state before it calls.
@MainActor
public final class TripModel: PolledModel {
    /// The trip that is followed.
    public nonisolated let tripName: TripName
    /// The trip as last heard, kept through failures.
    public private(set) var currentTrip: Trip?
    /// Whether the server is asked. A trip that is over stays inactive.
    public private(set) var state: TripModelState = .inactive
    /// The latest failure, until an answer comes.
    public private(set) var currentFailure: PollFailure?
    /// The local clock minus the server's, seconds; positive is ahead. Nil until an answer shows it.
    public private(set) var clockOffsetSeconds: Double?
    /// Settings; a new interval sets the wait that is under way anew, a new header goes with the next request.
    public var options: TripModelOptions { didSet { if options != oldValue { applyOptions() } } }
    /// Between an answer and the next poll, seconds: as the options want it, within the bounds of the service.
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
    /// The wait or the request that is under way: what an older one brings counts no more.
    private var step: PollRound.Ticket?
    /// Gives the token back after the last subscriber has left. The next poll waits until that is done, so that its own token is not dropped.
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

    /// Adds a subscriber, once. It is held weakly, and hears from the next answer on.
    public func register(_ subscriber: any TripModelSubscriber) {
        subscribers.removeAll { $0.subscriber == nil }
        guard !isRegistered(subscriber) else { return }
        subscribers.append(Subscription(subscriber: subscriber))
        startIfNeeded()
    }

    /// Removes a subscriber: it hears nothing more, not even the rest of the present update.
    public func unregister(_ subscriber: any TripModelSubscriber) {
        subscribers.removeAll { $0.subscriber === subscriber || $0.subscriber == nil }
        stopIfUnheard()
    }

    /// The facts as a sequence, from now on. Reading counts as a subscription; the sequence ends after a final status. After one it has
    /// only the end.
    ///
    /// Nothing is dropped for a slow reader: a trip makes a few small values a poll.
    public nonisolated var updates: AsyncStream<TripUpdate> {
        let (stream, continuation) = AsyncStream.makeStream(of: TripUpdate.self)
        Task { @MainActor in self.add(continuation) }
        return stream
    }

    /// Asks the server now. A request in flight counts as this one; if it fails, another follows at once. Without subscribers nothing is
    /// asked.
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

    /// The next step is set before any callback: a subscriber may refresh, leave, or change the options.
    /// - Parameter now: the moment of all that is told.
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

    /// The wait is over.
    func wake(_ step: PollRound.Ticket) {
        guard step == self.step else { return }
        if isHeard { handle(.due) } else { stopIfUnheard() }
    }

    /// There is a new connection.
    func connected() { handle(.connected) }

    private func releaseToken() {
        let (client, name) = (client, tripName)
        release = Task { await client.releaseToken(for: name) }
    }

    /// Asks once and tells.
    /// - Returns: seconds from the request to its answer; nil where none came, or nobody wants it any more.
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

// MARK: - Telling

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

    /// Subscribers may come and go inside a callback: removed ones hear nothing more, added ones wait for the next update.
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
            // A reader that went before it was added could not say so.
            if case .terminated = reader.yield(update) { readers[id] = nil }
        }
        tell(audience) { $0.tripModel(self, didTell: update) }
    }
}

extension Trip {
    /// Whether a part without a bit changed; countdowns and version stamps do not count.
    fileprivate func differsBesideItsFields(from old: Trip?) -> Bool {
        actualPickup != old?.actualPickup || actualDropoff != old?.actualDropoff || attributes != old?.attributes ?? [:]
    }
}
