public import ArgumentParser
import FoundationEssentials
import Geo
import TileSources
public import TripWatchApp
import VectorTiles

extension Configuration.BaseMap: ExpressibleByArgument {
    public init?(argument: String) {
        switch argument {
        case "": return nil
        case "none": self = .none
        case "demo": self = .demo
        default: self = .file(argument)
        }
    }
}

struct BaseMapOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The map under the route: none, demo, or an MBTiles, PMTiles or MVT file.", valueName: "map"))
    var basemap: Configuration.BaseMap?

    @Option(help: ArgumentHelp("Names on the map in this language first, such as de; may be given several times.", valueName: "code"))
    var language: [String] = []

    func validate() throws {
        for code in language where !Configuration.isLanguage(code) {
            throw ValidationError("--language takes codes such as de, en or zh-Hant, not '\(Terminal.printable(code))'.")
        }
    }

    mutating func complete(from configuration: Configuration) {
        basemap = basemap ?? configuration.baseMap
        if language.isEmpty { language = configuration.languages ?? [] }
    }

    /// The base map that was asked for. Files are opened here, so that a broken one is told before a screen is up.
    ///
    /// - Parameters:
    ///   - standard: what is shown where nothing was asked for.
    ///   - town: the demo town where one is being made already.
    func open(standard: Configuration.BaseMap, town: TownInTheMaking? = nil) throws -> BaseMapSupply {
        switch basemap ?? standard {
        case .none: return BaseMapSupply()
        case .demo:
            return BaseMapSupply(tiles: (town ?? TownInTheMaking()).tiles)
        case .file(let path):
            do throws(BaseMapFileError) {
                let file = try BaseMapFile(path: path, languages: languages)
                return BaseMapSupply(tiles: { file }, details: file.details)
            } catch {
                throw Failure(message: "\(error)", exitCode: ExitCodes.failed).end()
            }
        }
    }

    /// As asked for, else that of the locale.
    private var languages: [String] {
        guard language.isEmpty else { return language }
        return LocalText.language.code.map { Configuration.isLanguage($0) ? [$0] : [] } ?? []
    }
}

/// A base map as it is handed to a screen.
struct BaseMapSupply: Sendable {
    /// Nil for none. It may take its time.
    var tiles: (@Sendable () async -> any TileSource)?
    /// What a file says of itself.
    var details: TileSourceDetails?
}
