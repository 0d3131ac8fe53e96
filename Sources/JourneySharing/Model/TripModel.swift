public import FleetEngine
import FoundationEssentials
import Geo

/// Settings of a model; they may change while it runs (`GMTCTripModelOptions`).
public struct TripModelOptions: Hashable, Sendable {
    /// Seconds between an answer and the next poll. The model limits the value to the range from the service's minimum to one hour. A value
    /// that is 0, negative or not finite means the default of 5 s.
    public var autoRefreshTimeInterval: Double
    /// Language and region of later requests; nil for the client's own language and region.
    public var tripRequestHeader: TripRequestHeader?

    /// Creates options. By default, a model polls every 5 s in the client's own language and region.
    public init(
        autoRefreshTimeInterval: Double = PollMachine.Configuration.standardInterval, tripRequestHeader: TripRequestHeader? = nil
    ) {
        self.autoRefreshTimeInterval = autoRefreshTimeInterval
        self.tripRequestHeader = tripRequestHeader
    }
}

/// A model that follows one trip (`GMTCTripModel`): it polls the server while it has subscribers, and reports changes.
///
/// The first subscriber (or reader of `updates`) starts the polling. Polling stops when the last subscriber leaves, or at a final status. A
/// polling model keeps itself alive. All members except `tripName` and `updates` belong to the main actor. Subscribers may do anything
/// inside a callback, because the model updates its own state before the call.
@MainActor
public final class TripModel: SubscribedModel {
    /// Name of the trip.
    public nonisolated let tripName: TripName
    /// The trip as of the last answer. It is kept through failures.
    public private(set) var currentTrip: Trip?
    /// Whether the model polls the server. The model of a trip that is over stays inactive.
    public internal(set) var state: TripModelState = .inactive
    /// Latest failure; nil once a later poll gets an answer.
    public private(set) var currentFailure: PollFailure?
    /// Local clock minus the server's, in seconds; positive if the local clock is ahead. Nil until an answer shows the time on the server's
    /// clock.
    public private(set) var clockOffsetSeconds: Double?
    /// Settings. A new interval applies to the current wait, unless that wait follows a failure. A new header applies to the next request.
    public var options: TripModelOptions { didSet { if options != oldValue { applyOptions() } } }
    /// Time between an answer and the next poll, in seconds. It depends on the options and on the limits of the service.
    public var pollIntervalSeconds: Double { loop.machine.configuration.interval }

    var wasAnswered: Bool { currentTrip != nil }

    private let client: any ConsumerClient
    private let minimumInterval: Double
    private let bookedAt: Date?
    let loop: PollLoop
    let audience = Audience<any TripModelSubscriber, TripUpdate>()

    init(
        tripName: TripName, client: any ConsumerClient, time: any TimeSource, round: PollRound, options: TripModelOptions,
        minimumInterval: Double, bookedAt: Date?, isOneOfMany: Bool, seed: UInt64
    ) {
        self.tripName = tripName
        self.client = client
        self.options = options
        self.minimumInterval = minimumInterval
        self.bookedAt = bookedAt
        let configuration = PollMachine.Configuration(
            interval: options.autoRefreshTimeInterval, minimum: minimumInterval, bookedAt: bookedAt, isOneOfMany: isOneOfMany)
        loop = PollLoop(time: time, round: round, machine: PollMachine(configuration: configuration), seed: seed)
    }

    /// Adds a subscriber, unless it was added before. The model holds it weakly, and calls it from the next update on.
    public func register(_ subscriber: any TripModelSubscriber) {
        if audience.add(subscriber, { [weak subscriber] in subscriber }) { startIfNeeded() }
    }

    /// Removes a subscriber. It gets no more calls, not even for the rest of the current update.
    public func unregister(_ subscriber: any TripModelSubscriber) {
        audience.remove(subscriber)
        stopIfUnheard()
    }

    /// A sequence of the updates from now on. While it exists, it counts as a subscriber. The sequence ends after a final status; a
    /// sequence that starts later has only the update `ended`.
    ///
    /// The sequence buffers without limit, so that a slow reader loses no element. Each poll makes only a few small values.
    public nonisolated var updates: AsyncStream<TripUpdate> {
        let (stream, continuation) = AsyncStream.makeStream(of: TripUpdate.self)
        Task { @MainActor in self.add(continuation) }
        return stream
    }

    /// Polls the server now. A request in progress counts as this poll; if it fails, another request follows at once. Has no effect
    /// without subscribers.
    public func refresh() { handle(.refresh) }

    private func applyOptions() {
        configure(
            PollMachine.Configuration(
                interval: options.autoRefreshTimeInterval, minimum: minimumInterval, bookedAt: bookedAt,
                isOneOfMany: loop.machine.configuration.isOneOfMany))
    }
}

// MARK: - Calls

extension TripModel {
    var lastUpdate: TripUpdate? { currentTrip.map { TripUpdate(name: tripName, time: loop.time.now(), kind: .ended($0.status)) } }

    func ask() async throws(FleetEngineError) -> Trip {
        var request = GetTripRequest(after: currentTrip, name: tripName)
        request.header = options.tripRequestHeader
        return TripMerge.merge(try await client.getTrip(request), over: currentTrip, request: request)
    }

    func take(_ trip: Trip, at now: Date) {
        if let offset = trip.clockOffsetSeconds(receivedAt: now) { clockOffsetSeconds = offset }
        let actions = loop.machine.handle(.succeeded(trip.status), now: now, random: &loop.random)
        perform(actions, at: now)
        adopt(trip, recovery: actions.first(where: \.isRecovery), at: now)
        for case .tellEnd(let status) in actions {
            publish(.ended(status), to: audience.subscriptions, at: now)
            end()
        }
    }

    func fail(_ error: FleetEngineError, tokenRenewed: Bool) {
        var failure = error
        failure.clockOffsetSeconds = error.clockOffsetSeconds ?? clockOffsetSeconds
        handle(.failed(failure, tokenRenewed: tokenRenewed))
    }

    func renewToken() async -> Bool { await client.renewToken(for: tripName) }

    func releaseToken() -> Task<Void, Never> {
        let (client, name) = (client, tripName)
        return Task { await client.releaseToken(for: name) }
    }
}

// MARK: - Reporting

extension TripModel {
    private typealias Listed = Audience<any TripModelSubscriber, TripUpdate>.Subscription

    private func adopt(_ trip: Trip, recovery: PollAction?, at now: Date) {
        let old = currentTrip
        let fields = TripPropertyFields(from: old, to: trip)
        currentTrip = trip
        currentFailure = nil
        let listed = audience.subscriptions
        if case .tellRecovery(let seconds)? = recovery {
            publish(.recovered(afterSeconds: seconds), to: listed, at: now)
            audience.tell(listed) { $0.tripModel(self, didRecoverAfterSeconds: seconds) }
        }
        publish(.trip(trip, changed: fields), to: listed, at: now)
        guard !listed.isEmpty else { return }
        tellSpecific(trip, fields, listed)
        let isETANew = old?.etaToNextWaypoint != trip.etaToNextWaypoint
        if isETANew { audience.tell(listed) { $0.tripModel(self, didUpdateETAToNextWaypoint: trip.etaToNextWaypoint) } }
        if !fields.isEmpty || isETANew || trip.differsBesideItsFields(from: old) {
            audience.tell(listed) { $0.tripModel(self, didUpdate: trip, updatedPropertyFields: fields) }
        }
    }

    private func tellSpecific(_ trip: Trip, _ fields: TripPropertyFields, _ listed: [Listed]) {
        func tell(_ field: TripPropertyFields, _ call: (any TripModelSubscriber) -> Void) {
            if fields.contains(field) { audience.tell(listed, call) }
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

    func tell(_ failure: PollFailure, at now: Date) {
        currentFailure = failure
        publish(.failure(failure), to: audience.subscriptions, at: now)
        audience.tell(audience.subscriptions) { $0.tripModel(self, didFailUpdateTrip: failure) }
    }

    func tell(_ state: TripModelState, at now: Date) {
        publish(.state(state), to: audience.subscriptions, at: now)
        audience.tell(audience.subscriptions) { $0.tripModel(self, didUpdateModelState: state) }
    }

    private func publish(_ kind: TripUpdate.Kind, to listed: [Listed], at now: Date) {
        audience.publish(TripUpdate(name: tripName, time: now, kind: kind), to: listed) { $0.tripModel(self, didTell: $1) }
    }
}

extension Trip {
    /// Whether any part without a bit in ``TripPropertyFields`` has changed. Changes of countdowns and versions do not count.
    fileprivate func differsBesideItsFields(from old: Trip?) -> Bool {
        actualPickup != old?.actualPickup || actualDropoff != old?.actualDropoff || attributes != old?.attributes ?? [:]
    }
}
