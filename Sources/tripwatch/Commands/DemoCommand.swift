import ArgumentParser
import ProgramSurroundings
import TripWatchRuntime
import TripWatchSettings

struct DemoCommand: ConfigurableCommand {
    static let asksServer = false

    static let configuration = CommandConfiguration(
        commandName: "demo", abstract: "A car comes to you through an invented town.",
        discussion: """
            Everything runs in this process: a Fleet Engine, a provider that books the ride, a driver with a car, and you, following. They \
            talk over real connections on this machine; with --grpc-port another program can look in. q ends it all.
            """)

    @Option(help: ArgumentHelp("Shown seconds in one real second, 0.1 to 1000.", valueName: "n"))
    var speed = 1.0

    @Option(help: ArgumentHelp("Which ride through the town, from 1 on.", valueName: "ride"))
    var seed: UInt64 = 1

    @Option(help: ArgumentHelp("Port of the engine, so that others can look in; 0 takes any free one.", valueName: "port"))
    var grpcPort = 0

    @Option(help: ArgumentHelp("Write the ride into a new file, to be played by replay.", valueName: "file"))
    var record: String?

    @OptionGroup var log: LogOptions
    @OptionGroup var settings: ConfigurationOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup var look: LookOptions
    @OptionGroup var map: BaseMapOptions
    @OptionGroup var screen: ScreenOptions

    func validate() throws {
        guard speed.isFinite, (0.1...1_000).contains(speed) else { throw ValidationError("--speed is a number from 0.1 to 1000.") }
        guard seed > 0 else { throw ValidationError("--seed is a number from 1.") }
        guard (0...65_535).contains(grpcPort) else { throw ValidationError("--grpc-port is a number from 0 to 65535.") }
    }

    mutating func complete(from configuration: Configuration, in surroundings: Surroundings) {
        // The town is a place of its own: neither your map nor your place is in it.
        output.complete(from: configuration)
        look.complete(from: configuration, in: surroundings)
        screen.keptRides = configuration.keepRides ?? screen.keptRides
    }

    func perform(in surroundings: Surroundings) async throws -> ProgramEnd {
        var run = DemoRun(
            speed: speed, rideNumber: seed, grpcPort: grpcPort, output: output.settings, look: screen.settings(look, map),
            version: Version.text)
        run.record = record
        return try await run.perform(in: surroundings)
    }
}
