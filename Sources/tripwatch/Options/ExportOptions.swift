import ArgumentParser

/// In which form a ride is written.
struct ExportOptions: ParsableArguments {
    @Flag(help: "GPX 1.1.")
    var gpx = false

    @Flag(name: .customLong("geojson"), help: "GeoJSON, which map --overlay shows.")
    var geoJSON = false

    @Option(help: ArgumentHelp("Name or id of the trip in a recording of several.", valueName: "id"))
    var trip: String?

    func validate() throws {
        guard gpx != geoJSON else { throw ValidationError("say --gpx or --geojson.") }
    }
}
