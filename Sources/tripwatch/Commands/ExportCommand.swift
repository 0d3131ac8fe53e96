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

    @OptionGroup(title: HelpSection.common) var form: ExportOptions
    @OptionGroup(title: HelpSection.common) var log: LogOptions

    func perform(in surroundings: Surroundings) async throws -> ProgramEnd {
        try await ExportRun(file: file, trip: form.trip, format: form.gpx ? .gpx : .geoJSON).perform(in: surroundings)
    }
}
