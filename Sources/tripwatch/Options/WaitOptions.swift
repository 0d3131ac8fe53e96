import ArgumentParser
import TripWatchWords

/// What `wait` waits for.
struct WaitOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("A time such as 2min, here, pickup, shop, picked-up or complete.", valueName: "what"),
        completion: .list(["here", "pickup", "shop", "picked-up", "complete"]))
    var until: String

    @Flag(help: "Keep waiting after errors that need action.")
    var keepTrying = false

    func validate() throws {
        guard WaitGoal(until) != nil else {
            throw ValidationError(
                "--until takes a time such as 90s, 2min or 1h (at most 24h), or here, pickup, complete; of an order shop, picked-up, complete."
            )
        }
    }
}
