package import FleetEngine
import TripWatchScreen
package import TripWatchWords

/// Serves links to the trips of a screen.
@MainActor
package protocol TripLinks: AnyObject {
    /// Receives changes of the link to a trip. The link is nil after its end.
    var onChange: (TripLink?, TripName) -> Void { get set }

    func start(_ name: TripName)
    func end(_ name: TripName)
    /// Ends all links, and notifies their readers.
    func close() async
}
