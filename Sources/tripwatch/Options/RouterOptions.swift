import ArgumentParser
import TripWatchApp
import TripWatchRuntime

extension RouterSettings.Choice: ExpressibleByArgument {}

struct RouterOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Where ways come from: map (the roads of --basemap), straight, or demo (the invented town). A map's roads where there is a map.",
            valueName: "router"))
    var router: RouterSettings.Choice?

    @Option(help: ArgumentHelp("The map whose roads are driven: an MBTiles, PMTiles or MVT file, or town.", valueName: "map"))
    var basemap: Configuration.BaseMap?

    mutating func complete(from configuration: Configuration) { basemap = basemap ?? configuration.baseMap }

    /// - Throws: `ValidationError` where the map's roads are asked for and there is no map.
    func settings() throws -> RouterSettings {
        let settings = RouterSettings(choice: router, map: basemap)
        guard !settings.lacksMap else { throw ValidationError("--router map needs a map: name its file with --basemap.") }
        return settings
    }
}
