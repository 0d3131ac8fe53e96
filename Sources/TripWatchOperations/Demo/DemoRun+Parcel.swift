import FleetEngine
import FleetEngineGRPC
import JourneySharing
import LocalFleetEngine
import ProgramSurroundings
import TripRecording
import TripWatchRuntime
import TripWatchWords

extension DemoRun {
    /// Drives the van and shows the parcel that is delivered at its last stop.
    func playParcel(on stage: Stage, _ engine: LocalFleetEngine, at endpoint: ServerEndpoint) async throws -> ProgramEnd {
        let parcel = try DemoParcel(stage.ride, in: stage.rides, now: stage.time.now())
        let tape = stage.file.map { ShipmentTape(of: parcel.tracking, to: $0) }
        return try await withFleetEngineClient(
            endpoint: endpoint, identity: ClientIdentity(role: .driver, version: version), tokens: nil,
            onCall: stage.surroundings.log.callReporter
        ) { driverClient in
            let van = try await DemoVan(client: driverClient, router: stage.router, parcel: parcel, time: stage.time)
            // Without this wait, the first answers would have straight lines instead of the routes between the stops.
            await engine.waysSettled()
            return try await withFleetEngineClient(
                endpoint: endpoint, identity: ClientIdentity(role: .consumer, version: version), tokens: nil,
                onCall: stage.surroundings.log.callReporter, onAnswer: tape?.onAnswer
            ) { client in
                try await follow(parcel, of: van, tape, on: stage, at: endpoint, client: client)
            }
        }
    }

    @MainActor
    private func follow(
        _ parcel: DemoParcel, of van: DemoVan, _ tape: ShipmentTape?, on stage: Stage, at endpoint: ServerEndpoint,
        client: LiveFleetEngineClient
    ) async throws -> ProgramEnd {
        let driving = Task { await van.drive() }
        defer { driving.cancel() }
        var follower = TripFollower(
            names: [], client: client, time: stage.time, speed: speed, interval: PollMachine.Configuration.standardInterval,
            output: output, look: look, surroundings: stage.surroundings)
        follower.add(parcel.tracking, asking: client, at: endpoint.description, tape: tape)
        follower.map = stage.map
        follower.prepare = { options in
            options.mode = .demo
            options.endpoint = endpoint.description
            options.title = options.title ?? "Parcel to \(parcel.placeName)"
        }
        return try await follower.run()
    }
}
