import ArgumentParser
import ProgramSurroundings
import TripRecording
import TripWatchRuntime
import TripWatchSettings

struct ReplayCommand: ConfigurableCommand {
    static let asksServer = false

    static let configuration = CommandConfiguration(
        commandName: "replay", abstract: "Play a recorded ride, or exported Fleet Engine traffic, as if it happened now.",
        discussion: """
            Without FILE it plays the last ride that was followed on a screen here; FILE may be the name of such a ride, or a part of it: \
            'tripwatch list --rides' shows them. Else FILE is a .trip file that follow or demo --record has written, or an exported log of Fleet Engine calls: {"rawLogs":[…]}, an array of \
            log entries, or one entry a line. On a terminal it shows a screen: Space pauses, < and > change the speed, the arrows go 10 s back and \
            on, e goes to the next event. Elsewhere every recorded change is told, at any speed, with the time at which it was recorded.
            """)

    @Argument(
        help: "A recording or the name of a ride (default: the last ride).",
        completion: .file(extensions: ["trip", "json", "jsonl", "ndjson"]))
    var file: String?

    @Option(help: ArgumentHelp("Recorded seconds in one real second, 0.01 to 1000000.", valueName: "n"))
    var speed = 1.0

    @Option(help: ArgumentHelp("Which trip, when the recording has several: its name or id.", valueName: "id"))
    var trip: String?

    @OptionGroup var log: LogOptions
    @OptionGroup var settings: ConfigurationOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup var look: LookOptions
    @OptionGroup var map: BaseMapOptions
    @OptionGroup var screen: ScreenOptions
    @OptionGroup var ground: OverlayOptions

    func validate() throws {
        guard PlaybackTimeSource.speeds.contains(speed) else { throw ValidationError("--speed is a number from 0.01 to 1000000.") }
    }

    mutating func complete(from configuration: Configuration, in surroundings: Surroundings) {
        output.complete(from: configuration)
        look.complete(from: configuration, in: surroundings)
        map.complete(from: configuration)
        screen.complete(from: configuration)
    }

    func perform(in surroundings: Surroundings) async throws -> ProgramEnd {
        var settings = screen.settings(look, map)
        settings.overlay = ground.settings
        let file = try KeptRides(in: surroundings).file(file, in: surroundings)
        return try await ReplayRun(file: file, trip: trip, speed: speed, output: output.settings, look: settings).perform(in: surroundings)
    }
}
