package import ProgramSurroundings
import TripWatchSettings
import TripWatchWords

/// Actions for the answer to the question about OpenStreetMap.
package struct MapQuestion: Sendable {
    /// Creates the map; nothing is downloaded before.
    let open: @Sendable () throws(Failure) -> BaseMapSupply
    /// Saves the answer.
    let remember: @Sendable (_ word: String) throws(Failure) -> Void
}

extension ScreenSettings {
    /// The question about OpenStreetMap. Nil if the user is not asked: a map is chosen, the screen is read-only, or the program is offline.
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
