import ArgumentParser
import TripWatchWords

/// Options for the event that `wait` waits for.
struct WaitOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "A time such as 2min, or an event such as here.",
            valueName: "what"),
        completion: .list(["here", "pickup", "shop", "picked-up", "complete", "3stops", "1stop", "next", "done"]))
    var until: String

    @Flag(help: "Keep waiting after errors that only you can fix.")
    var keepTrying = false

    /// Checks that `--until` names an event of a trip, or of a shipment.
    /// - Parameter isShipment: whether the command waits for a shipment rather than a trip.
    /// - Throws: `ValidationError` if it names no such event.
    func check(isShipment: Bool) throws {
        guard !isShipment else {
            guard ShipmentGoal(until) != nil else {
                throw ValidationError(
                    "For a shipment, --until takes a time such as 20min (at most 24h), a number of stops such as 3stops, 'next' or 'done'; "
                        + "'here', 'pickup' and 'complete' apply only to trips.")
            }
            return
        }
        guard WaitGoal(until) != nil else {
            throw ValidationError(
                "--until takes a time such as 2min or 1h (at most 24h); for a ride, also 'here', 'pickup' or 'complete'; "
                    + "for an order, 'shop', 'picked-up' or 'complete'; for a shipment, a number of stops such as 3stops, 'next' or "
                    + "'done'.")
        }
    }
}
