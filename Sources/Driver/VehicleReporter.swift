public import FleetEngine
import FoundationEssentials
public import Navigation
import Synchronization

/// Sends a vehicle's position, state and route to Fleet Engine at a steady interval (`GMTDVehicleReporter`).
///
/// It gets positions from a `RoadSnappedLocationProvider`, and the route, the status, and the remaining time and distance from a
/// `Navigator`. While tracking is off, it sends only the state OFFLINE. `VehicleReporterMachine` decides the time and content of each
/// update.
public actor VehicleReporter {
    private struct Listener {
        weak let object: (any VehicleReporterListener)?
    }

    /// The reported vehicle.
    public nonisolated let vehicleName: VehicleName
    private let call: @Sendable (VehicleUpdate) async throws(FleetEngineError) -> Void
    private let time: any TimeSource
    private let navigator: Navigator?
    /// The newest position that has not been processed yet.
    private nonisolated let mailbox = Mutex<RoadSnappedLocation?>(nil)
    private var machine: VehicleReporterMachine
    private var report: NavigationReport?
    private var listeners: [Listener] = []
    private var streams = EventStreams<VehicleReporterOutcome>()
    /// The last reported status, if it was not a success.
    private var trouble: DriverStatus?
    private var alarm: Task<Void, Never>?
    private var settlers: [CheckedContinuation<Void, Never>] = []
    private var news: ReportNews?
    private var onNews: @Sendable (TripDriverEvent) -> Void = { _ in }

    /// - Parameters:
    ///   - seed: seed for the random variation of the time between retries.
    ///   - call: sends an update to the server.
    init(
        vehicleName: VehicleName, time: any TimeSource, navigator: Navigator?, seed: UInt64,
        call: @escaping @Sendable (VehicleUpdate) async throws(FleetEngineError) -> Void
    ) {
        self.vehicleName = vehicleName
        self.call = call
        self.time = time
        self.navigator = navigator
        machine = VehicleReporterMachine(seed: seed)
    }

    deinit {
        alarm?.cancel()
        for consumer in streams.all { consumer.finish() }
    }

    /// Adds a listener, which is held weakly. Adding the same listener twice has no further effect.
    public func add(_ listener: any VehicleReporterListener) {
        remove(listener)
        listeners.append(Listener(object: listener))
    }

    /// Removes a listener. It gets no further outcomes. Removing a listener that was never added has no effect.
    public func remove(_ listener: any VehicleReporterListener) {
        listeners.removeAll { $0.object == nil || $0.object === listener }
    }

    /// Whether updates are sent at the interval.
    public var locationTrackingEnabled: Bool { machine.isTracking }

    /// Switches tracking on or off. Switching on keeps the vehicle's state, and sends the first update as soon as there is data.
    /// Switching off sets the state OFFLINE and sends it once; a failed request is not repeated.
    public func setLocationTrackingEnabled(_ enabled: Bool) {
        if enabled { collect() }
        handle(.setTracking(enabled))
    }

    /// The time between two updates, in seconds; 10 by default.
    public var locationUpdateInterval: Double { machine.intervalSeconds }

    /// The same value as `locationUpdateInterval`, under the name that later versions of the SDK use.
    public var locationReportingInterval: Double { machine.intervalSeconds }

    /// - Parameter seconds: 5 to 60; values outside this range are clamped.
    public func setLocationUpdateInterval(_ seconds: Double) { handle(.setInterval(seconds)) }

    /// Sets the same value as `setLocationUpdateInterval(_:)`.
    public func setLocationReportingInterval(_ seconds: Double) { handle(.setInterval(seconds)) }

    /// Sets the vehicle's state. While tracking is off, `.online` fails, and `.offline` is sent in a single request.
    public func update(_ state: VehicleState) { handle(.setState(state)) }

    /// Sets a position from a source other than the vehicle's sensor. It is sent once, either together with the sensor's next
    /// position or on its own. Nil discards a position that has not been sent.
    public func setSupplementalLocation(_ location: SupplementalLocation?) { handle(.setSupplemental(location)) }

    /// Returns the outcomes of updates and the changes of the reporter's status from now on. The stream ends when the reporter or the
    /// consumer is released.
    /// - Parameter limit: maximum number of outcomes that wait for the consumer. If more arrive, the oldest are dropped.
    public func outcomes(bufferingNewest limit: Int = 64) -> AsyncStream<VehicleReporterOutcome> {
        streams.add(limit: limit) { [weak self] id in
            Task { [weak self] in await self?.removeStream(id) }
        }
    }

    private func removeStream(_ id: Int) { streams.remove(id) }

    /// The number of updates that were refused for an empty mask. This is normal at the start and does not count as a fault.
    public var emptyMaskUpdates: Int { machine.emptyMaskUpdates }

    /// The number of all other failed updates.
    public var failedUpdates: Int { machine.failedUpdates }

    /// Sends the current data without waiting for the interval. Call it when a new leg begins, because the server does not have the
    /// leg's route yet.
    public func sendNow() {
        collect()
        handle(.sendNow)
    }

    /// Tells the reporter that the server is answering other calls again. If the last update failed with a retryable error and the server
    /// did not ask for a wait, the newest data is sent at once.
    func serverAnswered() { handle(.serverAnswered) }

    /// Sends the last position if the server has not accepted it, and returns after the attempt. Call it when no later position will
    /// follow.
    func sendLastLocation() async {
        collect()
        handle(.sendLastLocation)
        await settled()
    }

    /// Passes the events about the updates to `onNews` from now on.
    func tell(_ onNews: @escaping @Sendable (TripDriverEvent) -> Void) {
        self.onNews = onNews
        news = ReportNews()
    }

    /// Processes the data from the provider and the navigator immediately, instead of shortly after each position.
    public func deliver() { collect() }

    /// Waits for the request under way, and for an OFFLINE request that is due while tracking is off.
    public func settled() async {
        guard !machine.isSettled else { return }
        await withCheckedContinuation { settlers.append($0) }
    }
}

// MARK: - Events in, actions out

extension VehicleReporter {
    private func collect() {
        let location = mailbox.withLock { newest in
            defer { newest = nil }
            return newest
        }
        report = navigator.map { NavigationReport($0.state, after: report) }
        handle(.data(location: location, navigation: report))
    }

    private func collectUnread() {
        if mailbox.withLock({ $0 != nil }) { collect() }
    }

    private func handle(_ event: VehicleReporterMachine.Event) {
        for action in machine.handle(event, at: time.now()) { perform(action) }
        guard machine.isSettled else { return }
        let waiting = settlers
        settlers = []
        for settler in waiting { settler.resume() }
    }

    private func perform(_ action: VehicleReporterMachine.Action) {
        switch action {
        case .send(let id, let update): send(id, update)
        case .wake(let date): setAlarm(date)
        case .didSucceed(let update):
            if let event = news?.didSucceed(update, at: time.now()) { onNews(event) }
            for listener in listeners { listener.object?.vehicleReporter(self, didSucceed: update) }
            tell(.succeeded(update))
            if trouble != nil { report(.accepted) }
            trouble = nil
        case .didFail(let update, let error):
            if let event = news?.didFail(error, retryAt: machine.notBefore, now: time.now()) { onNews(event) }
            for listener in listeners { listener.object?.vehicleReporter(self, didFail: update, withError: error) }
            tell(.failed(update, error))
            let status = DriverStatus(error)
            report(status)
            if status.level > .debug { trouble = status }
        }
    }

    private func report(_ status: DriverStatus) {
        for listener in listeners { listener.object?.vehicleReporter(self, didReport: status) }
        tell(.status(status))
    }

    private func tell(_ outcome: VehicleReporterOutcome) {
        for consumer in streams.all { consumer.yield(outcome) }
    }

    /// Sends an update in a separate task, so that the request continues when the caller is cancelled.
    private func send(_ id: Int, _ update: VehicleUpdate) {
        Task { [call] in
            var failure: FleetEngineError?
            do throws(FleetEngineError) {
                try await call(update)
            } catch {
                failure = error
            }
            self.handle(.completed(id: id, error: failure))
        }
    }

    private func setAlarm(_ date: Date?) {
        alarm?.cancel()
        alarm = nil
        guard let date else { return }
        alarm = Task { [weak self, time] in
            do { try await time.sleep(until: date) } catch { return }
            await self?.ring()
        }
    }

    private func ring() {
        guard !Task.isCancelled else { return }
        collect()
        handle(.timer)
    }
}

// MARK: - Listening to the provider

extension VehicleReporter: RoadSnappedLocationProviderListener {
    /// Stores the position. It is processed shortly afterwards, or at once by `deliver()`. A changed route is reported with the next
    /// position. By then, guidance for a new route is on, so the report can contain the remaining time and distance.
    public nonisolated func locationProvider(_ locationProvider: RoadSnappedLocationProvider, didUpdate location: RoadSnappedLocation) {
        let isFirst = mailbox.withLock { newest in
            defer { newest = location }
            return newest == nil
        }
        guard isFirst else { return }
        Task { [weak self] in await self?.collectUnread() }
    }
}
