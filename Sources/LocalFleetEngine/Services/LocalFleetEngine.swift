public import FleetEngine
public import FleetEngineAPI
public import FleetEngineCore
import FoundationEssentials
import Geo
import HTTPServing
public import Logging
public import Routing
import SwiftProtobuf
import Synchronization

/// A Fleet Engine that runs in this process. It holds the engine's state, a clock and, optionally, a router and a store.
///
/// Calls that write run one after another. Calls that read do not wait for other calls, except for the short time in which the
/// state is locked.
///
/// It works without a network. `LocalFleetEngineServer` offers it over gRPC.
public actor LocalFleetEngine {
    /// The engine's state. It is locked only briefly, and never across a suspension point.
    nonisolated let held: Mutex<HeldEngine>
    /// Store of the engine's changes; nil keeps them in memory only.
    nonisolated let store: EngineStore?
    nonisolated let storeObservers = Mutex<[@Sendable (StoreEvent) -> Void]>([])
    let time: any TimeSource
    /// Rules that make calls fail or wait, for tests.
    nonisolated let faults = Mutex(FaultPlan())
    /// The state that a restart returns to.
    var start = EngineStart(FleetEngineState())
    /// Computes the routes that no driver's app has uploaded. If nil, these routes are straight lines.
    let router: (any Router)?
    /// The longest time that a search for vehicles waits for the router.
    let searchPatience: Duration
    /// Counters of the engine's own work.
    public nonisolated let metrics = EngineMetrics()
    /// Queue of calls that wait for other calls of the same caller.
    nonisolated let callers: CallerQueue
    /// Rate limit of each caller; nil for no limit.
    nonisolated let rate: CallRate<Caller>?
    /// Counts and logs forged tokens. Wrong keys are counted elsewhere, so that forged tokens never cause a valid key to be
    /// refused.
    nonisolated let tokenDoor: SecretDoors
    /// Objects that receive each call.
    let callObservers: [any CallObserver]
    var ways = WayQueue()
    /// The callers of `waysSettled()` that still wait for the router's answers.
    var waiters: [CheckedContinuation<Void, Never>] = []
    var routerPace = RetryPace()
    var random = SeededRandom(seed: 1)
    /// The assignment of waiting trips, by provider. A provider has an entry once one of its trips has waited for a vehicle.
    private var dispatches: [String: Dispatch] = [:]
    private var observers: [UInt64: @Sendable ([Change]) -> Void] = [:]
    private var lastObserver: UInt64 = 0

    /// - Parameters:
    ///   - state: the initial state, possibly built from another engine's changes. Bookings that wait in this state continue to
    ///     wait.
    ///   - router: computes the routes that no driver's app has uploaded; if nil, these routes are straight lines.
    ///   - searchPatience: the longest time that a search for vehicles waits for the router, before it uses straight lines.
    ///   - store: stores each change before the call that made it is answered. `state` must have been loaded from this store.
    ///   - callObservers: objects that receive each call, whether it comes over gRPC, over HTTP or from a phone.
    ///   - log: log of refused tokens; nil for no log.
    public init(
        state: FleetEngineState = FleetEngineState(), time: any TimeSource, router: (any Router)? = nil,
        searchPatience: Duration = ServerLimits.searchPatience, store: EngineStore? = nil, callObservers: [any CallObserver] = [],
        log: Logger? = nil
    ) {
        held = Mutex(HeldEngine(state))
        let limits = state.options.limits
        callers = CallerQueue(limit: limits.callsPerCaller, waitingLimit: limits.waitingCalls)
        rate = limits.callsPerSecond.map { CallRate<Caller>(perSecond: $0) }
        self.store = store
        self.time = time
        self.router = router
        self.searchPatience = searchPatience
        self.callObservers = callObservers
        tokenDoor = SecretDoors(log: log)
        for provider in state.bookings.providers { dispatches[provider] = Dispatch(provider: provider, state: state) }
    }

    /// Number of positions that were discarded because the vehicle could not have reached them in the time available.
    public nonisolated var discardedJumps: Int { held.withLock { $0.engine.discardedJumps } }

    /// Clock of the engine.
    package nonisolated var clock: any TimeSource { time }

    /// Current state of the engine.
    public var snapshot: FleetEngineState { held.withLock { $0.engine } }

    // MARK: Changes

    /// Reports every change to an observer from now on, in order. A change is reported before the call that made it is
    /// answered.
    ///
    /// - Parameter observer: must not block. The changes of one call may be reported in several lists. Changes that cannot be
    ///   stored are undone by further changes.
    /// - Returns: the engine's state before the first reported change, and an id for `removeObserver`.
    public func observe(_ observer: @escaping @Sendable ([Change]) -> Void) -> (state: FleetEngineState, id: UInt64) {
        lastObserver += 1
        observers[lastObserver] = observer
        return (snapshot, lastObserver)
    }

    /// Removes the observer to which `observe(_:)` gave this id.
    public func removeObserver(_ id: UInt64) { observers[id] = nil }

    /// Makes a change, then assigns waiting trips to vehicles that can now take one. Returns when everything in the answer is
    /// on disk.
    ///
    /// - Throws: errors of `work`; RESOURCE_EXHAUSTED if the change cannot be stored. In that case, nothing has changed.
    nonisolated func change<Answer: Sendable>(
        _ work: @Sendable (inout FleetEngineState, Date) throws(FleetEngineError) -> (answer: Answer, changes: [Change])
    ) async throws(FleetEngineError) -> Answer {
        try await change(work) { answer, _ in answer }
    }

    /// Makes a change. Builds the answer outside the engine's lock, while the change is written to disk.
    ///
    /// - Parameter answering: builds the answer from the result of `work` and the time of the change.
    nonisolated func change<Made: Sendable, Answer>(
        _ work: @Sendable (inout FleetEngineState, Date) throws(FleetEngineError) -> (answer: Made, changes: [Change]),
        answering: (Made, Date) -> Answer
    ) async throws(FleetEngineError) -> Answer {
        while true {
            let (outcome, now, ticket) = await make(work)
            let answer = outcome.map { answering($0.answer, now) }
            // If changes of other calls were undone, this call runs again. If its own changes were undone, it fails.
            if let ticket, !(await ticket.isStored) {
                guard case .success(let made) = outcome, !made.changes.isEmpty else { continue }
                throw Self.refusal(held.withLock { $0.trouble })
            }
            return try answer.get()
        }
    }

    /// Makes a change and reports it.
    /// - Returns: the result and the time of the change, and the ticket that the answer has to wait for.
    private func make<Answer: Sendable>(
        _ work: (inout FleetEngineState, Date) throws(FleetEngineError) -> (answer: Answer, changes: [Change])
    ) -> (outcome: Result<(answer: Answer, changes: [Change]), FleetEngineError>, now: Date, ticket: StoreTicket?) {
        let now = time.now()
        publish(held.withLock { $0.isRefusing ? [] : $0.engine.sweepIfDue(now: now) }, now)
        let (outcome, calls, ticket) = held.withLock { held in
            (Self.outcome(of: work, on: &held, now), held.engine.removeMadeCalls(), held.ticket { _, _ in true })
        }
        keep(calls)
        if case .success(let made) = outcome { publish(made.changes, now) }
        return (outcome, now, ticket)
    }

    private static func outcome<Answer>(
        of work: (inout FleetEngineState, Date) throws(FleetEngineError) -> (answer: Answer, changes: [Change]),
        on held: inout HeldEngine, _ now: Date
    ) -> Result<(answer: Answer, changes: [Change]), FleetEngineError> {
        guard !held.isRefusing else { return .failure(refusal(held.trouble)) }
        do throws(FleetEngineError) { return .success(try work(&held.engine, now)) } catch { return .failure(error) }
    }

    func publish(_ changes: [Change], _ now: Date) {
        var news = changes
        while !news.isEmpty {
            for observer in observers.values { observer(news) }
            plan(after: news)
            news = dispatch(after: news, now)
        }
        storeChanges()
    }

    /// Assigns waiting trips after changes: at most one trip of each provider whose data has changed.
    private func dispatch(after changes: [Change], _ now: Date) -> [Change] {
        let (news, calls) = held.withLock { (dispatch(after: changes, &$0, now), $0.engine.removeMadeCalls()) }
        keep(calls)
        return news
    }

    private func dispatch(after changes: [Change], _ held: inout HeldEngine, _ now: Date) -> [Change] {
        var concerned: Set<String> = []
        for change in changes {
            let provider = change.provider
            if case .bookingQueued = change, dispatches[provider] == nil {
                dispatches[provider] = Dispatch(provider: provider, state: held.engine)
            }
            guard dispatches[provider] != nil else { continue }
            concerned.insert(provider)
            dispatches[provider]?.note(change, in: held.engine)
        }
        return serve(concerned, &held, now)
    }

    private func serve(_ providers: some Sequence<String>, _ held: inout HeldEngine, _ now: Date) -> [Change] {
        guard !held.isRefusing else { return [] }
        return providers.sorted().flatMap { dispatches[$0]?.serveNext(&held.engine, now: now) ?? [] }
    }

    /// Assigns the trips that are already waiting. Must be called after the start, and when the store can be written again.
    public func serveWaiting() {
        let now = time.now()
        let (changes, calls) = held.withLock { (serve(dispatches.keys, &$0, now), $0.engine.removeMadeCalls()) }
        keep(calls)
        publish(changes, now)
    }

    /// Creates a trip that gets a vehicle as soon as one can take it. See `FleetEngineState.bookTrip`.
    ///
    /// - Returns: the trip as it is now, with its vehicle if one was available.
    func dispatchTrip(
        _ request: WireCreateTripRequest, waitingLimit: Int, account: String = EngineAccount.anonymous
    ) async throws(FleetEngineError) -> WireTrip {
        let trip = try await change { state, now throws(FleetEngineError) in
            try state.bookTrip(request, waitingLimit: waitingLimit, account: account, now: now)
        }
        return try await getTrip(.with { $0.name = trip.name })
    }

    /// Removes a trip from its vehicle after the driver has declined it. The trip then waits for another vehicle. See
    /// `FleetEngineState.releaseTrip`.
    ///
    /// - Returns: the trip as it is now, with another vehicle if one was available.
    func releaseTrip(_ name: TripName) async throws(FleetEngineError) -> WireTrip {
        let trip = try await change { state, now throws(FleetEngineError) in try state.releaseTrip(name, now: now) }
        return try await getTrip(.with { $0.name = trip.name })
    }

    /// Returns the number of vehicle checks made so far to assign the provider's trips.
    func dispatchLooks(_ provider: String) -> Int { dispatches[provider]?.looks ?? 0 }

    // MARK: Trips

    /// See `FleetEngineState.createTrip`.
    public nonisolated func createTrip(
        _ request: WireCreateTripRequest, account: String = EngineAccount.anonymous
    ) async throws(FleetEngineError) -> WireTrip {
        try await change { state, now throws(FleetEngineError) in try state.createTrip(request, account: account, now: now) }
    }

    /// See `FleetEngineState.getTrip`.
    public nonisolated func getTrip(_ request: WireGetTripRequest) async throws(FleetEngineError) -> WireTrip {
        let name = try Check.tripName(request.name)
        let answer = try await read(concerns: { $0.concerns(name, in: $1) }) { engine, now throws(FleetEngineError) in
            try engine.tripAnswer(name, now: now)
        }
        return answer.answer(to: request)
    }

    /// See `FleetEngineState.updateTrip`.
    public nonisolated func updateTrip(_ request: WireUpdateTripRequest) async throws(FleetEngineError) -> WireTrip {
        try await change { state, now throws(FleetEngineError) in try state.updateTrip(request, now: now) }
    }

    /// See `FleetEngineState.deleteTrip`.
    public nonisolated func deleteTrip(_ request: WireDeleteTripRequest) async throws(FleetEngineError) {
        try await change { state, now throws(FleetEngineError) in ((), try state.deleteTrip(request, now: now)) }
    }

    /// See `FleetEngineState.searchTrips`.
    public nonisolated func searchTrips(_ request: WireSearchTripsRequest) async throws(FleetEngineError) -> WireSearchTripsResponse {
        try await read { engine, now throws(FleetEngineError) in try engine.tripList(request, now: now) }.response
    }

    /// See `FleetEngineState.reportBillableTrip`.
    public nonisolated func reportBillableTrip(_ request: WireReportBillableTripRequest) async throws(FleetEngineError) {
        try held.withLock { held throws(FleetEngineError) in try held.engine.reportBillableTrip(request) }
    }

    // MARK: Vehicles

    /// See `FleetEngineState.createVehicle`.
    public nonisolated func createVehicle(
        _ request: WireCreateVehicleRequest, account: String = EngineAccount.anonymous
    ) async throws(FleetEngineError) -> WireVehicle {
        try await change { state, now throws(FleetEngineError) in try state.createVehicle(request, account: account, now: now) }
    }

    /// See `FleetEngineState.getVehicle`.
    public nonisolated func getVehicle(_ request: WireGetVehicleRequest) async throws(FleetEngineError) -> WireVehicle {
        let name = try Check.vehicleName(request.name)
        let (record, now) = try await read(concerns: { changes, _ in changes.vehicles[name] != nil }) {
            engine, now throws(FleetEngineError) in (try engine.vehicleRecord(request), now)
        }
        return record.answer(now: now, request: request)
    }

    /// See `FleetEngineState.updateVehicle`.
    public nonisolated func updateVehicle(_ request: WireUpdateVehicleRequest) async throws(FleetEngineError) -> WireVehicle {
        try await change { state, now throws(FleetEngineError) in
            try state.changeVehicle(request, now: now)
        } answering: { record, now in
            record.answer(now: now)
        }
    }

    /// See `FleetEngineState.updateVehicleAttributes`.
    public nonisolated func updateVehicleAttributes(
        _ request: WireUpdateVehicleAttributesRequest
    ) async throws(FleetEngineError) -> WireUpdateVehicleAttributesResponse {
        try await change { state, now throws(FleetEngineError) in try state.updateVehicleAttributes(request, now: now) }
    }

    /// See `FleetEngineState.deleteVehicle`.
    public nonisolated func deleteVehicle(_ request: WireDeleteVehicleRequest) async throws(FleetEngineError) {
        try await change { state, now throws(FleetEngineError) in ((), try state.deleteVehicle(request, now: now)) }
    }
}
