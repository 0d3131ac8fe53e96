import ArgumentParser
import ProgramSurroundings
import TripWatchRuntime
import TripWatchWords

struct ExportCommand: ProgramCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Write a recorded ride as GPX or GeoJSON.",
        discussion: """
            To standard output: the car's positions as they came, with their times, and the trip's own stops. FILE is what replay plays.
            """)

    @Argument(help: "The recording.", completion: .file(extensions: ["trip", "json", "jsonl", "ndjson"]))
    var file: String

    @Flag(help: "GPX 1.1.")
    var gpx = false

    @Flag(name: .customLong("geojson"), help: "GeoJSON, which map --overlay shows.")
    var geoJSON = false

    @Option(help: ArgumentHelp("Which trip, when the recording has several: its name or id.", valueName: "id"))
    var trip: String?

    @OptionGroup var log: LogOptions

    func validate() throws {
        guard gpx != geoJSON else { throw ValidationError("say --gpx or --geojson.") }
    }

    func perform(in surroundings: Surroundings) async throws -> ProgramEnd {
        try await ExportRun(file: file, trip: trip, format: gpx ? .gpx : .geoJSON).perform(in: surroundings)
    }
}
