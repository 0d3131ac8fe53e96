import ArgumentParser
import ProgramSurroundings
import TripWatchRuntime
import TripWatchWords

struct ExportCommand: ProgramCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Convert a recorded ride to GPX or GeoJSON.",
        discussion: """
            Prints the car's recorded positions with their times, and the trip's own stops, to standard output. FILE is any ride that \
            'replay' plays; a recorded shipment is refused.
            """)

    @Argument(help: "The recording.", completion: .file(extensions: ["trip", "json", "jsonl", "ndjson"]))
    var file: String

    @OptionGroup(title: HelpSection.common) var form: ExportOptions
    @OptionGroup(title: HelpSection.common) var log: LogOptions

    func perform(in surroundings: Surroundings) async throws -> ProgramEnd {
        try await ExportRun(file: file, trip: form.trip, format: form.gpx ? .gpx : .geoJSON).perform(in: surroundings)
    }
}
