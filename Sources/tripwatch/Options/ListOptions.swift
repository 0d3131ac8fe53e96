import ArgumentParser

/// Options that list recorded rides, or remove trips from the list of known trips.
struct ListOptions: ParsableArguments {
    @Flag(help: "List the rides recorded on this machine; 'replay NAME' plays one.")
    var rides = false

    @Option(help: ArgumentHelp("Remove a trip or shipment from the list.", valueName: "trip"), completion: .knownTrips)
    var forget: String?
}
