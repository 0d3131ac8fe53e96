import ArgumentParser
import TripWatchRuntime

/// How trips of some server are followed: what `follow` and `book --follow` have in common, besides groups that other commands have too.
struct FollowOptions: ParsableArguments {
    @Flag(help: "Wait on where something needs you, instead of ending.")
    var keepTrying = false

    @Flag(help: "While no car is assigned, show free ones near the pickup, if the sign-in may see them.")
    var nearby = false

    @Option(help: ArgumentHelp("Write the ride into a new file, to be played by replay: one trip.", valueName: "file"))
    var record: String?

    /// The run with what these options and the hooks say.
    func completed(_ run: FollowRun, hooks: HookSettings?) -> FollowRun {
        var run = run
        run.keepsTrying = keepTrying
        run.record = record
        run.showsNearby = nearby
        run.hooks = hooks
        return run
    }
}
