public import FleetEngine
import FoundationEssentials
public import Navigation
import Synchronization

/// Sends a vehicle's position, state and route to Fleet Engine at a steady pace (`GMTDVehicleReporter`).
///
/// It receives locations as a listener of a `RoadSnappedLocationProvider`, and reads the route, the status, and the remaining time and
/// distance from its navigator. Nothing is sent before tracking is switched on. `VehicleReporterMachine` decides the time and content of
/// each update.
public actor VehicleReporter {
    private struct Listener {
        weak let object: (any VehicleReporterListener)?
    }

    /// The reported vehicle.
    public nonisolated let vehicleName: VehicleName
    private let call: @Sendable (VehicleUpdate) async throws(FleetEngineError) -> Void
    private let time: any TimeSource
    private let navigator: Navigator?
    /// The newest location that has not been processed yet.
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
    ///   - seed: seed of the jitter of retries.
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

    /// Adds a listener, without keeping it alive. Adding it twice has no further effect.
    public func add(_ listener: any VehicleReporterListener) {
        remove(listener)
        listeners.append(Listener(object: listener))
    }

    /// Removes a listener from the next outcome on. Removing a listener that was never added has no effect.
    public func remove(_ listener: any VehicleReporterListener) {
        listeners.removeAll { $0.object == nil || $0.object === listener }
    }

    /// Whether updates are sent at the interval.
    public var locationTrackingEnabled: Bool { machine.isTracking }

    /// Switches tracking on or off. Switching on sends the first update as soon as there are data for one, and leaves the vehicle's state
    /// unchanged. Switching off sends a last update, which sets the state OFFLINE, holds no location, and is not repeated if it fails.
    public func setLocationTrackingEnabled(_ enabled: Bool) {
        if enabled { collect() }
        handle(.setTracking(enabled))
    }

    /// Seconds between updates; 10 by default.
    public var locationUpdateInterval: Double { machine.intervalSeconds }

    /// The same as `locationUpdateInterval`, under its name in later versions of the SDK.
    public var locationReportingInterval: Double { machine.intervalSeconds }

    /// - Parameter seconds: 5 to 60; values outside are clamped.
    public func setLocationUpdateInterval(_ seconds: Double) { handle(.setInterval(seconds)) }

    /// The same as `setLocationUpdateInterval(_:)`.
    public func setLocationReportingInterval(_ seconds: Double) { handle(.setInterval(seconds)) }

    /// Sets the vehicle's state. While tracking is off, `.online` fails and `.offline` is a single request.
    public func update(_ state: VehicleState) { handle(.setState(state)) }

    /// Sets a position from a source other than the vehicle's sensor. It is sent once, with the sensor's next position or alone. Nil
    /// withdraws a position that was not sent yet.
    public func setSupplementalLocation(_ location: SupplementalLocation?) { handle(.setSupplemental(location)) }

    /// Outcomes of updates and changes of the reporter's status from now on, until the reporter or the consumer is released.
    /// - Parameter limit: largest number of outcomes that wait for the consumer; beyond it, the oldest ones are lost.
    public func outcomes(bufferingNewest limit: Int = 64) -> AsyncStream<VehicleReporterOutcome> {
        streams.add(limit: limit) { [weak self] id in
            Task { [weak self] in await self?.removeStream(id) }
        }
    }

    private func removeStream(_ id: Int) { streams.remove(id) }

    /// Number of updates refused for an empty mask, which is usual at the start and not a fault.
    public var emptyMaskUpdates: Int { machine.emptyMaskUpdates }

    /// Number of all other failed updates.
    public var failedUpdates: Int { machine.failedUpdates }

    /// Sends the present data without waiting for the interval. Use it for a new leg: until the route arrives, the server does not know the
    /// remaining time and distance of the leg.
    public func sendNow() {
        collect()
        handle(.sendNow)
    }

    /// Sends the last position if the server has not accepted it, and returns after the attempt. Use it when no later position will come.
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

    /// Processes the data from provider and navigator now. Without this call, the data are processed shortly after each location.
    public func deliver() { collect() }

    /// Waits until no request is under way and no single request is due. After tracking is switched off, this means that OFFLINE has been
    /// sent.
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

    /// The call runs in a separate task, so that a cancelled caller that switches tracking off does not cancel the last request.
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
    /// Stores the location, which is processed soon after, or at once by `deliver()`. A changed route is sent with the first location after
    /// it, because guidance is on by then.
    public nonisolated func locationProvider(_ locationProvider: RoadSnappedLocationProvider, didUpdate location: RoadSnappedLocation) {
        let isFirst = mailbox.withLock { newest in
            defer { newest = location }
            return newest == nil
        }
        guard isFirst else { return }
        Task { [weak self] in await self?.collectUnread() }
    }
}
