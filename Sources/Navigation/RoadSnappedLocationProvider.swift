public import FoundationEssentials
import Synchronization

/// Snaps fixes to the road of the navigator's route and reports them (`GMSRoadSnappedLocationProvider`).
public final class RoadSnappedLocationProvider: Sendable {
    private struct Shared {
        var isUpdating = false
        var isInBackground = false
        var allowsBackground = false
        var listeners = WeakListeners()
        var streams = EventStreams<RoadSnappedLocation>()
    }

    private let navigator: Navigator
    private let shared = Mutex(Shared())

    /// Creates a provider that reports nothing before `startUpdatingLocation()`.
    /// - Parameter navigator: receives each fix first, and snaps it to the road.
    public init(navigator: Navigator) {
        self.navigator = navigator
    }

    deinit { for consumer in shared.withLock({ $0.streams.all }) { consumer.finish() } }

    /// Adds a listener. The provider does not keep it alive.
    public func add(_ listener: any RoadSnappedLocationProviderListener) { shared.withLock { $0.listeners.add(listener) } }

    /// Removes a listener. Locations that come later do not reach it. Removing a listener that was never added does nothing.
    public func remove(_ listener: any RoadSnappedLocationProviderListener) { shared.withLock { $0.listeners.remove(listener) } }

    /// Starts reporting every location to listeners.
    public func startUpdatingLocation() { shared.withLock { $0.isUpdating = true } }

    /// Stops reporting locations to listeners. The navigator still receives the fixes.
    public func stopUpdatingLocation() { shared.withLock { $0.isUpdating = false } }

    /// Returns a stream of the locations from now on, while updating is on. It ends when the provider or the stream is released.
    /// - Parameter limit: number of locations that can wait to be read. If there are more, the oldest are lost.
    public func locations(bufferingNewest limit: Int = 64) -> AsyncStream<RoadSnappedLocation> {
        shared.withLock { shared in
            shared.streams.add(limit: limit) { [weak self] id in self?.shared.withLock { $0.streams.remove(id) } }
        }
    }

    /// Whether fixes are used while the app is in the background (`isInBackground`); false by default.
    public var allowsBackgroundLocationUpdates: Bool {
        get { shared.withLock { $0.allowsBackground } }
        set { shared.withLock { $0.allowsBackground = newValue } }
    }

    /// Whether the app is in the background; set by the app. Fixes in the background are ignored, unless
    /// `allowsBackgroundLocationUpdates` is true.
    public var isInBackground: Bool {
        get { shared.withLock { $0.isInBackground } }
        set { shared.withLock { $0.isInBackground = newValue } }
    }

    /// Passes one fix to the navigator, and the snapped location to this provider's listeners. Also calls the navigator's
    /// `tick(at:)`.
    public func update(with fix: LocationFix, at now: Date) {
        guard shared.withLock({ !$0.isInBackground || $0.allowsBackground }) else { return }
        let location = navigator.update(with: fix, at: now)
        navigator.tick(at: now)
        guard let location else { return }
        let (listeners, consumers) = shared.withLock { $0.isUpdating ? ($0.listeners.objects, $0.streams.all) : ([], []) }
        for consumer in consumers { consumer.yield(location) }
        for case let listener as any RoadSnappedLocationProviderListener in listeners {
            listener.locationProvider(self, didUpdate: location)
        }
    }
}
