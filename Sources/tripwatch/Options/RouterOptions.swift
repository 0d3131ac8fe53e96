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
            "Where ways come from: map (the roads of --basemap), osrm:URL or valhalla:URL (a server of these), straight, or demo (the invented town). A map's roads where there is a map.",
            valueName: "router"), completion: .list(["map", "straight", "demo"]))
    var router: RouterSettings.Choice?

    @Option(help: ArgumentHelp("The map whose roads are driven: an MBTiles, PMTiles or MVT file, or town.", valueName: "map"))
    var basemap: Configuration.BaseMap?

    mutating func complete(from configuration: Configuration) { basemap = basemap ?? configuration.baseMap }

    /// - Parameter caFile: certificates in PEM that are trusted besides the system's.
    /// - Throws: `ValidationError` for a choice that cannot be taken.
    func settings(caFile: String? = nil) throws -> RouterSettings {
        let settings = RouterSettings(choice: router, map: basemap, caFile: caFile)
        if let fault = settings.fault { throw ValidationError(fault) }
        return settings
    }
}
