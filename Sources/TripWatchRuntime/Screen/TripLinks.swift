import TripWatchScreen
package import TripWatchWords

/// Serves links to the trips and shipments of a screen.
@MainActor
package protocol TripLinks: AnyObject {
    /// Receives changes of the link to a page. The link is nil after its end.
    var onChange: (TripLink?, PageName) -> Void { get set }

    func start(_ name: PageName)
    func end(_ name: PageName)
    /// Ends all links, and notifies their readers.
    func close() async
}
