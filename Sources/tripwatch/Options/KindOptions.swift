import ArgumentParser
import FleetEngine
import TripWatchSettings

/// The option for the kind of a trip whose attributes do not specify a kind.
struct KindOptions: ParsableArguments {
    @Flag(help: "Treat a trip as an order unless its attribute 'kind' says otherwise.")
    var order = false

    /// The kind that the environment or the configuration file sets.
    private var configured = Beside<TripKind?>(nil)

    mutating func complete(from configuration: Configuration) { configured.value = configuration.tripKind }

    /// The kind; nil if neither a flag nor the configuration sets one.
    var kind: TripKind? { order ? .order : configured.value }
}

/// The option for the kind of a trip that is booked.
struct BookedKindOptions: ParsableArguments {
    @Flag(help: "Book an order, which a courier collects at the pickup.")
    var order = false

    /// The kind that the environment or the configuration file sets for trips whose attributes do not specify a kind.
    private var configured = Beside<TripKind?>(nil)

    mutating func complete(from configuration: Configuration) { configured.value = configuration.tripKind }

    /// The kind; nil if neither a flag nor the configuration sets one.
    var kind: TripKind? { order ? .order : configured.value }
}
