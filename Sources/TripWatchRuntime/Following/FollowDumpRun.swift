import ConsumerMap
package import FleetEngine
import FleetEngineGRPC
import FoundationEssentials
import Geo
import JourneySharing
package import ProgramSurroundings
import TerminalCanvas
import TerminalMap
import TripWatchScreen
import TripWatchSettings
import TripWatchWords
import VectorTiles

/// Prints one frame of a trip, as the screen would show it after the first answer.
package struct FollowDumpRun: Sendable {
    /// The maximum time to wait for the first answer, in seconds.
    private static let patienceSeconds = 15.0

    package let name: TripName
    package var connection: Connection
    package var output: OutputSettings
    package var look: ScreenSettings
    package var dump: DumpSettings

    package init(name: TripName, connection: Connection, output: OutputSettings, look: ScreenSettings, dump: DumpSettings) {
        self.name = name
        self.connection = connection
        self.output = output
        self.look = look
        self.dump = dump
    }

    package func perform(in surroundings: Surroundings) async throws -> ProgramEnd {
        let ground = try look.overlay.open(in: surroundings)
        let map = try look.map.open(standard: .none, in: surroundings)
        let (trip, vehicle) = try await ClientSession.run(connection, in: surroundings, tokenSeconds: ClientSession.tokenSeconds) {
            client in
            try await ClientSession.tripAndVehicle(
                name, client: client, at: connection.endpoint.description, in: surroundings, within: Self.patienceSeconds, isPatient: true)
        }
        await show(trip, vehicle, map: map, ground, in: surroundings)
        return .code(trip.status == .canceled ? ExitCodes.tripCanceled : ExitCodes.success)
    }

    @MainActor
    private func show(
        _ trip: Trip, _ vehicle: Vehicle?, map: BaseMapSupply, _ ground: GroundOverlay?, in surroundings: Surroundings
    ) async {
        let frame = FrameDump(dump, look: look, in: surroundings)
        var options = frame.options(look, map: map, ground, in: surroundings)
        options.measurementSystem = output.measurementSystem(in: surroundings)
        options.endpoint = connection.endpoint.description
        options.mapBounds = map.details?.bounds
        options.isMapAlone = frame.isPicture
        let now = surroundings.clock(1).now()
        var journey = JourneyTracker(tripName: name, fallbackKind: look.app.tripKind)
        journey.arrivalShownElsewhere = surroundings.stateFile?.arrivalsShown(now: now)[name]
        let update = TripUpdate(name: name, time: now, kind: .trip(trip, changed: TripPropertyFields(from: nil, to: trip)))
        journey.observe(update)
        journey.advance(to: now)
        var state = AppState(trips: [name], options: options, size: frame.size, now: now)
        _ = state.update(.trip(update, journey))
        if let vehicle { _ = state.update(.vehicle(vehicle, for: name)) }
        let effects = await frame.furnish(&state, from: map, in: surroundings)
        await nameStreets(effects, &state, map)
        _ = state.update(.tick(now, journey))
        frame.print(state)
    }

    /// Adds the street names at the stops to the state of the screen. The names come from a local map.
    @MainActor
    private func nameStreets(_ effects: [AppEffect], _ state: inout AppState, _ map: BaseMapSupply) async {
        guard let source = map.tiles, map.host == nil else { return }
        for case .findStreets(let places) in effects {
            var found: [Coordinate: String] = [:]
            for place in places { found[place] = await source.streetName(near: place) }
            _ = state.update(.streets(found))
        }
    }
}
