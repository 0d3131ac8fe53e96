import FleetEngine
import TripWatchScreen

/// Serves links to the trips of a screen.
@MainActor
protocol TripLinks: AnyObject {
    /// Told what becomes of the link to a trip; nil where it has ended.
    var onChange: (TripLink?, TripName) -> Void { get set }

    func start(_ name: TripName)
    func end(_ name: TripName)
    /// Ends all links, and tells those who look on.
    func close() async
}
