public import FoundationEssentials
public import Routing
import Synchronization

/// `NavigatorState` with listeners (`GMSNavigator`). All decisions are the state's; this class keeps it and passes its events on.
///
/// It may be used from any thread, but fixes should come from one: listeners are called after the lock is left, in the order of the events of each call.
public final class Navigator: Sendable {
    private struct Shared {
        var state: NavigatorState
        var listeners = WeakListeners()
        var streams = EventStreams<NavigatorEvent>()
    }

    private let shared: Mutex<Shared>
    private let onInput: (@Sendable (NavigatorInput) -> Void)?

    /// A navigator without a route.
    /// - Parameters:
    ///   - configuration: its limits; the SDK's where the SDK has them.
    ///   - onInput: hears everything that goes in, before listeners hear what comes out of it.
    public init(
        configuration: NavigatorConfiguration = NavigatorConfiguration(), onInput: (@Sendable (NavigatorInput) -> Void)? = nil
    ) {
        shared = Mutex(Shared(state: NavigatorState(configuration: configuration)))
        self.onInput = onInput
    }

    deinit { for consumer in shared.withLock({ $0.streams.all }) { consumer.finish() } }

    /// Everything that is known now, as one value.
    public var state: NavigatorState { shared.withLock { $0.state } }

    /// The listener is not kept alive.
    public func add(_ listener: any NavigatorListener) { shared.withLock { $0.listeners.add(listener) } }

    /// The listener hears nothing from the next event on; one that was never added is no mistake.
    public func remove(_ listener: any NavigatorListener) { shared.withLock { $0.listeners.remove(listener) } }

    /// Every event from now on, until the navigator or the consumer goes.
    /// - Parameter limit: so many events wait for the consumer; of more the oldest are lost.
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

    /// Seconds; 1 if never set.
    public var timeUpdateThreshold: Double {
        get { state.configuration.timeUpdateThreshold }
        set { configure { $0.timeUpdateThreshold = newValue } }
    }

    /// Metres; 1 if never set.
    public var distanceUpdateThreshold: Double {
        get { state.configuration.distanceUpdateThreshold }
        set { configure { $0.distanceUpdateThreshold = newValue } }
    }

    /// Starts on a route; nil takes the present one away.
    public func setRoute(_ route: NavigationRoute?, change: RouteChange = .newDestinations) {
        apply(.setRoute(route, change))
    }

    /// - Returns: whether the route was taken: not if another one came meanwhile.
    func setRoute(_ route: NavigationRoute, change: RouteChange, ifRevision revision: Int) -> Bool {
        let events = apply { $0.routeRevision == revision ? .command(.setRoute(route, change)) : nil }
        return !events.isEmpty
    }

    /// Takes the present route away (`clearDestinations`).
    public func clearDestinations() { setRoute(nil, change: .cleared) }

    /// The same way with other traffic. A route along another line is not taken; use `setRoute(_:change:)` for one.
    public func updateTraffic(_ route: NavigationRoute) { apply(.updateTraffic(route)) }

    /// Time passes: call it about once a second, with the clock that `update(with:at:)` gets. See `NavigatorCommand.tick`.
    public func tick(at now: Date) { apply(.tick(now)) }

    /// Tells listeners that another way is asked for. Without a route nothing happens.
    public func willReroute(_ reason: RerouteReason) { apply(.reroute(reason)) }

    /// Goes on to the next leg. What was known of the one before is gone, and guidance must be switched on again.
    /// - Returns: the new destination; nil after the last one.
    @discardableResult
    public func continueToNextDestination() -> NavigationWaypoint? {
        apply(.continueToNextDestination)
        return currentRouteLeg?.destination
    }

    /// Takes in one fix. See `NavigatorState.apply(_:at:)`.
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
