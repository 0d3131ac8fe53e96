import ArgumentParser
import FleetEngine
import TripWatchSettings

/// What a trip is where its attributes do not say it.
struct KindOptions: ParsableArguments {
    @Flag(help: "An order, unless the trip says otherwise.")
    var order = false

    /// What environment and file say.
    private var configured = Beside<TripKind?>(nil)

    mutating func complete(from configuration: Configuration) { configured.value = configuration.tripKind }

    /// Nil where neither flag nor configuration says it.
    var kind: TripKind? { order ? .order : configured.value }
}

/// What a booked trip is.
struct BookedKindOptions: ParsableArguments {
    @Flag(help: "Book an order, which a courier brings from the pickup.")
    var order = false

    /// What environment and file say of trips that do not say it themselves.
    private var configured = Beside<TripKind?>(nil)

    mutating func complete(from configuration: Configuration) { configured.value = configuration.tripKind }

    /// Nil where neither flag nor configuration says it.
    var kind: TripKind? { order ? .order : configured.value }
}
