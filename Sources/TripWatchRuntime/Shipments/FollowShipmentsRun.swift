package import FleetEngine
import FleetEngineGRPC
import FoundationEssentials
import JourneySharing
package import ProgramSurroundings
import TripRecording
import TripWatchWords

/// Follows shipments to their end, together with trips, on the screen or as lines.
package struct FollowShipmentsRun: Sendable {
    /// The shipments, without duplicates.
    package let names: [TaskTrackingName]
    /// The trips to follow at the same time, if any, and the settings for both trips and shipments.
    package let trips: FollowRun

    package init(names: [TaskTrackingName], beside trips: FollowRun) {
        var seen: Set<TaskTrackingName> = []
        self.names = names.filter { seen.insert($0).inserted }
        self.trips = trips
    }

    private var endpoint: ServerEndpoint { trips.connection.endpoint }

    package func perform(in surroundings: Surroundings) async throws -> ProgramEnd {
        let tape = try tape(in: surroundings)
        guard !trips.output.wantsScreen(in: surroundings) else { return try await onScreen(tape).perform(in: surroundings) }
        guard let beside = besideTrips else { return .code(try await follow(tape, in: surroundings)) }
        async let ofTrips = beside.perform(in: surroundings)
        let ofShipments = try await follow(tape, in: surroundings)
        guard case .code(let code) = try await ofTrips else { return try await ofTrips }
        return .code(TripLines.worse(code, ofShipments))
    }

    /// A run that shows the shipments on the screen of the trips.
    private func onScreen(_ tape: ShipmentTape?) -> FollowRun {
        var run = trips
        run.shipmentTape = tape
        run.shipments = { client, surroundings in
            let models = models(client, in: surroundings)
            let keeper = trips.look.isReadOnly ? nil : keeper(in: surroundings)
            return FollowedShipments(models: models, keeper: keeper, recorder: recorder(tape, models, in: surroundings)) { hooks in
                await tell(models, keeper, hooks, in: surroundings)
            }
        }
        return run
    }

    /// A run that prints the trips as lines, beside those of the shipments; nil if there are no trips.
    private var besideTrips: FollowRun? {
        guard !trips.names.isEmpty else { return nil }
        var run = trips
        if run.output.style != .json { run.output.style = .plain }
        return run
    }

    private func follow(_ tape: ShipmentTape?, in surroundings: Surroundings) async throws -> Int32 {
        if trips.names.isEmpty { trips.pace.sayWhatIsRaised(for: endpoint, in: surroundings) }
        return try await ClientSession.run(trips.connection, in: surroundings, onAnswer: tape?.onAnswer) { client in
            try await follow(client, tape, in: surroundings)
        }
    }

    @MainActor
    private func follow(_ client: LiveFleetEngineClient, _ tape: ShipmentTape?, in surroundings: Surroundings) async throws -> Int32 {
        let helpers = trips.hooks?.runsCommands == true ? HelperGuard() : nil
        let models = models(client, in: surroundings)
        let recorder = recorder(tape, models, in: surroundings)
        defer { withExtendedLifetime((helpers, recorder)) {} }
        let keeper = keeper(in: surroundings)
        let hooks = try trips.hooks.map { try HookFeed($0, time: surroundings.clock(1), in: surroundings) }
        let code = await tell(models, keeper, hooks, in: surroundings)
        await keeper?.close()
        await hooks?.finish()
        return code
    }

    @MainActor
    private func models(_ client: LiveFleetEngineClient, in surroundings: Surroundings) -> [ShipmentModel] {
        let service = ShipmentService(client: client, time: surroundings.clock(1), minimumInterval: Pace.minimumSeconds(for: endpoint))
        let options = ShipmentModelOptions(autoRefreshTimeInterval: trips.pace.seconds)
        return names.map { service.shipmentModel(for: $0, options: options) }
    }

    @MainActor
    private func tell(
        _ models: [ShipmentModel], _ keeper: ShipmentKeeper?, _ hooks: HookFeed?, in surroundings: Surroundings
    ) async -> Int32 {
        let settings = ShipmentLines.Settings(
            isJSON: trips.output.style == .json,
            plain: trips.output.plainOptions(tripCount: names.count + trips.names.count, in: surroundings),
            keepsTrying: trips.keepsTrying, server: endpoint.description)
        return await ShipmentLines(
            models: models, time: surroundings.clock(1), settings: settings, streams: surroundings.streams, keeper: keeper, hooks: hooks
        ).run()
    }

    private func tape(in surroundings: Surroundings) throws(Failure) -> ShipmentTape? {
        guard trips.names.isEmpty, let record = trips.record, let name = names.first else { return nil }
        return ShipmentTape(of: name, to: try RecordingFile(record, in: surroundings))
    }

    /// Starts the recording, which lasts as long as the recorder.
    @MainActor
    private func recorder(_ tape: ShipmentTape?, _ models: [ShipmentModel], in surroundings: Surroundings) -> ShipmentRecorder? {
        guard let tape, let model = models.first else { return nil }
        let recorder = ShipmentRecorder(tape, of: model, now: surroundings.clock(1).now())
        model.register(recorder)
        return recorder
    }

    @MainActor
    private func keeper(in surroundings: Surroundings) -> ShipmentKeeper? {
        surroundings.stateFile.map {
            let server = KnownTrip.Server(endpoint, providerURL: trips.providerURL, in: surroundings)
            return ShipmentKeeper(file: $0, server: server, time: surroundings.clock(1))
        }
    }
}
