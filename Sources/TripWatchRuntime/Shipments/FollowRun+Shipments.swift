import FleetEngine
import FleetEngineGRPC
import FoundationEssentials
import JourneySharing
import ProgramSurroundings
import TripRecording
import TripWatchWords

/// Follows the shipments together with the trips, over one connection.
extension FollowRun {
    /// Creates the recording of the followed shipment; nil if trips are also followed, or if no recording is wanted.
    /// - Throws: `Failure` if the file exists or cannot be created.
    func shipmentTape(in surroundings: Surroundings) throws(Failure) -> ShipmentTape? {
        guard names.isEmpty, let record, let name = shipments.first else { return nil }
        return ShipmentTape(of: name, to: try RecordingFile(record, in: surroundings))
    }

    /// Returns the shipments that this run follows.
    /// - Parameter tape: the recording of the answers; nil to record nothing.
    @MainActor
    func followedShipments(
        _ client: LiveFleetEngineClient, _ tape: ShipmentTape?, in surroundings: Surroundings
    ) -> FollowedShipments {
        let time = surroundings.clock(1)
        let service = ShipmentService(client: client, time: time, minimumInterval: Pace.minimumSeconds(for: connection.endpoint))
        let keeper = look.isReadOnly ? nil : shipmentKeeper(in: surroundings)
        let followed = FollowedShipments(
            shipments, of: service, options: ShipmentModelOptions(autoRefreshTimeInterval: pace.seconds), keeper: keeper
        ) { models, hooks, repeater in
            await tell(models, keeper, hooks, repeater, in: surroundings)
        }
        if let tape { followed.record(on: tape, now: time.now()) }
        return followed
    }

    @MainActor
    private func tell(
        _ models: [ShipmentModel], _ keeper: ShipmentKeeper?, _ hooks: HookFeed?, _ repeater: StateRepeater?, in surroundings: Surroundings
    ) async -> Int32 {
        let settings = ShipmentLines.Settings(
            style: output.lineStyle(in: surroundings),
            plain: output.plainOptions(tripCount: names.count + shipments.count, in: surroundings),
            keepsTrying: keepsTrying, server: connection.endpoint.description)
        return await ShipmentLines(
            models: models, time: surroundings.clock(1), settings: settings, streams: surroundings.streams, keeper: keeper, hooks: hooks,
            repeater: repeater
        ).run()
    }

    @MainActor
    private func shipmentKeeper(in surroundings: Surroundings) -> ShipmentKeeper? {
        surroundings.stateFile.map {
            let server = KnownTrip.Server(connection.endpoint, providerURL: providerURL, in: surroundings)
            return ShipmentKeeper(file: $0, server: server, time: surroundings.clock(1))
        }
    }
}
