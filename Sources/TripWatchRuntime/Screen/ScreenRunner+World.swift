import ConsumerMap
package import Driver
package import FleetEngine
import JourneySharing
import ProviderBackend
package import TripWatchScreen
import TripWatchWords
package import VectorTiles

extension ScreenRunner {
    /// Everything that the screen's actions work on.
    package struct World {
        var sessions: [JourneySharingSession] = []
        /// The models of the shipments.
        var shipments: [ShipmentModel] = []
        var client: (any ConsumerClient)?
        /// Cancels a trip with the provider; nil without a provider.
        var cancel: (@Sendable (TripName) async -> CancelResult)?
        /// Books a ride with the provider; nil without a provider.
        var book: (@Sendable (MapRide) async -> Result<ProviderBooking, ProviderBackendError>)?
        /// Serves links to trips and shipments; nil to serve none.
        var links: (any TripLinks)?
        /// The source of the base map's tiles; nil for no map.
        var tiles: (any TileSource)?
        /// The driver on a driver's screen; nil on other screens.
        package var shift: Shift?
        /// The actions for the question whether to load a street map; nil if the user is not asked.
        var mapQuestion: MapQuestion?
        /// The player on the screen of a replay; nil on other screens.
        var replay: ReplayPlayer?
        /// The recording of the followed rides.
        var recording = RideRecording()
        /// The durations of the server's answers.
        var roundTrips = RoundTrips()
        /// The feed that sends the events of trips to hooks.
        var hooks: HookFeed?
        var time: any TimeSource
        /// The speed of the displayed clock: displayed seconds per real second.
        var speed = 1.0
        /// The keeper, which records the state of the trips; nil to record nothing.
        var keeper: TripKeeper?
        /// The keeper, which records the state of the shipments; nil to record nothing.
        var shipmentKeeper: ShipmentKeeper?
        /// The source of the user's position; nil if the position is not known.
        var ownPosition: OwnPosition?
        /// The source of vehicles that serve no trip on the screen; nil to show no such vehicles.
        var fleet: FleetFeed?
        /// Starts to follow one more trip; nil if no trips can be added.
        var watch: ((TripName) -> JourneySharingSession)?
        /// Starts to follow one more shipment; nil if no shipments can be added.
        var watchShipment: ((TaskTrackingName) -> ShipmentModel)?
        /// Stops all work for a trip that the screen no longer follows.
        var forget: (TripName) -> Void = { _ in }
        /// Stops all work for a shipment that the screen no longer follows.
        var forgetShipment: (TaskTrackingName) -> Void = { _ in }
    }

    /// A driver who is on duty.
    package struct Shift {
        /// Events of the driver.
        var events: AsyncStream<AppEvent>
        var tell: (DriverCommand) -> Void
        /// Asks the provider to give an offered trip to another car; nil without a provider.
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
