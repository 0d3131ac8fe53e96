public import FoundationEssentials
public import Routing
import Synchronization

/// `NavigatorState` with listeners (`GMSNavigator`). The state makes all decisions; this class keeps it and passes its events on.
///
/// The navigator may be used from any thread, but fixes should come from one. Listeners are called after the lock is released, in the order
/// of the events of each call.
public final class Navigator: Sendable {
    private struct Shared {
        var state: NavigatorState
        var listeners = WeakListeners()
        var streams = EventStreams<NavigatorEvent>()
    }

    private let shared: Mutex<Shared>
    private let onInput: (@Sendable (NavigatorInput) -> Void)?

    /// Creates a navigator without a route.
    /// - Parameters:
    ///   - configuration: the limits; the defaults are the SDK's where the SDK states them.
    ///   - onInput: gets every input before listeners get its events.
    public init(
        configuration: NavigatorConfiguration = NavigatorConfiguration(), onInput: (@Sendable (NavigatorInput) -> Void)? = nil
    ) {
        shared = Mutex(Shared(state: NavigatorState(configuration: configuration)))
        self.onInput = onInput
    }

    deinit { for consumer in shared.withLock({ $0.streams.all }) { consumer.finish() } }

    /// The whole present state as one value.
    public var state: NavigatorState { shared.withLock { $0.state } }

    /// Adds a listener, without keeping it alive.
    public func add(_ listener: any NavigatorListener) { shared.withLock { $0.listeners.add(listener) } }

    /// Removes a listener. Later events no longer reach it. Removing a listener that was never added does nothing.
    public func remove(_ listener: any NavigatorListener) { shared.withLock { $0.listeners.remove(listener) } }

    /// Every event from now on, until the navigator or the consumer is released.
    /// - Parameter limit: number of events that wait for the consumer. Beyond it the oldest are lost.
    public func events(bufferingNewest limit: Int = 256) -> AsyncStream<NavigatorEvent> {
        shared.withLock { shared in
            shared.streams.add(limit: limit) { [weak self] id in self?.shared.withLock { $0.streams.remove(id) } }
        }
    }

    /// The legs from the current one on.
    public var routeLegs: [RouteLeg] { state.routeLegs }

    /// The leg that leads to the next destination; nil without a route.
    public var currentRouteLeg: RouteLeg? { state.currentRouteLeg }

    /// Whether remaining time, remaining distance and arrival are reported. `continueToNextDestination()` switches it off.
    public var isGuidanceActive: Bool {
        get { state.isGuidanceActive }
        set { apply(.setGuidanceActive(newValue)) }
    }

    /// Least change of the remaining time that is reported, seconds; 1 by default.
    public var timeUpdateThreshold: Double {
        get { state.configuration.timeUpdateThreshold }
        set { configure { $0.timeUpdateThreshold = newValue } }
    }

    /// Least change of the remaining distance that is reported, metres; 1 by default.
    public var distanceUpdateThreshold: Double {
        get { state.configuration.distanceUpdateThreshold }
        set { configure { $0.distanceUpdateThreshold = newValue } }
    }

    /// Sets a route; nil clears the present one.
    public func setRoute(_ route: NavigationRoute?, change: RouteChange = .newDestinations) {
        apply(.setRoute(route, change))
    }

    /// - Returns: whether the route was set; false if another one was set in the meantime.
    func setRoute(_ route: NavigationRoute, change: RouteChange, ifRevision revision: Int) -> Bool {
        let events = apply { $0.routeRevision == revision ? .command(.setRoute(route, change)) : nil }
        return !events.isEmpty
    }

    /// Clears the present route (`clearDestinations`).
    public func clearDestinations() { setRoute(nil, change: .cleared) }

    /// Replaces the traffic of the present route. A route along another line is ignored; use `setRoute(_:change:)` for it.
    public func updateTraffic(_ route: NavigationRoute) { apply(.updateTraffic(route)) }

    /// Reports the present time. Call it about once a second, with the clock that `update(with:at:)` gets. See `NavigatorCommand.tick`.
    public func tick(at now: Date) { apply(.tick(now)) }

    /// Reports to listeners that a new route is requested. Without a route it does nothing.
    public func willReroute(_ reason: RerouteReason) { apply(.reroute(reason)) }

    /// Goes on to the next leg. The progress along the previous leg is dropped, and guidance is switched off.
    /// - Returns: the new destination; nil after the last one.
    @discardableResult
    public func continueToNextDestination() -> NavigationWaypoint? {
        apply(.continueToNextDestination)
        return currentRouteLeg?.destination
    }

    /// Processes one fix. See `NavigatorState.apply(_:at:)`.
    /// - Returns: the location made from the fix; nil for a fix that was not used.
    @discardableResult
    public func update(with fix: LocationFix, at now: Date) -> RoadSnappedLocation? {
        let events = apply { _ in .fix(fix, at: now) }
        for case .didUpdateLocation(let location) in events { return location }
        return nil
    }

    private func configure(_ change: (inout NavigatorConfiguration) -> Void) {
        apply { state in
            var configuration = state.configuration
            change(&configuration)
            return .command(.configure(configuration))
        }
    }

    private func apply(_ command: NavigatorCommand) { apply { _ in .command(command) } }

    @discardableResult
    private func apply(_ input: (NavigatorState) -> NavigatorInput?) -> [NavigatorEvent] {
        let (input, events, listeners, consumers) = shared.withLock { shared in
            let input = input(shared.state)
            return (input, input.map { shared.state.apply($0) } ?? [], shared.listeners.objects, shared.streams.all)
        }
        if let input { onInput?(input) }
        for event in events {
            for consumer in consumers { consumer.yield(event) }
            for case let listener as any NavigatorListener in listeners { tell(listener, event) }
        }
        return events
    }
}
