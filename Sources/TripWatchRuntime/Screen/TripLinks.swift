import TripWatchScreen
package import TripWatchWords

/// Links to the trips and shipments of a screen.
@MainActor
package protocol TripLinks: AnyObject {
    /// Receives each change to a page's link. The link is nil after it has ended.
    var onChange: (TripLink?, FollowedName) -> Void { get set }

    func start(_ name: FollowedName)
    func end(_ name: FollowedName)
    /// Ends all links and tells their readers that the links have ended.
    func close() async
}
