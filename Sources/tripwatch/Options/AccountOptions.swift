import ArgumentParser
import FleetEngine
import FleetEngineAccess
import TripWatchSettings

/// Options for the subject of a new token, and for the account that signs the token.
struct MintOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Token role.", valueName: "role"))
    var role: AccountRole

    @Option(
        help: ArgumentHelp(
            "Account that signs (default: the account named ROLE, or else the role's first account).", valueName: "name"))
    var account: String?

    @Option(help: ArgumentHelp("Trip that the token covers: name, id, or * for any.", valueName: "trip"))
    var trip: String?

    @Option(help: ArgumentHelp("Vehicle that the token covers, or * for any.", valueName: "id"), completion: .vehicles)
    var vehicle: String?

    @Option(help: ArgumentHelp("Shipment that the token covers, or * for any.", valueName: "shipment"))
    var tracking: String?

    @Option(help: ArgumentHelp("Task that the token covers, or * for any.", valueName: "task"))
    var task: String?

    @Option(help: ArgumentHelp("Delivery vehicle that the token covers, or * for any.", valueName: "id"))
    var deliveryVehicle: String?

    @Flag(help: "Let the driver also change stops and tasks.")
    var trusted = false

    @Option(help: ArgumentHelp("Lifetime of the token, at most 1h.", valueName: "time"))
    var ttl = "1h"

    func validate() throws {
        if role == .consumer, trip == nil, tracking == nil {
            throw ValidationError("a consumer's token needs --trip or --tracking; '*' means any.")
        }
        if role == .driver, vehicle == nil, deliveryVehicle == nil {
            throw ValidationError("a driver's token needs --vehicle or --delivery-vehicle; '*' means any.")
        }
        guard !trusted || role == .driver && deliveryVehicle != nil else {
            throw ValidationError("--trusted works only with --role driver and --delivery-vehicle.")
        }
        guard lifeSeconds != nil else { throw ValidationError("--ttl takes a time from 1s to 1h, such as 90s or 10min.") }
    }

    /// The lifetime in whole seconds; nil if it is outside the allowed range.
    var lifeSeconds: Int64? {
        TimeSpanText.seconds(ttl).flatMap { $0 <= TokenInspection.longestLifeSeconds ? Int64($0) : nil }.flatMap { $0 > 0 ? $0 : nil }
    }
}

/// Options for the name of a new account and the format of its file.
struct NewAccountOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Name to append to the role: letters, digits, dots, - and _.", valueName: "name"))
    var name: String

    @Flag(help: "Write a service-account file that Google's libraries can read.")
    var google = false
}
