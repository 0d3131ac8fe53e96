import ConsumerMap
import ProgramSurroundings
import TerminalMap
import TripWatchScreen

extension FrameDump {
    /// The options of a screen of which this frame is all that is seen.
    func options(_ look: ScreenSettings, map: BaseMapSupply, _ ground: GroundOverlay?, in surroundings: Surroundings) -> AppOptions {
        var options = look.appOptions(in: surroundings)
        options.colorDepth = depth
        options.painters = [painter]
        options.theme = themes.theme
        options.ground = ground
        options.mapHost = map.host
        return options
    }

    /// Puts under a screen what of the base map is in view, or comes in time.
    /// - Returns: what the screen wants done for it.
    func furnish(_ state: inout AppState, from map: BaseMapSupply, in surroundings: Surroundings) async -> [AppEffect] {
        guard map.tiles != nil else { return [] }
        let tiles = MapFrameTiles(map, camera: state.map.camera, surroundings: surroundings)
        await tiles.load()
        tiles.tellTrouble()
        let effects = state.update(.baseMap(tiles.base))
        if tiles.note != nil, let trouble = tiles.trouble { _ = state.update(.mapTrouble(trouble)) }
        return effects
    }
}
