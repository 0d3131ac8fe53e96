public import FoundationEssentials
import Synchronization

/// Brings fixes onto the navigator's road and passes them on (`GMSRoadSnappedLocationProvider`).
public final class RoadSnappedLocationProvider: Sendable {
    private struct Shared {
        var isUpdating = false
        var listeners = WeakListeners()
    }

    private let navigator: Navigator
    private let shared = Mutex(Shared())

    /// A provider that reports nothing before `startUpdatingLocation()`.
    /// - Parameter navigator: gets each fix first, and snaps it to its road.
    public init(navigator: Navigator) {
        self.navigator = navigator
    }

    /// The listener is not kept alive.
    public func add(_ listener: any RoadSnappedLocationProviderListener) { shared.withLock { $0.listeners.add(listener) } }

    /// The listener hears nothing from the next fix on; one that was never added is no mistake.
    public func remove(_ listener: any RoadSnappedLocationProviderListener) { shared.withLock { $0.listeners.remove(listener) } }

    /// Reports every location to listeners from now on.
    public func startUpdatingLocation() { shared.withLock { $0.isUpdating = true } }

    /// Listeners hear nothing any more; the navigator still gets the fixes.
    public func stopUpdatingLocation() { shared.withLock { $0.isUpdating = false } }

    /// Takes in one fix: first the navigator and its listeners, then this provider's listeners.
    public func update(with fix: LocationFix, at now: Date) {
        guard let location = navigator.update(with: fix, at: now) else { return }
        let listeners = shared.withLock { $0.isUpdating ? $0.listeners.objects : [] }
        for case let listener as any RoadSnappedLocationProviderListener in listeners {
            listener.locationProvider(self, didUpdate: location)
        }
    }
}
