import ProgramSurroundings
import TripWatchSettings
import TripWatchWords

/// What is done with the answer to the question for OpenStreetMap's streets.
struct MapQuestion: Sendable {
    /// Makes the map, of which nothing is fetched before.
    let open: @Sendable () throws(Failure) -> BaseMapSupply
    /// Remembers the answer.
    let remember: @Sendable (_ word: String) throws(Failure) -> Void
}

extension ScreenSettings {
    /// Nil where nobody is asked: the user has said which map, or wants nothing changed or asked.
    func mapQuestion(in surroundings: Surroundings) -> MapQuestion? {
        guard map.map == nil, !isReadOnly, !map.isOffline else { return nil }
        return MapQuestion(
            open: { () throws(Failure) in
                var settings = map
                settings.map = .osm
                return try settings.open(standard: .osm, in: surroundings)
            },
            remember: { word throws(Failure) in
                guard let file = surroundings.configurationFile else {
                    throw Failure(message: "there is no place for a configuration file: set HOME.", exitCode: ExitCodes.failed)
                }
                try file.set("basemap", to: word)
            })
    }
}
