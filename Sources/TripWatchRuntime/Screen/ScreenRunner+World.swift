import ConsumerMap
package import Driver
package import FleetEngine
import JourneySharing
import ProviderBackend
package import TripWatchScreen
package import VectorTiles

extension ScreenRunner {
    /// What the app acts on.
    package struct World {
        var sessions: [JourneySharingSession] = []
        var client: (any ConsumerClient)?
        /// Asks the provider to cancel a trip; nil where there is none.
        var cancel: (@Sendable (TripName) async -> CancelResult)?
        /// Asks the provider for a ride; nil where there is none.
        var book: (@Sendable (MapRide) async -> Result<ProviderBooking, ProviderBackendError>)?
        /// Serves links to trips; nil where none are served.
        var links: (any TripLinks)?
        /// The base map; nil for none.
        var tiles: (any TileSource)?
        /// The driver whose screen it is; nil on other screens.
        package var shift: Shift?
        /// Nil where nobody is asked for another one.
        var mapQuestion: MapQuestion?
        /// The recording that is played; nil on other screens.
        var replay: ReplayPlayer?
        /// The rides that are written down.
        var recording = RideRecording()
        /// How long the server takes.
        var roundTrips = RoundTrips()
        /// Who is told the trips' moments.
        var hooks: HookFeed?
        var time: any TimeSource
        /// Shown seconds in a real one.
        var speed = 1.0
        /// Writes down how the trips stand; nil where nothing is to be known of them later.
        var keeper: TripKeeper?
        /// Asked where the user is; nil where nobody is.
        var ownPosition: OwnPosition?
        /// Vehicles of no trip; nil where none are shown.
        var fleet: FleetFeed?
        /// Begins to follow one more trip; nil where that cannot be.
        var watch: ((TripName) -> JourneySharingSession)?
        /// Ends what else follows a trip that is not watched any more.
        var forget: (TripName) -> Void = { _ in }
    }

    /// A driver at work.
    package struct Shift {
        /// What happens to the driver.
        var events: AsyncStream<AppEvent>
        var tell: (DriverCommand) -> Void
        /// Asks the provider to give an offered trip to another car; nil where there is none.
        var decline: (@Sendable (TripName) async -> CancelResult)?

        package init(
            events: AsyncStream<AppEvent>, tell: @escaping (DriverCommand) -> Void, decline: (@Sendable (TripName) async -> CancelResult)?
        ) {
            self.events = events
            self.tell = tell
            self.decline = decline
        }
    }
}

extension ScreenRunner.World {
    package init(tiles: (any TileSource)?, time: any TimeSource, speed: Double) {
        self.init(sessions: [], tiles: tiles, time: time, speed: speed)
    }
}
