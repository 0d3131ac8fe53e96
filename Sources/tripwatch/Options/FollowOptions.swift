import ArgumentParser
import FleetEngine
import FoundationEssentials
import TripWatchApp
import TripWatchRuntime

/// How trips of some server are followed: what `follow` and `book --follow` have in common.
struct FollowOptions: ParsableArguments {
    @OptionGroup var output: OutputOptions
    @OptionGroup var look: ScreenOptions

    @OptionGroup var ground: OverlayOptions

    @OptionGroup var pace: PaceOptions
    @OptionGroup var hooks: HookOptions

    @Flag(help: "Wait on where something needs you, instead of ending.")
    var keepTrying = false

    @Flag(help: "While no car is assigned, show free ones near the pickup, if the sign-in may see them.")
    var nearby = false

    @Option(help: ArgumentHelp("Write the ride into a new file, to be played by replay: one trip.", valueName: "file"))
    var record: String?

    mutating func complete(from configuration: Configuration, in surroundings: Surroundings) {
        output.complete(from: configuration)
        look.complete(from: configuration, in: surroundings)
        pace.complete(from: configuration)
        hooks.complete(from: configuration)
    }

    /// How the screen, or a frame of it, looks, with a map that trusts whom the connection trusts.
    func lookSettings(_ connection: ConnectionOptions) -> ScreenSettings {
        var settings = look.settings
        settings.overlay = ground.settings
        settings.map.caFile = connection.ca ?? settings.map.caFile
        return settings
    }

    /// - Parameter bookedAt: when we booked the trip ourselves.
    func run(
        _ names: [TripName], connection: ConnectionOptions, provider: ProviderOptions, bookedAt: Date? = nil, in surroundings: Surroundings
    ) throws -> FollowRun {
        guard record == nil || names.count == 1 else {
            throw Failure(message: "--record goes with one trip.", exitCode: ExitCodes.usage)
        }
        var run = FollowRun(
            names: names, connection: try connection.connection(), provider: try provider.client(caFile: connection.ca, in: surroundings),
            output: output.settings, look: lookSettings(connection), pace: pace.pace, keepsTrying: keepTrying, bookedAt: bookedAt)
        run.record = record
        run.showsNearby = nearby
        run.hooks = try hooks.settings(connection)
        return run
    }
}
