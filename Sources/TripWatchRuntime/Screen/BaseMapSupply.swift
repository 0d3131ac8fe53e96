import TileSources
import TripWatchApp
import VectorTiles

/// A base map as it is handed to a screen.
struct BaseMapSupply: Sendable {
    /// Nil for none. It may take its time.
    var tiles: (@Sendable () async -> any TileSource)?
    /// What a file says of itself.
    var details: TileSourceDetails?
}

extension BaseMapSettings {
    /// The base map that was asked for. Files are opened here, so that a broken one is told before a screen is up.
    ///
    /// - Parameters:
    ///   - standard: what is shown where nothing was asked for.
    ///   - town: the demo town, made only where it is shown.
    /// - Throws: `Failure` for a file that is no map.
    func open(
        standard: Configuration.BaseMap, town: @autoclosure () -> PendingDemoTown = PendingDemoTown(), in surroundings: Surroundings
    ) throws(Failure) -> BaseMapSupply {
        switch map ?? standard {
        case .none: return BaseMapSupply()
        case .demo: return BaseMapSupply(tiles: town().tiles)
        case .file(let path):
            do throws(BaseMapFileError) {
                let file = try BaseMapFile(path: path, languages: nameLanguages(surroundings))
                return BaseMapSupply(tiles: { file }, details: file.details)
            } catch {
                throw Failure(message: "\(error)", exitCode: ExitCodes.failed)
            }
        }
    }

    /// As asked for, else that of the locale.
    private func nameLanguages(_ surroundings: Surroundings) -> [String] {
        guard languages.isEmpty else { return languages }
        return surroundings.locale.language.code.map { Configuration.isLanguage($0) ? [$0] : [] } ?? []
    }
}
