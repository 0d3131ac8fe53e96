public import FoundationEssentials
public import Routing
import Synchronization

/// A navigator (`GMSNavigator`). It passes inputs to a `NavigatorState`, and the state's events to listeners. The state decides everything.
///
/// The navigator may be used from any thread, but fixes should come from one thread. Listeners are called after the lock is
/// released. They get the events of one call in order.
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
    ///   - configuration: the limits. The defaults are the SDK's where the SDK documents them.
    ///   - onInput: called with every input, before listeners get the input's events.
    public init(
        configuration: NavigatorConfiguration = NavigatorConfiguration(), onInput: (@Sendable (NavigatorInput) -> Void)? = nil
    ) {
        shared = Mutex(Shared(state: NavigatorState(configuration: configuration)))
        self.onInput = onInput
    }

    deinit { for consumer in shared.withLock({ $0.streams.all }) { consumer.finish() } }

    /// A copy of the current state. It does not change later.
    public var state: NavigatorState { shared.withLock { $0.state } }

    /// Adds a listener. The navigator does not keep it alive.
    public func add(_ listener: any NavigatorListener) { shared.withLock { $0.listeners.add(listener) } }

    /// Removes a listener. Events that come later do not reach it. Removing a listener that was never added does nothing.
    public func remove(_ listener: any NavigatorListener) { shared.withLock { $0.listeners.remove(listener) } }

    /// Returns a stream of all events from now on. It ends when the navigator or the stream is released.
    /// - Parameter limit: number of events that can wait to be read. If there are more, the oldest are lost.
    public func events(bufferingNewest limit: Int = 256) -> AsyncStream<NavigatorEvent> {
        shared.withLock { shared in
            shared.streams.add(limit: limit) { [weak self] id in self?.shared.withLock { $0.streams.remove(id) } }
        }
    }

    /// The current leg and all legs after it.
    public var routeLegs: [RouteLeg] { state.routeLegs }

    /// The leg that leads to the next destination; nil without a route.
    public var currentRouteLeg: RouteLeg? { state.currentRouteLeg }

    /// Whether the navigator reports remaining time, remaining distance and arrival. `continueToNextDestination()` switches these reports
    /// off.
    public var isGuidanceActive: Bool {
        get { state.isGuidanceActive }
        set { apply(.setGuidanceActive(newValue)) }
    }

    /// The remaining time is reported when it has changed by this many seconds; 1 by default.
    public var timeUpdateThreshold: Double {
        get { state.configuration.timeUpdateThreshold }
        set { configure { $0.timeUpdateThreshold = newValue } }
    }

    /// The remaining distance is reported when it has changed by this many metres; 1 by default.
    public var distanceUpdateThreshold: Double {
        get { state.configuration.distanceUpdateThreshold }
        set { configure { $0.distanceUpdateThreshold = newValue } }
    }

    /// Sets a route; nil clears the current one.
    public func setRoute(_ route: NavigationRoute?, change: RouteChange = .newDestinations) {
        apply(.setRoute(route, change))
    }

    /// Sets a route if the current route, its traffic and the current leg have not changed since `revision`.
    /// - Returns: whether the route was set.
    func setRoute(_ route: NavigationRoute, change: RouteChange, ifRevision revision: Int) -> Bool {
        let events = apply { $0.routeRevision == revision ? .command(.setRoute(route, change)) : nil }
        return !events.isEmpty
    }

    /// Clears the current route (`clearDestinations`).
    public func clearDestinations() { setRoute(nil, change: .cleared) }

    /// Replaces the traffic of the current route. A route with a different line is ignored; set such a route with `setRoute(_:change:)`.
    public func updateTraffic(_ route: NavigationRoute) { apply(.updateTraffic(route)) }

    /// Tells the navigator the current time. Call it about once a second, with times from the same clock as for `update(with:at:)`. See
    /// `NavigatorCommand.tick`.
    public func tick(at now: Date) { apply(.tick(now)) }

    /// Reports to listeners that a new route is being requested. Without a route it does nothing.
    public func willReroute(_ reason: RerouteReason) { apply(.reroute(reason)) }

    /// Starts the next leg at its beginning, and turns guidance off. After the last leg, clears the route.
    /// - Returns: the new destination; nil after the last leg, and without a route.
    @discardableResult
    public func continueToNextDestination() -> NavigationWaypoint? {
        apply(.continueToNextDestination)
        return currentRouteLeg?.destination
    }

    /// Processes one fix. See `NavigatorState.apply(_:at:)`.
    /// - Returns: the location made from the fix; nil if the fix was not used.
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
