package import FleetEngine
import FleetEngineGRPC
import FoundationEssentials
import JourneySharing
package import ProgramSurroundings
import TripRecording
import TripWatchWords

/// Follows shipments to their end, as lines, and trips beside them.
package struct FollowShipmentsRun: Sendable {
    /// Each once.
    package let names: [TaskTrackingName]
    package var connection: Connection
    package var output: OutputSettings
    package var pace: Pace
    /// Wait on where something needs the user, instead of ending.
    package var keepsTrying = false
    /// Path of a new file for the recording of a single shipment.
    package var record: String?
    /// Hooks for the events of the shipments.
    package var hooks: HookSettings?
    /// Address of the provider.
    package var providerURL: String?
    /// Trips that are followed at the same time; nil for none.
    package var trips: FollowRun?

    package init(names: [TaskTrackingName], connection: Connection, output: OutputSettings, pace: Pace) {
        var seen: Set<TaskTrackingName> = []
        self.names = names.filter { seen.insert($0).inserted }
        self.connection = connection
        self.output = output
        self.pace = pace
    }

    package func perform(in surroundings: Surroundings) async throws -> ProgramEnd {
        if output.style == .screen {
            surroundings.streams.note("tripwatch: shipments are shown as lines: use --output plain.")
        }
        guard let beside = besideTrips else { return .code(try await follow(in: surroundings)) }
        async let ofTrips = beside.perform(in: surroundings)
        let ofShipments = try await follow(in: surroundings)
        guard case .code(let code) = try await ofTrips else { return try await ofTrips }
        return .code(TripLines.worse(code, ofShipments))
    }

    /// The trips, as lines like the shipments.
    private var besideTrips: FollowRun? {
        guard var run = trips else { return nil }
        if run.output.style != .json { run.output.style = .plain }
        return run
    }

    private func follow(in surroundings: Surroundings) async throws -> Int32 {
        if trips == nil { pace.sayWhatIsRaised(for: connection.endpoint, in: surroundings) }
        let tape = try tape(in: surroundings)
        return try await ClientSession.run(connection, in: surroundings, onAnswer: tape?.onAnswer) { client in
            try await tell(client, tape, in: surroundings)
        }
    }

    private func tape(in surroundings: Surroundings) throws(Failure) -> ShipmentTape? {
        guard let record, let name = names.first else { return nil }
        return ShipmentTape(of: name, to: try RecordingFile(record, in: surroundings))
    }

    @MainActor
    private func tell(
        _ client: LiveFleetEngineClient, _ tape: ShipmentTape?, in surroundings: Surroundings
    ) async throws -> Int32 {
        let helpers = hooks?.runsCommands == true ? HelperGuard() : nil
        defer { withExtendedLifetime(helpers) {} }
        let time = surroundings.clock(1)
        let service = ShipmentService(client: client, time: time, minimumInterval: Pace.minimumSeconds(for: connection.endpoint))
        let models = names.map {
            service.shipmentModel(for: $0, options: ShipmentModelOptions(autoRefreshTimeInterval: pace.seconds))
        }
        let settings = ShipmentLines.Settings(
            isJSON: output.style == .json,
            plain: output.plainOptions(tripCount: names.count + (trips?.names.count ?? 0), in: surroundings), keepsTrying: keepsTrying,
            server: connection.endpoint.description)
        let recorder = recorder(tape, models, now: time.now())
        defer { withExtendedLifetime(recorder) {} }
        let keeper = keeper(time, in: surroundings)
        let feed = try hooks.map { try HookFeed($0, time: time, in: surroundings) }
        let code = await ShipmentLines(
            models: models, time: time, settings: settings, streams: surroundings.streams, keeper: keeper, hooks: feed
        ).run()
        await keeper?.close()
        await feed?.finish()
        return code
    }

    /// Starts the recording, which lasts as long as the recorder.
    @MainActor
    private func recorder(_ tape: ShipmentTape?, _ models: [ShipmentModel], now: Date) -> ShipmentRecorder? {
        guard let tape, let model = models.first else { return nil }
        let recorder = ShipmentRecorder(tape, of: model, now: now)
        model.register(recorder)
        return recorder
    }

    @MainActor
    private func keeper(_ time: any TimeSource, in surroundings: Surroundings) -> ShipmentKeeper? {
        surroundings.stateFile.map {
            ShipmentKeeper(file: $0, server: KnownTrip.Server(connection.endpoint, providerURL: providerURL, in: surroundings), time: time)
        }
    }
}
