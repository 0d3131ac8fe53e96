import ArgumentParser
import TripWatchRuntime

/// Options for files that are shown on top of the base map.
struct OverlayOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Show a GeoJSON or GPX file on the map; may be repeated.", valueName: "file"), completion: .file())
    var overlay: [String] = []

    var settings: OverlaySettings { OverlaySettings(paths: overlay) }
}
