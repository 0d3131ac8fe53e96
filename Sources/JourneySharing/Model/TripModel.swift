public import FleetEngine
import FoundationEssentials
import Geo

/// Settings of a model; they may change while it runs (`GMTCTripModelOptions`).
public struct TripModelOptions: Hashable, Sendable {
    /// Seconds between an answer and the next poll; the service's minimum is kept.
    public var autoRefreshTimeInterval: Double

    public init(autoRefreshTimeInterval: Double = PollMachine.Configuration.standardInterval) {
        self.autoRefreshTimeInterval = autoRefreshTimeInterval
    }
}

/// One trip, followed (`GMTCTripModel`): asks the server while anybody listens and tells what changed.
///
/// The first subscriber (or reader of `updates`) starts the polling, the last one to go stops it; a final status ends it.
@MainActor
public final class TripModel {
    public nonisolated let tripName: TripName
    /// The trip as last heard, kept through failures.
    public private(set) var currentTrip: Trip?
    public private(set) var state: TripModelState = .inactive
    /// The latest failure, until an answer comes.
    public private(set) var currentFailure: PollFailure?
    public var options: TripModelOptions { didSet { if options != oldValue { applyOptions() } } }

    private let client: any ConsumerClient
    private let time: any TimeSource
    private let minimumInterval: Double
    private let bookedAt: Date?
    private var machine: PollMachine
    private var random: SeededRandom
    private var subscribers: [Subscription] = []
    private var readers: [Int: AsyncStream<TripUpdate>.Continuation] = [:]
    private var nextReader = 0
    private var loop: Task<Void, Never>?
    private var waiter: Task<Void, Never>?
    private var deadline: Date?

    private struct Subscription {
        weak var subscriber: (any TripModelSubscriber)?
    }

    init(
        tripName: TripName, client: any ConsumerClient, time: any TimeSource, options: TripModelOptions, minimumInterval: Double,
        bookedAt: Date?, seed: UInt64
    ) {
        self.tripName = tripName
        self.client = client
        self.time = time
        self.options = options
        self.minimumInterval = minimumInterval
        self.bookedAt = bookedAt
        self.random = SeededRandom(seed: seed)
        self.machine = PollMachine(
            configuration: .init(interval: options.autoRefreshTimeInterval, minimum: minimumInterval, bookedAt: bookedAt))
    }

    /// Adds a subscriber, once. It is held weakly.
    public func register(_ subscriber: any TripModelSubscriber) {
        guard !isRegistered(subscriber) else { return }
        subscribers.append(Subscription(subscriber: subscriber))
        startIfNeeded()
    }

    public func unregister(_ subscriber: any TripModelSubscriber) {
        subscribers.removeAll { $0.subscriber === subscriber || $0.subscriber == nil }
        stopIfUnheard()
    }

    /// The facts as a sequence, from now on. Reading counts as a subscription; the sequence ends after a final status.
    ///
    /// Nothing is dropped for a slow reader: a trip makes a few small values a poll.
    public nonisolated var updates: AsyncStream<TripUpdate> {
        let (stream, continuation) = AsyncStream.makeStream(of: TripUpdate.self)
        Task { @MainActor in self.add(continuation) }
        return stream
    }

    /// Asks the server now. While a request is in flight, that one counts; should it fail, another follows at once.
    public func refresh() {
        perform(machine.handle(.refresh, now: time.now(), random: &random))
    }

    private func add(_ continuation: AsyncStream<TripUpdate>.Continuation) {
        nextReader += 1
        let id = nextReader
        readers[id] = continuation
        continuation.onTermination = { [weak self] _ in
            Task { @MainActor in self?.removeReader(id) }
        }
        startIfNeeded()
        if machine.isEnded { finishReaders() }
    }

    private func removeReader(_ id: Int) {
        readers[id] = nil
        stopIfUnheard()
    }

    private func isRegistered(_ subscriber: any TripModelSubscriber) -> Bool { subscribers.contains { $0.subscriber === subscriber } }

    private var isHeard: Bool { !readers.isEmpty || subscribers.contains { $0.subscriber != nil } }

    private func applyOptions() {
        let configuration = PollMachine.Configuration(
            interval: options.autoRefreshTimeInterval, minimum: minimumInterval, bookedAt: bookedAt)
        perform(machine.configure(configuration, now: time.now()))
    }
}

// MARK: - The loop

extension TripModel {
    private func startIfNeeded() {
        guard loop == nil, !machine.isEnded, isHeard else { return }
        set(.active)
        loop = Task { [weak self] in
            guard let self else { return }
            perform(machine.handle(.start, now: time.now(), random: &random))
            await run()
        }
    }

    private func stopIfUnheard() {
        guard loop != nil, !isHeard else { return }
        loop?.cancel()
        waiter?.cancel()
        loop = nil
        _ = machine.handle(.stop, now: time.now(), random: &random)
        set(.inactive)
    }

    private func run() async {
        while !Task.isCancelled, !machine.isEnded {
            if let deadline {
                await wait(until: deadline)
                guard !Task.isCancelled else { return }
                guard isHeard else { return stopIfUnheard() }
                // A refresh or a new interval has changed the deadline meanwhile; a clock that plays a recording may return early.
                if self.deadline == deadline { perform(machine.handle(.due, now: time.now(), random: &random)) }
            } else {
                await poll()
            }
        }
        if machine.isEnded { finish() }
    }

    private func wait(until deadline: Date) async {
        let time = time
        let sleeping = Task { _ = try? await time.sleep(until: deadline) }
        waiter = sleeping
        await withTaskCancellationHandler {
            await sleeping.value
        } onCancel: {
            sleeping.cancel()
        }
        if waiter == sleeping { waiter = nil }
    }

    private func poll() async {
        let request = GetTripRequest(after: currentTrip, name: tripName)
        do throws(FleetEngineError) {
            let answer = try await client.getTrip(request)
            guard !Task.isCancelled else { return }
            let actions = machine.handle(.succeeded(answer.status), now: time.now(), random: &random)
            perform(actions.filter(\.isRecovery))
            take(TripMerge.merge(answer, over: currentTrip, request: request))
            perform(actions.filter { !$0.isRecovery })
        } catch {
            guard !Task.isCancelled else { return }
            let renewed = error.isAboutToken ? await client.renewToken(for: tripName) : false
            guard !Task.isCancelled else { return }
            perform(machine.handle(.failed(error, tokenRenewed: renewed), now: time.now(), random: &random))
        }
    }

    private func perform(_ actions: [PollAction]) {
        for action in actions {
            switch action {
            case .poll:
                deadline = nil
                waiter?.cancel()
            case .wait(let until):
                deadline = until
                waiter?.cancel()
            case .tellFailure(let failure): tell(failure)
            case .tellRecovery(let seconds): tellRecovery(seconds)
            case .tellEnd(let status): yield(.ended(status))
            }
        }
    }

    private func finish() {
        loop = nil
        set(.inactive)
        finishReaders()
    }

    private func finishReaders() {
        let open = readers.values
        readers = [:]
        for reader in open { reader.finish() }
    }
}

// MARK: - Telling

extension TripModel {
    private func take(_ trip: Trip) {
        let old = currentTrip
        let fields = TripPropertyFields(from: old, to: trip)
        currentTrip = trip
        currentFailure = nil
        yield(.trip(trip, changed: fields))
        tellSpecific(trip, fields)
        if old?.etaToNextWaypoint != trip.etaToNextWaypoint {
            tellAll { $0.tripModel(self, didUpdateETAToNextWaypoint: trip.etaToNextWaypoint) }
        }
        if !fields.isEmpty { tellAll { $0.tripModel(self, didUpdate: trip, updatedPropertyFields: fields) } }
    }

    private func tellSpecific(_ trip: Trip, _ fields: TripPropertyFields) {
        func tell(_ field: TripPropertyFields, _ call: (any TripModelSubscriber) -> Void) {
            if fields.contains(field) { tellAll(call) }
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
        tell(.activeRouteTraffic) { $0.tripModel(self, didUpdateActiveRouteTraffic: trip.activeRouteTraffic) }
        tell(.remainingWaypoints) { $0.tripModel(self, didUpdateRemainingWaypoints: trip.remainingWaypoints) }
        tell(.remainingRoute) { $0.tripModel(self, didUpdateRemainingRoute: trip.remainingRoute) }
        tell(.distanceOfRemainingRoute) { $0.tripModel(self, didUpdateRemainingRouteDistance: trip.remainingRouteDistanceMeters) }
        tell(.remainingRouteTraffic) { $0.tripModel(self, didUpdateRemainingRouteTraffic: trip.remainingRouteTraffic) }
        tell(.pickupTime) { $0.tripModel(self, didUpdatePickupETA: trip.pickupTime) }
        tell(.dropoffTime) { $0.tripModel(self, didUpdateDropoffETA: trip.dropoffTime) }
    }

    private func tell(_ failure: PollFailure) {
        currentFailure = failure
        yield(.failure(failure))
        tellAll { $0.tripModel(self, didFailUpdateTrip: failure) }
    }

    private func tellRecovery(_ seconds: Double) {
        yield(.recovered(afterSeconds: seconds))
        tellAll { $0.tripModel(self, didRecoverAfterSeconds: seconds) }
    }

    private func set(_ newState: TripModelState) {
        guard state != newState else { return }
        state = newState
        yield(.state(newState))
        tellAll { $0.tripModel(self, didUpdateModelState: newState) }
    }

    /// Subscribers may come and go inside a callback: those that left hear nothing more, those that came wait for the next one.
    private func tellAll(_ call: (any TripModelSubscriber) -> Void) {
        for subscription in subscribers {
            guard let subscriber = subscription.subscriber, isRegistered(subscriber) else { continue }
            call(subscriber)
        }
    }

    private func yield(_ kind: TripUpdate.Kind) {
        guard !readers.isEmpty else { return }
        let update = TripUpdate(name: tripName, time: time.now(), kind: kind)
        for reader in readers.values { reader.yield(update) }
    }
}
