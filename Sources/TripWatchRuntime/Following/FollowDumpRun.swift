import ConsumerMap
package import FleetEngine
import FleetEngineGRPC
import FoundationEssentials
import Geo
import JourneySharing
import TerminalCanvas
import TerminalMap
import TripWatchApp
import VectorTiles

/// One frame of a trip, as the screen would show it after the first answer.
package struct FollowDumpRun: Sendable {
    package let name: TripName
    package var connection: Connection
    package var output: OutputSettings
    package var look: ScreenSettings
    package var dump: DumpSettings

    package init(name: TripName, connection: Connection, output: OutputSettings, look: ScreenSettings, dump: DumpSettings) {
        (self.name, self.connection, self.output, self.look, self.dump) = (name, connection, output, look, dump)
    }

    package func perform(in surroundings: Surroundings) async throws -> ProgramEnd {
        let ground = try look.overlay.open(in: surroundings)
        let map = try look.map.open(standard: .none, in: surroundings)
        let (trip, vehicle) = try await OneShot.run(connection, in: surroundings, tokenSeconds: OneShot.tokenSeconds) { client in
            try await OneShot.tripAndVehicle(name, client: client, in: surroundings)
        }
        await show(trip, vehicle, map: map, ground, in: surroundings)
        return .code(trip.status == .canceled ? ExitCodes.tripCanceled : ExitCodes.success)
    }

    @MainActor
    private func show(
        _ trip: Trip, _ vehicle: Vehicle?, map: BaseMapSupply, _ ground: GroundOverlay?, in surroundings: Surroundings
    ) async {
        let frame = FrameDump(dump, look: look, in: surroundings)
        var options = look.appOptions(in: surroundings)
        options.colorDepth = frame.depth
        options.painters = [frame.painter]
        options.measurementSystem = output.measurementSystem(in: surroundings)
        options.theme = frame.themes.theme
        options.endpoint = connection.endpoint.description
        (options.mapBounds, options.mapHost) = (map.details?.bounds, map.host)
        options.ground = ground
        options.isMapAlone = frame.isPicture
        let now = surroundings.clock(1).now()
        var journey = JourneyTracker(tripName: name)
        let update = TripUpdate(name: name, time: now, kind: .trip(trip, changed: TripPropertyFields(from: nil, to: trip)))
        journey.observe(update)
        journey.advance(to: now)
        var state = AppState(trips: [name], options: options, size: frame.size, now: now)
        _ = state.update(.trip(update, journey))
        if let vehicle { _ = state.update(.vehicle(vehicle, for: name)) }
        await furnish(&state, from: map, in: surroundings)
        _ = state.update(.tick(now, journey))
        frame.print(state)
    }

    /// What of the base map is in view, or comes in time, and what a map of this machine calls the streets at stops.
    @MainActor
    private func furnish(_ state: inout AppState, from map: BaseMapSupply, in surroundings: Surroundings) async {
        guard let source = map.tiles else { return }
        let tiles = MapFrameTiles(map, camera: state.map.camera, surroundings: surroundings)
        await tiles.load()
        let effects = state.update(.baseMap(tiles.base))
        if tiles.note != nil, let trouble = tiles.trouble { _ = state.update(.mapTrouble(trouble)) }
        guard map.host == nil else { return }
        for case .findStreets(let places) in effects {
            var found: [Coordinate: String] = [:]
            for place in places { found[place] = await source.streetName(near: place) }
            _ = state.update(.streets(found))
        }
    }
}
