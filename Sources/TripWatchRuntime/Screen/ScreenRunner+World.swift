import ConsumerMap
package import Driver
package import FleetEngine
import JourneySharing
import ProviderBackend
package import TripWatchScreen
import TripWatchWords
package import VectorTiles

extension ScreenRunner {
    /// Everything that the app can act on.
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
        /// The base map; nil for none.
        var tiles: (any TileSource)?
        /// The driver on a driver's screen; nil on other screens.
        package var shift: Shift?
        /// Asks the user whether to load a street map; nil if the user is not asked.
        var mapQuestion: MapQuestion?
        /// The recording on a replay screen; nil on other screens.
        var replay: ReplayPlayer?
        /// The recorded rides.
        var recording = RideRecording()
        /// Durations of the server's answers.
        var roundTrips = RoundTrips()
        /// Sends the events of trips to hooks.
        var hooks: HookFeed?
        var time: any TimeSource
        /// Displayed seconds per real second.
        var speed = 1.0
        /// Records the state of the trips; nil to record nothing.
        var keeper: TripKeeper?
        /// Records the state of the shipments; nil to record nothing.
        var shipmentKeeper: ShipmentKeeper?
        /// Source of the user's position; nil for none.
        var ownPosition: OwnPosition?
        /// Vehicles without a trip; nil to show none.
        var fleet: FleetFeed?
        /// Starts to follow one more trip; nil if that is not possible.
        var watch: ((TripName) -> JourneySharingSession)?
        /// Starts to follow one more shipment; nil if that is not possible.
        var watchShipment: ((TaskTrackingName) -> ShipmentModel)?
        /// Stops all other work for a trip that is no longer watched.
        var forget: (TripName) -> Void = { _ in }
        /// Stops all other work for a shipment that is no longer watched.
        var forgetShipment: (TaskTrackingName) -> Void = { _ in }
    }

    /// An active driver.
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
