import ArgumentParser
import TripWatchRuntime

/// Options that only `follow` and `book --follow` have.
struct FollowOptions: ParsableArguments {
    @Flag(help: "Keep running after errors that only you can fix.")
    var keepTrying = false

    @Flag(help: "Show free cars near the pickup until one is assigned.")
    var nearby = false

    @Option(help: ArgumentHelp("Record a single trip or shipment in a new file.", valueName: "file"), completion: .file())
    var record: String?

    /// Returns a copy of the run that also has the settings of these options, the screen options and the hooks.
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
