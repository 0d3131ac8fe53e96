import ArgumentParser

/// The ride that is booked.
struct BookingOptions: ParsableArguments {
    @Option(parsing: .unconditional, help: ArgumentHelp("Pickup: LAT,LNG or a name on the map.", valueName: "place"))
    var from: RidePlace

    @Option(parsing: .unconditional, help: ArgumentHelp("Drop-off: LAT,LNG or a name on the map.", valueName: "place"))
    var to: RidePlace

    @Option(parsing: .unconditionalSingleValue, help: ArgumentHelp("A stop on the way; may be repeated.", valueName: "place"))
    var via: [RidePlace] = []

    @Flag(help: "Others may ride along.")
    var shared = false

    @Flag(help: "Follow the trip at once.")
    var follow = false

    func validate() throws {
        guard via.count <= 25 else { throw ValidationError("at most 25 stops: --via.") }
        guard via.isEmpty || !shared else { throw ValidationError("--via does not go with --shared: such a trip has no stops of its own.") }
    }
}
