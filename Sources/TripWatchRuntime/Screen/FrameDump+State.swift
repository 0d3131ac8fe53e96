import ConsumerMap
import ProgramSurroundings
import TerminalMap
import TripWatchScreen
import TripWatchWords

extension FrameDump {
    /// Returns the options of a screen that is printed as a single frame.
    func options(_ look: ScreenSettings, map: BaseMapSupply, _ ground: GroundOverlay?, in surroundings: Surroundings) -> AppOptions {
        var options = look.appOptions(in: surroundings)
        options.colorDepth = depth
        options.painters = [painter]
        options.theme = themes.theme
        options.ground = ground
        options.mapHost = map.host
        return options
    }

    /// Adds the visible tiles of the base map to a screen. Tiles that do not load in time are left out.
    /// - Returns: the effects that the screen requests.
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
