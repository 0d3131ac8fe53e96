import ArgumentParser
import FleetEngine
import TripWatchSettings

/// Kind for a trip whose attributes do not state one.
struct KindOptions: ParsableArguments {
    @Flag(help: "Treat the trip as an order if its attributes name no kind.")
    var order = false

    /// Kind from environment and file.
    private var configured = Beside<TripKind?>(nil)

    mutating func complete(from configuration: Configuration) { configured.value = configuration.tripKind }

    /// The kind; nil if neither flag nor configuration sets one.
    var kind: TripKind? { order ? .order : configured.value }
}

/// Kind of a booked trip.
struct BookedKindOptions: ParsableArguments {
    @Flag(help: "Book an order, which a courier collects at the pickup.")
    var order = false

    /// Kind from environment and file, for trips whose attributes do not state one.
    private var configured = Beside<TripKind?>(nil)

    mutating func complete(from configuration: Configuration) { configured.value = configuration.tripKind }

    /// The kind; nil if neither flag nor configuration sets one.
    var kind: TripKind? { order ? .order : configured.value }
}
