import ArgumentParser
import TripWatchOperations
import TripWatchSettings

extension RouterSettings.Choice: ExpressibleByArgument {
    public init?(argument: String) { self.init(argument) }

    public static var allValueStrings: [String] { words }
}

struct RouterOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Source of routes: map, osrm:URL, valhalla:URL, straight or demo.",
            valueName: "router"), completion: .list(["map", "straight", "demo"]))
    var router: RouterSettings.Choice?

    @Option(help: ArgumentHelp("Map with the roads: 'town', or an MBTiles, PMTiles or MVT file.", valueName: "map"), completion: .file())
    var basemap: Configuration.BaseMap?

    mutating func complete(from configuration: Configuration) { basemap = basemap ?? configuration.baseMap }

    /// Returns the settings of the chosen router.
    /// - Parameter caFile: a file with CA certificates in PEM, in addition to the system's.
    /// - Throws: `ValidationError` if the options do not describe a usable router.
    func settings(caFile: String? = nil) throws -> RouterSettings {
        let settings = RouterSettings(choice: router, map: basemap, caFile: caFile)
        if let fault = settings.fault { throw ValidationError(fault) }
        return settings
    }
}
