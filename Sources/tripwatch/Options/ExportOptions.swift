import ArgumentParser

/// Options for the format of an exported ride.
struct ExportOptions: ParsableArguments {
    @Flag(help: "Write GPX 1.1.")
    var gpx = false

    @Flag(name: .customLong("geojson"), help: "Write GeoJSON, which 'map --overlay' can show.")
    var geoJSON = false

    @Option(help: ArgumentHelp("Name or id of the trip, if the file has several.", valueName: "id"))
    var trip: String?

    func validate() throws {
        guard gpx != geoJSON else { throw ValidationError("give either --gpx or --geojson.") }
    }
}
