import ArgumentParser
import ProgramSurroundings
import TripWatchOperations
import TripWatchSettings

struct DemoCommand: ConfigurableCommand {
    static let asksServer = false

    static let configuration = CommandConfiguration(
        commandName: "demo", abstract: "Watch a simulated ride through an invented town.",
        discussion: """
            A Fleet Engine, a provider, a driver and your screen run in this process. They use real connections; --grpc-port lets \
            another program connect. q ends the demo.
            """)

    @OptionGroup(title: HelpSection.common) var ride: DemoOptions
    @OptionGroup(title: HelpSection.common) var output: OutputOptions
    @OptionGroup(title: HelpSection.common) var settings: ConfigurationOptions
    @OptionGroup(title: HelpSection.common) var log: LogOptions
    @OptionGroup(title: HelpSection.map) var look: LookOptions
    @OptionGroup(title: HelpSection.map) var map: BaseMapOptions
    @OptionGroup(title: HelpSection.map) var screen: ScreenOptions

    mutating func complete(from configuration: Configuration, in surroundings: Surroundings) {
        // The town is invented, so the configured map and the configured position of the user are not used.
        output.complete(from: configuration)
        look.complete(from: configuration, in: surroundings)
        screen.keptRides = configuration.keepRides ?? screen.keptRides
    }

    func perform(in surroundings: Surroundings) async throws -> ProgramEnd {
        var run = DemoRun(
            speed: ride.speed, rideNumber: ride.seed, grpcPort: ride.grpcPort, output: output.settings, look: screen.settings(look, map),
            version: Version.text)
        run.record = ride.record
        run.subject = ride.parcel ? .parcel : ride.order ? .order : .ride
        return try await run.perform(in: surroundings)
    }
}
