import ArgumentParser

/// Options that list rides and remove trips from the list.
struct ListOptions: ParsableArguments {
    @Flag(help: "List the rides recorded on this machine; 'replay NAME' plays one.")
    var rides = false

    @Option(help: ArgumentHelp("Remove a trip from the list.", valueName: "trip"), completion: .knownTrips)
    var forget: String?
}
