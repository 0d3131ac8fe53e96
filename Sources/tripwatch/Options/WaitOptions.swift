import ArgumentParser
import TripWatchWords

/// Goal of `wait`.
struct WaitOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("A time such as 2min, or here, pickup, shop, picked-up or complete.", valueName: "what"),
        completion: .list(["here", "pickup", "shop", "picked-up", "complete"]))
    var until: String

    @Flag(help: "Keep waiting after errors that need action.")
    var keepTrying = false

    /// Checks the goal.
    /// - Parameter isShipment: whether the command waits for a shipment rather than a trip.
    /// - Throws: `ValidationError` for a goal that a trip or shipment cannot reach.
    func check(isShipment: Bool) throws {
        guard !isShipment else {
            guard ShipmentGoal(until) != nil else {
                throw ValidationError(
                    "--until takes a time such as 20min (at most 24h), or 3stops, 1stop, next or done, for a shipment; "
                        + "here, pickup and complete are for trips.")
            }
            return
        }
        guard WaitGoal(until) != nil else {
            throw ValidationError(
                "--until takes a time such as 2min or 1h (at most 24h), here, pickup or complete; for an order, shop, picked-up or complete."
            )
        }
    }
}
