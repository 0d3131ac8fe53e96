import ArgumentParser
import TripWatchRuntime

/// How trips of some server are followed: what `follow` and `book --follow` have in common, besides groups that other commands have too.
struct FollowOptions: ParsableArguments {
    @Flag(help: "Keep running after errors that need action.")
    var keepTrying = false

    @Flag(help: "Show free cars near the pickup until one is assigned.")
    var nearby = false

    @Option(help: ArgumentHelp("Write the ride of one trip to a new file.", valueName: "file"))
    var record: String?

    /// The run with what these options, those of the screen and the hooks say.
    func completed(_ run: FollowRun, _ screen: ScreenOptions, hooks: HookSettings?) -> FollowRun {
        var run = run
        run.keepsTrying = keepTrying
        run.record = record
        run.showsNearby = nearby
        run.sharing = screen.sharing.value
        run.hooks = hooks
        return run
    }
}
