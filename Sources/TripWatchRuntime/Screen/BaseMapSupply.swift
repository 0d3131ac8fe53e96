package import OnlineTiles
package import ProgramSurroundings
package import TileSources
package import TripWatchSettings
import TripWatchWords
package import VectorTiles

/// The base map of a screen.
package struct BaseMapSupply: Sendable {
    /// The source of the map's tiles; nil if there is no map.
    package var tiles: (any TileSource)?
    /// The metadata of the map file; nil if the map is not a file.
    package var details: TileSourceDetails?
    /// The host name of the map server; nil for a local map.
    package var host: String?

    package init(tiles: (any TileSource)? = nil, details: TileSourceDetails? = nil, host: String? = nil) {
        self.tiles = tiles
        self.details = details
        self.host = host
    }
}

extension BaseMapSupply {
    init(_ file: BaseMapFile) { self.init(tiles: file, details: file.details) }
}

extension BaseMapFile {
    /// Opens a map file.
    /// - Throws: `Failure` for a file that is not a map.
    package static func open(_ path: String, languages: [String] = []) throws(Failure) -> BaseMapFile {
        try opened { () throws(BaseMapFileError) in try BaseMapFile(path: path, languages: languages) }
    }

    /// Opens the map of the invented town.
    package static func openTown(languages: [String] = []) throws(Failure) -> BaseMapFile {
        try opened { () throws(BaseMapFileError) in try town(languages: languages) }
    }

    private static func opened(_ open: () throws(BaseMapFileError) -> BaseMapFile) throws(Failure) -> BaseMapFile {
        do throws(BaseMapFileError) {
            return try open()
        } catch {
            throw Failure(message: "\(error)", exitCode: ExitCodes.failed)
        }
    }
}

extension BaseMapSettings {
    /// Opens the requested base map. Files are opened now, so that a damaged file is reported before the screen opens. Servers are
    /// contacted later.
    ///
    /// - Parameter standard: the map to show if the user has not chosen a map.
    /// - Throws: `Failure` for a file that is not a map, and for an invalid address. An error in a map from the configuration is not thrown
    ///   but printed, and the standard map is used.
    package func open(standard: Configuration.BaseMap, in surroundings: Surroundings) throws(Failure) -> BaseMapSupply {
        guard isConfigured, let map else { return try open(map ?? standard, in: surroundings) }
        do throws(Failure) {
            return try open(map, in: surroundings)
        } catch {
            surroundings.streams.say(
                "tripwatch: configuration: basemap is ignored: \(error.message) Use 'none', 'town', 'osm', a file or an address.")
            return try open(standard, in: surroundings)
        }
    }

    private func open(_ map: Configuration.BaseMap, in surroundings: Surroundings) throws(Failure) -> BaseMapSupply {
        switch map {
        case .none: return BaseMapSupply()
        case .town: return BaseMapSupply(try BaseMapFile.openTown(languages: nameLanguages(surroundings)))
        case .file(let path): return BaseMapSupply(try BaseMapFile.open(path, languages: nameLanguages(surroundings)))
        case .osm: return try online(MapAddress.openStreetMap, in: surroundings)
        case .address(let text): return try online(text, in: surroundings)
        }
    }

    private func online(_ text: String, in surroundings: Surroundings) throws(Failure) -> BaseMapSupply {
        try DescriptorLimit.raiseForNetwork()
        do throws(MapAddressError) {
            let address = try MapAddress(text)
            var settings = OnlineSettings(userAgent: userAgent)
            (settings.caFile, settings.languages) = (caFile, nameLanguages(surroundings))
            (settings.store, settings.isOffline) = (tileStore(in: surroundings), isOffline)
            settings.onRequest = surroundings.log.tileReporter
            let source = try OnlineTileSource(address, settings: settings)
            return BaseMapSupply(tiles: source, host: address.host)
        } catch {
            throw Failure(message: "the address of the base map cannot be used: \(error).", exitCode: ExitCodes.failed)
        }
    }

    /// Returns the cache of tiles; nil without a home directory.
    package func tileStore(in surroundings: Surroundings) -> TileStore? {
        CacheFolder.path(environment: surroundings.environment).map {
            TileStore(folder: $0, megabytes: cacheMegabytes ?? TileStore.standardMegabytes)
        }
    }

    /// Returns the languages that the user requested, or else the locale's languages.
    private func nameLanguages(_ surroundings: Surroundings) -> [String] {
        guard languages.isEmpty else { return languages }
        return surroundings.locale.language.code.map { Configuration.isLanguage($0) ? [$0] : [] } ?? []
    }
}
