import FleetEngine
import JourneySharing
import ProgramSurroundings

/// How a screen that follows trips serves links to them.
package struct ScreenSharing: Sendable {
    /// Given the screen's service, its client and its map.
    typealias Maker = @MainActor @Sendable (FollowRun, TripService, any ConsumerClient, BaseMapSupply, Surroundings) -> any TripLinks

    let links: Maker
}
