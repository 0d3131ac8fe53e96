import ArgumentParser
import FleetEngine
import FoundationEssentials
import JourneySharing
import TripRecording
import TripWatchApp

struct ReplayCommand: ConfigurableCommand {
    static let configuration = CommandConfiguration(
        commandName: "replay", abstract: "Play recorded Fleet Engine traffic as if it happened now.",
        discussion: """
            FILE is an exported log of Fleet Engine calls: {"rawLogs":[…]}, an array of log entries, or one entry a line. Every recorded \
            change is told, at any speed, with the time at which it was recorded.
            """)

    @Argument(help: "The recording.")
    var file: String

    @Option(help: ArgumentHelp("Recorded seconds in one real second, 0.01 to 1000000.", valueName: "n"))
    var speed = 1.0

    @Option(help: ArgumentHelp("Which trip, when the recording has several: its name or id.", valueName: "id"))
    var trip: String?

    @OptionGroup var settings: ConfigurationOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard output.output != .screen else { throw ValidationError("a recording is told in lines so far: use --output plain or json.") }
        guard PlaybackTimeSource.speeds.contains(speed) else { throw ValidationError("--speed is a number from 0.01 to 1000000.") }
    }

    mutating func complete(from configuration: Configuration) {
        output.complete(from: configuration)
    }

    func perform() async throws {
        let recorded = try Self.read(file, trip: trip)
        if !recorded.isFinished { Terminal.say("tripwatch: the recording stops before the trip's end.") }
        let code = await play(recorded)
        throw ArgumentParser.ExitCode(code)
    }

    private static func read(_ file: String, trip: String?) throws -> RecordedTrip {
        let data: Data
        do {
            data = try Data(contentsOf: URL(filePath: file), options: .mappedIfSafe)
        } catch {
            throw Failure(message: "\(Terminal.printable(file)) cannot be read: is it there, and is it a file?", exitCode: ExitCodes.failed)
                .end()
        }
        do throws(TripRecordingError) {
            return try FleetEngineLog(data).recordedTrip(matching: trip)
        } catch {
            throw Failure(message: "\(Terminal.printable(file)): \(error)", exitCode: ExitCodes.failed).end()
        }
    }

    @MainActor
    private func play(_ recorded: RecordedTrip) async -> Int32 {
        let playback = PlaybackTimeSource(recorded, speed: speed)
        let service = TripService(client: RecordedTripClient(playback), time: playback)
        let model = service.tripModel(for: recorded.name)
        let settings = TripTeller.Settings(
            style: output.lineStyle, framesPerSecond: output.drawn, plain: output.plainOptions(tripCount: 1),
            keepsTrying: false,
            isRecording: true, endsAt: recorded.isFinished ? nil : recorded.end)
        return await TripTeller(model: model, time: playback, settings: settings).run()
    }
}
