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

/// Follows trips of some server to their end: what `follow` and `book --follow` have in common.
package struct FollowRun: Sendable {
    /// Each once.
    package let names: [TripName]
    package var connection: Connection
    /// Asked to cancel; nil where there is none.
    package var provider: ProviderBackendClient?
    /// The address of it.
    package var providerURL: String?
    package var output: OutputSettings
    package var look: ScreenSettings
    package var pace: Pace
    /// Wait on where something needs the user, instead of ending.
    package var keepsTrying = false
    /// When we booked the trip ourselves: until the server knows it, that it is missing is no failure.
    package var bookedAt: Date?
    /// A new file for what is heard of the one trip.
    package var record: String?
    /// Who is told the trips' moments.
    package var hooks: HookSettings?
    /// How the screen serves links to its trips; nil where it serves none.
    package var sharing: ScreenSharing?
    /// Show cars without a trip near the pickup, as long as there is none for the rider.
    package var showsNearby = false

    package init(
        names: [TripName], connection: Connection, provider: ProviderBackendClient?, output: OutputSettings, look: ScreenSettings,
        pace: Pace, bookedAt: Date? = nil
    ) {
        var seen: Set<TripName> = []
        self.names = names.filter { seen.insert($0).inserted }
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
        let roundTrips = RoundTrips()
        let end = try await ClientSession.run(
            connection, in: surroundings, guardsHelpers: !wantsScreen,
            onCall: wantsScreen ? roundTrips.listening(surroundings.log.callReporter) : nil, onAnswer: recording.onAnswer
        ) { client in
            try await follow(client, roundTrips, time: time, map: map, ground, recording, tokenSource: tokenSource, in: surroundings)
        }
        // What was booked here has no other place where its name stands.
        if bookedAt != nil, wantsScreen { for name in names { surroundings.streams.note(name.description) } }
        return end
    }

    private func recording(_ time: any TimeSource, isOnScreen: Bool, in surroundings: Surroundings) throws(Failure) -> RideRecording {
        var scene = RecordedScene()
        scene.bookedAt = bookedAt
        let folder = isOnScreen && !look.isReadOnly ? RideFolder(keeping: look.keptRides, in: surroundings) : nil
        if let record, let name = names.first {
            // What is added on the screen has no file of that name: it is kept as rides are.
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
        _ recording: RideRecording, tokenSource: (any AccessTokenProvider)?, in surroundings: Surroundings
    ) async throws -> ProgramEnd {
        // On the screen signals end nothing before the screen is put away.
        let helpers = hooks?.runsCommands == true && !output.wantsScreen(in: surroundings) ? HelperGuard() : nil
        defer { withExtendedLifetime(helpers) {} }
        var follower = TripFollower(
            names: names, client: client, time: time, interval: pace.seconds, output: output, look: look,
            surroundings: surroundings)
        follower.minimumInterval = Pace.minimumSeconds(for: connection.endpoint)
        follower.bookedAt = bookedAt
        follower.server = connection.endpoint.description
        follower.keepsTrying = keepsTrying
        if showsNearby { follower.nearby = client }
        follower.map = map
        follower.recording = recording
        follower.roundTrips = roundTrips
        if let sharing { follower.links = { sharing.links(self, $0, client, map, surroundings) } }
        follower.mapQuestion = look.mapQuestion(in: surroundings)
        follower.tokenSource = tokenSource
        // Who only looks on leaves nothing behind.
        follower.keeper =
            look.isReadOnly
            ? nil
            : surroundings.stateFile.map {
                TripKeeper(
                    file: $0, server: KnownTrip.Server(connection.endpoint, providerURL: providerURL, in: surroundings),
                    title: names.count == 1 ? look.app.title : nil,
                    time: surroundings.clock(1))
            }
        follower.cancel = provider?.canceller
        follower.hooks = try hooks.map { try HookFeed($0, time: surroundings.clock(1), in: surroundings) }
        follower.prepare = {
            $0.endpoint = connection.endpoint.description
            $0.mapBounds = map.details?.bounds
            $0.ground = ground
            $0.bookedAt = bookedAt
            // The same tokens would show every trip of the provider to whoever is to see this one.
            ($0.addsTrips, $0.provider) = (!look.isReadOnly, names.first?.provider)
        }
        return try await follower.run()
    }
}
