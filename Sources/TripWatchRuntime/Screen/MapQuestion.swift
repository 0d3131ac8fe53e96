package import ProgramSurroundings
import TripWatchSettings
import TripWatchWords

/// The actions for the question whether to load OpenStreetMap.
package struct MapQuestion: Sendable {
    /// Creates the map. Nothing is downloaded before this call.
    let open: @Sendable () throws(Failure) -> BaseMapSupply
    /// Saves the user's answer.
    let remember: @Sendable (_ word: String) throws(Failure) -> Void
}

extension ScreenSettings {
    /// Returns the actions for the question whether to load OpenStreetMap. Returns nil if the user must not be asked: a map is
    /// chosen, the screen is read-only, or the program is offline.
    package func mapQuestion(in surroundings: Surroundings) -> MapQuestion? {
        guard map.map == nil, !isReadOnly, !map.isOffline else { return nil }
        return MapQuestion(
            open: { () throws(Failure) in
                var settings = map
                settings.map = .osm
                return try settings.open(standard: .osm, in: surroundings)
            },
            remember: { word throws(Failure) in
                guard let file = surroundings.configurationFile else {
                    throw Failure(
                        message: "the folder of the configuration file is unknown, because HOME is not set: set HOME.",
                        exitCode: ExitCodes.failed)
                }
                try file.set("basemap", to: word)
            })
    }
}
