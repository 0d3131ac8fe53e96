package import FleetEngine
package import JourneySharing
package import ProgramSurroundings

/// Serves links to the trips and shipments on a screen.
package struct ScreenSharing: Sendable {
    /// A function that creates the links from the screen's services, client and map.
    package typealias Maker =
        @MainActor @Sendable (
            FollowRun, TripService, ShipmentService, any ConsumerClient & ShipmentClient, BaseMapSupply, Surroundings
        ) -> any TripLinks

    let links: Maker

    package init(links: @escaping Maker) { self.links = links }
}
