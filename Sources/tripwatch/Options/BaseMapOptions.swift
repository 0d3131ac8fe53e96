import ArgumentParser
package import TripWatchApp
import TripWatchRuntime

extension Configuration.BaseMap: ExpressibleByArgument {
    package init?(argument: String) {
        switch argument {
        case "": return nil
        case "none": self = .none
        // What the town was called first.
        case "town", "demo": self = .town
        default: self = .file(argument)
        }
    }
}

struct BaseMapOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The map under the route: none, town, or an MBTiles, PMTiles or MVT file.", valueName: "map"))
    var basemap: Configuration.BaseMap?

    @Option(help: ArgumentHelp("Names on the map in this language first, such as de; may be given several times.", valueName: "code"))
    var language: [String] = []

    func validate() throws {
        for code in language where !Configuration.isLanguage(code) {
            throw ValidationError("--language takes codes such as de, en or zh-Hant, not '\(printable(code))'.")
        }
    }

    mutating func complete(from configuration: Configuration) {
        basemap = basemap ?? configuration.baseMap
        if language.isEmpty { language = configuration.languages ?? [] }
    }

    var settings: BaseMapSettings { BaseMapSettings(map: basemap, languages: language) }
}
