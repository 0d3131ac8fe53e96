package import FleetEngine
import FleetEngineGRPC
package import FoundationEssentials
package import ProgramSurroundings
package import ProviderBackend
import TerminalMap
import TripRecording
import TripWatchScreen
import TripWatchSettings
import TripWatchWords
import VectorTiles

/// Follows trips and shipments on a server to their end, for `follow` and `book --follow`.
package struct FollowRun: Sendable {
    /// Trips to follow, without duplicates.
    package let names: [TripName]
    /// Shipments to follow at the same time, without duplicates.
    package let shipments: [TaskTrackingName]
    package var connection: Connection
    /// The provider's client, which cancels trips; nil without a provider.
    package var provider: ProviderBackendClient?
    /// Address of the provider.
    package var providerURL: String?
    package var output: OutputSettings
    package var look: ScreenSettings
    package var pace: Pace
    /// Whether to keep running after errors that require action, instead of ending.
    package var keepsTrying = false
    /// The time at which this command booked the trip; nil if it did not. Soon after the booking, "not found" is not a failure,
    /// because the server may not know the trip yet.
    package var bookedAt: Date?
    /// The path of a new file into which the single trip or shipment is recorded.
    package var record: String?
    /// The hooks for the events of the trips and shipments.
    package var hooks: HookSettings?
    /// Serves links to the screen's trips and shipments; nil to serve none.
    package var sharing: ScreenSharing?
    /// Whether to show free cars near the pickup until the rider has a car.
    package var showsNearby = false

    package init(
        names: [TripName], shipments: [TaskTrackingName] = [], connection: Connection, provider: ProviderBackendClient?,
        output: OutputSettings, look: ScreenSettings, pace: Pace, bookedAt: Date? = nil
    ) {
        var seen: Set<TripName> = []
        self.names = names.filter { seen.insert($0).inserted }
        var seenShipments: Set<TaskTrackingName> = []
        self.shipments = shipments.filter { seenShipments.insert($0).inserted }
        self.connection = connection
        self.provider = provider
        self.output = output
        self.look = look
        self.pace = pace
        self.bookedAt = bookedAt
    }

    package func perform(in surroundings: Surroundings) async throws -> ProgramEnd {
        pace.sayWhatIsRaised(for: connection.endpoint, in: surroundings)
        let tokenSource = try connection.tokens.provider(caFile: connection.caFile, in: surroundings)
        let wantsScreen = output.wantsScreen(in: surroundings)
        let ground = wantsScreen ? try look.overlay.open(in: surroundings) : nil
        let map = wantsScreen ? try look.map.open(standard: .none, in: surroundings) : BaseMapSupply()
        let time = surroundings.clock(1)
        let recording = try recording(time, isOnScreen: wantsScreen, in: surroundings)
        let tape = try shipmentTape(in: surroundings)
        let roundTrips = RoundTrips()
        let end = try await ClientSession.run(
            connection, in: surroundings, guardsHelpers: !wantsScreen,
            onCall: wantsScreen ? roundTrips.listening(surroundings.log.callReporter) : nil,
            onAnswer: { answer in
                tape?.onAnswer(answer)
                recording.onAnswer(answer)
            }
        ) { client in
            try await follow(
                client, roundTrips, time: time, map: map, ground, recording, tape, tokenSource: tokenSource, in: surroundings)
        }
        // The screen has closed. Only this line still shows the name of the booked trip.
        if bookedAt != nil, wantsScreen { for name in names { surroundings.streams.note(name.description) } }
        return end
    }

    private func recording(_ time: any TimeSource, isOnScreen: Bool, in surroundings: Surroundings) throws(Failure) -> RideRecording {
        var scene = RecordedScene()
        scene.bookedAt = bookedAt
        let folder = isOnScreen && !look.isReadOnly ? RideFolder(keeping: look.keptRides, in: surroundings) : nil
        if let record, let name = names.first {
            // The file holds only this trip. A trip that the user adds on the screen is recorded in the folder, like other rides.
            let recording = RideRecording(folder: folder, mostRides: look.keptRides, scene: scene, in: surroundings)
            recording.add(name, to: try RecordingFile(record, in: surroundings), time: time)
            return recording
        }
        guard let folder, names.count <= look.keptRides else { return RideRecording() }
        let recording = RideRecording(folder: folder, mostRides: look.keptRides, scene: scene, in: surroundings)
        for name in names { recording.add(name, time: time) }
        return recording
    }

    @MainActor
    private func follow(
        _ client: LiveFleetEngineClient, _ roundTrips: RoundTrips, time: any TimeSource, map: BaseMapSupply, _ ground: GroundOverlay?,
        _ recording: RideRecording, _ tape: ShipmentTape?, tokenSource: (any AccessTokenProvider)?, in surroundings: Surroundings
    ) async throws -> ProgramEnd {
        // A screen handles signals itself, so only a command without a screen needs the guard.
        let helpers = hooks?.runsCommands == true && !output.wantsScreen(in: surroundings) ? HelperGuard() : nil
        defer { withExtendedLifetime(helpers) {} }
        var follower = TripFollower(
            names: names, client: client, time: time, interval: pace.seconds, output: output, look: look,
            surroundings: surroundings)
        follower.minimumInterval = Pace.minimumSeconds(for: connection.endpoint)
        follower.bookedAt = bookedAt
        follower.server = connection.endpoint.description
        follower.keepsTrying = keepsTrying
        let shipments = followedShipments(client, tape, in: surroundings)
        follower.shipments = shipments
        if showsNearby { follower.nearby = client }
        follower.map = map
        follower.recording = recording
        follower.roundTrips = roundTrips
        if let sharing { follower.links = { sharing.links(self, $0, shipments.service, client, map, surroundings) } }
        follower.mapQuestion = look.mapQuestion(in: surroundings)
        follower.tokenSource = tokenSource
        follower.keeper = tripKeeper(in: surroundings)
        follower.cancel = provider?.canceller
        follower.hooks = try hooks.map { try HookFeed($0, time: surroundings.clock(1), in: surroundings) }
        follower.prepare = {
            $0.endpoint = connection.endpoint.description
            $0.mapBounds = map.details?.bounds
            $0.ground = ground
            $0.bookedAt = bookedAt
            // A read-only screen adds no trips, because its tokens could show the viewer every trip of the provider.
            $0.addsTrips = !look.isReadOnly
            $0.noTripReason = connection.tokens.placeholderFault(isShipment: false)
            $0.noShipmentReason = connection.tokens.placeholderFault(isShipment: true)
            $0.provider = names.first?.provider ?? self.shipments.first?.provider
        }
        return try await follower.run()
    }

    @MainActor
    private func tripKeeper(in surroundings: Surroundings) -> TripKeeper? {
        // A read-only screen records nothing.
        guard !look.isReadOnly else { return nil }
        return surroundings.stateFile.map {
            let server = KnownTrip.Server(connection.endpoint, providerURL: providerURL, in: surroundings)
            let title = names.count == 1 ? look.app.title : nil
            return TripKeeper(file: $0, server: server, title: title, time: surroundings.clock(1))
        }
    }
}
