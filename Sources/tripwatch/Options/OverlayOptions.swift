import ArgumentParser
import TripWatchRuntime

/// What is laid over the base map.
struct OverlayOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Lay a GeoJSON or GPX file over the map; may be given several times.", valueName: "file"))
    var overlay: [String] = []

    var settings: OverlaySettings { OverlaySettings(paths: overlay) }
}
