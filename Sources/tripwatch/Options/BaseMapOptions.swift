import ArgumentParser
import ProgramSurroundings
import TripWatchRuntime
package import TripWatchSettings

extension Configuration.BaseMap: ExpressibleByArgument {
    package init?(argument: String) {
        switch argument {
        case "": return nil
        case "none": self = .none
        // `demo` is the former name of the town.
        case "town", "demo": self = .town
        case "osm": self = .osm
        default: self.init(place: argument)
        }
    }
}

struct BaseMapOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Base map: none, town, osm, a map file or a tile address.", valueName: "map"), completion: .file())
    var basemap: Configuration.BaseMap?

    @Option(help: ArgumentHelp("Preferred language of map names, such as de; may be repeated.", valueName: "code"))
    var language: [String] = []

    @Flag(help: "Use only cached map tiles, and no map server.")
    var offline = false

    @Option(help: ArgumentHelp("Maximum size of the map tile cache. (default: 256)", valueName: "MB"))
    var cacheSize: Int?

    /// Whether the map comes from the configuration; false if a flag sets it.
    var isConfigured = false

    /// Path of a file with CA certificates. Its flag is in another group, so the command sets this property.
    var ca: String?

    func validate() throws {
        if let cacheSize, !Configuration.cacheMegabytes.contains(cacheSize) {
            throw ValidationError("--cache-size takes a number of megabytes from 1 to 1048576.")
        }
        for code in language where !Configuration.isLanguage(code) {
            throw ValidationError("--language takes codes such as de, en or zh-Hant, not '\(printable(code))'.")
        }
    }

    mutating func complete(from configuration: Configuration) {
        isConfigured = basemap == nil && configuration.baseMap != nil
        basemap = basemap ?? configuration.baseMap
        cacheSize = cacheSize ?? configuration.cacheMegabytes
        if case .tls(let certificates) = configuration.security { ca = ca ?? certificates }
        if language.isEmpty { language = configuration.languages ?? [] }
    }

    var settings: BaseMapSettings {
        var settings = BaseMapSettings(map: basemap, languages: language, userAgent: "tripwatch/\(Version.text)", caFile: ca)
        (settings.isOffline, settings.cacheMegabytes) = (offline, cacheSize)
        settings.isConfigured = isConfigured
        return settings
    }
}
