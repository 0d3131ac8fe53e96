import ConsumerMap
import FleetEngine
import Geo
import ProgramSurroundings
import TerminalCanvas
import TerminalMap
import TripWatchScreen
import TripWatchWords

/// Prints one frame of a map with vehicles.
struct FleetFrame: Sendable {
    var dump: DumpSettings
    var look: ScreenSettings
    var fleet: FleetSettings
    /// Whether the frame shows all vehicles, instead of a chosen place.
    var fits: Bool

    /// - Throws: `Failure` with a message.
    @MainActor
    func print(
        center: Coordinate, zoom: Double, client: any FleetClient, map: BaseMapSupply, _ ground: GroundOverlay?,
        in surroundings: Surroundings
    ) async throws {
        let frame = FrameDump(dump, look: look, in: surroundings)
        var options = frame.options(look, map: map, ground, in: surroundings)
        options.mode = .map
        options.showsFleet = true
        options.fitsFleet = fits
        options.isMapAlone = true
        options.center = center
        options.zoom = zoom
        var state = AppState(trips: [], options: options, size: frame.size, now: surroundings.clock(1).now())
        let question = fleet.question(in: fits ? nil : state.window)
        let (vehicles, isComplete) = try await answer(question, from: client, in: surroundings)
        _ = state.update(.tick(surroundings.clock(1).now(), nil))
        _ = state.update(.fleet(.vehicles(vehicles, isComplete: isComplete), for: nil))
        _ = await frame.furnish(&state, from: map, in: surroundings)
        if !isComplete { surroundings.streams.say("tripwatch: only the first \(vehicles.count) vehicles are shown.") }
        frame.print(state)
    }

    /// - Throws: `Failure` with a message.
    @MainActor
    private func answer(
        _ question: FleetWatch.Question, from client: any FleetClient, in surroundings: Surroundings
    ) async throws -> (vehicles: [Vehicle], isComplete: Bool) {
        do {
            return try await ClientSession.asking(in: surroundings) { () async throws(FleetEngineError) in
                try await FleetWatch.answer(question, from: client)
            }
        } catch let error as FleetEngineError {
            throw Failure(message: FleetWords.sentence(error), exitCode: ClientSession.failure(error).exitCode)
        }
    }
}
