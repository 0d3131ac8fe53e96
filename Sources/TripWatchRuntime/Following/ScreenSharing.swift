import FleetEngine
import JourneySharing
import ProgramSurroundings

/// Serves links to the trips on a screen.
package struct ScreenSharing: Sendable {
    /// Creates the links from the screen's service, client and map.
    typealias Maker = @MainActor @Sendable (FollowRun, TripService, any ConsumerClient, BaseMapSupply, Surroundings) -> any TripLinks

    let links: Maker
}
