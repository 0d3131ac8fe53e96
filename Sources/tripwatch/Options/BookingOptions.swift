import ArgumentParser

/// Options for the ride to book.
struct BookingOptions: ParsableArguments {
    @Option(parsing: .unconditional, help: ArgumentHelp("Pickup: LAT,LNG or a name on the map.", valueName: "place"))
    var from: RidePlace

    @Option(parsing: .unconditional, help: ArgumentHelp("Drop-off: LAT,LNG or a name on the map.", valueName: "place"))
    var to: RidePlace

    @Option(parsing: .unconditionalSingleValue, help: ArgumentHelp("A stop on the way; may be repeated.", valueName: "place"))
    var via: [RidePlace] = []

    @Flag(help: "Book a shared ride.")
    var shared = false

    @Flag(help: "Follow the trip after booking.")
    var follow = false

    func validate() throws {
        guard via.count <= 25 else { throw ValidationError("--via can be given at most 25 times.") }
        guard via.isEmpty || !shared else {
            throw ValidationError(
                "give only one of --via and --shared: a shared trip cannot have its own stops on the way.")
        }
    }
}
