import ArgumentParser
import ProgramSurroundings
import TripWatchRuntime
import TripWatchScreen
import TripWatchSettings
import TripWatchWords

struct ReplayCommand: ConfigurableCommand {
    static let asksServer = false
    static let usesNetwork = false

    static let configuration = CommandConfiguration(
        commandName: "replay", abstract: "Play a recorded ride or an exported Fleet Engine log.",
        discussion: """
            On a terminal it shows a screen: press ? for keys. In a pipe it prints lines.
            """)

    @Argument(
        help: ArgumentHelp("Recording, log, or name of a ride (default: last ride)", valueName: "file"),
        completion: .file(extensions: ["trip", "json", "jsonl", "ndjson"]))
    var file: String?

    @OptionGroup(title: HelpSection.common) var playback: PlaybackOptions
    @OptionGroup(title: HelpSection.common) var output: OutputOptions
    @OptionGroup(title: HelpSection.common) var settings: ConfigurationOptions
    @OptionGroup(title: HelpSection.common) var log: LogOptions
    @OptionGroup(title: HelpSection.map) var map: BaseMapOptions
    @OptionGroup(title: HelpSection.map) var look: LookOptions
    @OptionGroup(title: HelpSection.map) var screen: ScreenOptions
    @OptionGroup(title: HelpSection.map) var ground: OverlayOptions
    @OptionGroup(title: HelpSection.advanced) var kind: KindOptions

    func validate() throws {
        guard playback.requests else { return }
        guard output.style != .screen else { throw ValidationError("--requests and --output screen cannot be combined.") }
        guard output.drawn == nil else { throw ValidationError("--requests and --drawn cannot be combined.") }
    }

    mutating func complete(from configuration: Configuration, in surroundings: Surroundings) {
        output.complete(from: configuration)
        look.complete(from: configuration, in: surroundings)
        map.complete(from: configuration)
        screen.complete(from: configuration)
        kind.complete(from: configuration)
    }

    func perform(in surroundings: Surroundings) async throws -> ProgramEnd {
        var settings = screen.settings(look, map)
        settings.overlay = ground.settings
        settings.app.tripKind = kind.kind
        let file = try KeptRides(in: surroundings).file(file, in: surroundings)
        if playback.requests {
            return try await RequestsRun(file: file, trip: playback.trip, output: output.settings).perform(in: surroundings)
        }
        if let shipment = try ReplayShipmentRun(file: file, speed: playback.speed, output: output.settings) {
            return try await shipment.perform(in: surroundings)
        }
        return try await ReplayRun(
            file: file, trip: playback.trip, speed: playback.speed, output: output.settings, look: settings
        ).perform(in: surroundings)
    }
}
