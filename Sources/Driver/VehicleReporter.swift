public import FleetEngine
import FoundationEssentials
public import Navigation
import Synchronization

/// Sends a vehicle's position, state and route to Fleet Engine at a steady pace (`GMTDVehicleReporter`).
///
/// It hears locations as a listener of a `RoadSnappedLocationProvider` and takes route, status and figures from its navigator. Nothing is
/// sent before tracking is switched on. `VehicleReporterMachine` decides when to send what.
public actor VehicleReporter {
    private struct Listener {
        weak let object: (any VehicleReporterListener)?
    }

    /// The vehicle whose updates these are.
    public nonisolated let vehicleName: VehicleName
    private let client: any DriverClient
    private let time: any TimeSource
    private let navigator: Navigator?
    /// The newest location that was not looked at yet.
    private nonisolated let mailbox = Mutex<RoadSnappedLocation?>(nil)
    private var machine: VehicleReporterMachine
    private var report: NavigationReport?
    private var listeners: [Listener] = []
    private var streams = EventStreams<VehicleReporterOutcome>()
    /// The last report of a state that was no success.
    private var trouble: DriverStatus?
    private var alarm: Task<Void, Never>?
    private var settlers: [CheckedContinuation<Void, Never>] = []
    private var news: ReportNews?
    private var onNews: @Sendable (TripDriverEvent) -> Void = { _ in }

    /// - Parameter seed: for the jitter of retries.
    init(vehicleName: VehicleName, client: any DriverClient, time: any TimeSource, navigator: Navigator?, seed: UInt64) {
        self.vehicleName = vehicleName
        self.client = client
        self.time = time
        self.navigator = navigator
        machine = VehicleReporterMachine(seed: seed)
    }

    deinit {
        alarm?.cancel()
        for consumer in streams.all { consumer.finish() }
    }

    /// The listener is not kept alive. Adding it twice is adding it once.
    public func add(_ listener: any VehicleReporterListener) {
        remove(listener)
        listeners.append(Listener(object: listener))
    }

    /// The listener hears nothing from the next outcome on; one that was never added is no mistake.
    public func remove(_ listener: any VehicleReporterListener) {
        listeners.removeAll { $0.object == nil || $0.object === listener }
    }

    /// Whether updates are sent at the interval.
    public var locationTrackingEnabled: Bool { machine.isTracking }

    /// Switching on sends the first update as soon as there are data for one, and leaves the vehicle's state unchanged. Switching off ends
    /// the updates and sends one more, which sets the state OFFLINE, holds no location, and is not tried again if it fails.
    public func setLocationTrackingEnabled(_ enabled: Bool) {
        if enabled { collect() }
        handle(.setTracking(enabled))
    }

    /// Seconds between updates: 10 unless set.
    public var locationUpdateInterval: Double { machine.intervalSeconds }

    /// The name of `locationUpdateInterval` in later versions of the SDK.
    public var locationReportingInterval: Double { machine.intervalSeconds }

    /// - Parameter seconds: 5 to 60; outside values are clamped.
    public func setLocationUpdateInterval(_ seconds: Double) { handle(.setInterval(seconds)) }

    /// The same as `setLocationUpdateInterval(_:)`.
    public func setLocationReportingInterval(_ seconds: Double) { handle(.setInterval(seconds)) }

    /// Sets the vehicle's state. `.online` fails while tracking is off; `.offline` is a single request then.
    public func update(_ state: VehicleState) { handle(.setState(state)) }

    /// A position that the app has from elsewhere than the vehicle's sensor: it goes out once, with the sensor's next one or alone. Nil takes
    /// back one that was not sent yet.
    public func setSupplementalLocation(_ location: SupplementalLocation?) { handle(.setSupplemental(location)) }

    /// Outcomes of updates and news of the reporter's state from now on, until the reporter or the consumer goes.
    /// - Parameter limit: so many wait for the consumer; of more the oldest are lost.
    public func outcomes(bufferingNewest limit: Int = 64) -> AsyncStream<VehicleReporterOutcome> {
        streams.add(limit: limit) { [weak self] id in
            Task { [weak self] in await self?.removeStream(id) }
        }
    }

    private func removeStream(_ id: Int) { streams.remove(id) }

    /// Refusals of empty masks: usual at the start, not a fault.
    public var emptyMaskUpdates: Int { machine.emptyMaskUpdates }

    /// All other failures.
    public var failedUpdates: Int { machine.failedUpdates }

    /// Sends the present data without waiting for the interval. For a new leg: until its route has arrived the server has no figures for
    /// it.
    public func sendNow() {
        collect()
        handle(.sendNow)
    }

    /// Sends the last position where the server has not taken it, and returns when that was tried: no other one will come.
    func sendLastLocation() async {
        collect()
        handle(.sendLastLocation)
        await settled()
    }

    /// Reports the outcome of the updates from now on.
    func tell(_ onNews: @escaping @Sendable (TripDriverEvent) -> Void) {
        self.onNews = onNews
        news = ReportNews()
    }

    /// Takes in what provider and navigator have reported. That happens soon after each location anyway; a caller that must be sure asks
    /// for it.
    public func deliver() { collect() }

    /// Returns when no request is under way and no single request is due: after switching off, when OFFLINE has been sent.
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

    /// The call is a separate task: the cancellation of a caller that switches tracking off must not cancel the last request.
    private func send(_ id: Int, _ update: VehicleUpdate) {
        Task { [client, vehicleName] in
            var failure: FleetEngineError?
            do throws(FleetEngineError) {
                _ = try await client.updateVehicle(vehicleName, update)
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

// MARK: - What it listens to

extension VehicleReporter: RoadSnappedLocationProviderListener {
    /// Looked at soon after, or at once by `deliver()`. A changed route goes out with the first location after it: by then guidance is on.
    public nonisolated func locationProvider(_ locationProvider: RoadSnappedLocationProvider, didUpdate location: RoadSnappedLocation) {
        let isFirst = mailbox.withLock { newest in
            defer { newest = location }
            return newest == nil
        }
        guard isFirst else { return }
        Task { [weak self] in await self?.collectUnread() }
    }
}
