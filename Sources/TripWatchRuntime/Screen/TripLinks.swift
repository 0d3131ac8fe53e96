import TripWatchScreen
package import TripWatchWords

/// Links to the trips and shipments of a screen.
@MainActor
package protocol TripLinks: AnyObject {
    /// Receives the changes of a page's link. The link is nil after it has ended.
    var onChange: (TripLink?, PageName) -> Void { get set }

    func start(_ name: PageName)
    func end(_ name: PageName)
    /// Ends all links and tells their readers that the links have ended.
    func close() async
}
